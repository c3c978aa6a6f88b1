// A company says that an identity is over: what it opened ends, and its link is set aside. A notice that
// comes twice changes nothing more.
import type { LoginKind } from '#contracts/logins.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { transaction } from '#server/platform/database/db.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import type { Site } from '#server/platform/http/site.ts';
import { endSessionsOfIdentities, hashIdentity, setIdentitiesAside } from './identity-store.ts';
import type { LoginsDeps } from './login-deps.ts';
import type { LoginNotice } from './login-port.ts';

/** `none`: this shop hears no notices of that kind here. `unavailable`: not looked at, the company may try again. */
export type NoticeAnswer = 'taken' | 'refused' | 'unavailable' | 'none';

/**
 * Our choice: the company's clock and ours may differ by a minute. What was opened or linked later has
 * come after the notice and stays, so that an old notice which is sent again ends nothing new.
 */
const SKEW_MS = 60_000;

/**
 * A company has one address for all its apps, so the notice decides which brands it is about, not the host it came to.
 */
export async function takeNotice(
  deps: LoginsDeps,
  site: Site,
  call: { kind: LoginKind; body: string; ip: string },
): Promise<NoticeAnswer> {
  const openProvider = deps.openProviders.get(call.kind);
  const notices = openProvider?.login.notices;
  if (!openProvider || !notices) return 'none';
  const brands = [...deps.configuration().brands].map(([key, { file }]) => ({ key, ids: notices.idsOf(file.logins) }));
  const read = await notices.read(call.body, [...new Set(brands.flatMap(({ ids }) => ids))]);
  if (read.kind !== 'ok') {
    const details = { brand: site.brandKey, ip: call.ip, provider: call.kind, reason: read.reason };
    noteSecurity(deps.log, read.kind === 'refused' ? 'notice_refused' : 'notice_unchecked', details);
    return read.kind;
  }
  for (const notice of read.notices) {
    if (!notice.isOver) continue;
    for (const { key, ids } of brands)
      if (ids.includes(notice.appId)) await endIdentity(deps, key, openProvider.name, notice);
  }
  return 'taken';
}

async function endIdentity(
  deps: LoginsDeps,
  brandKey: BrandKey,
  provider: string,
  { subject, event, at }: LoginNotice,
): Promise<void> {
  // The same person is another player in each game, where games keep the accounts.
  const games = deps.configuration().brands.get(brandKey)?.file.games ?? [];
  const subjects = [subject, ...games.map((game) => `${game}/${subject}`)];
  const before = new Date(at + SKEW_MS);
  const { players, ended } = await transaction(deps.db, async (client) => {
    const owners = await setIdentitiesAside(client, { brandKey, provider, subjects, before });
    const hashes = subjects.map((one) => hashIdentity({ provider, subject: one }));
    return {
      players: owners,
      ended: await endSessionsOfIdentities(client, { brandKey, hashes, authMethod: provider, players: owners, before }),
    };
  });
  noteSecurity(deps.log, 'identity_over', { brand: brandKey, provider, event, players, ended });
}
