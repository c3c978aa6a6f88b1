// A new password on the player's own wish: the old one is asked, other sessions end, and
// other browsers are known no more.
import { transaction, type Db } from '#server/platform/database/db.ts';
import { type LoginLimits, eraseDevices } from '#server/platform/limits/login-limits.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { type Session, revokeOtherSessions } from '#server/platform/http/session.ts';
import { loadCommonPasswords } from './common-passwords.ts';
import { checkPassword, hashPasswordNow, isHashable } from './password.ts';
import { findPasswordFault } from './password-rules.ts';
import { findPasswordOf, replacePassword } from '#server/modules/accounts/store.ts';

export type ChangePassword = {
  readonly session: Session;
  readonly from: string;
  readonly to: string;
  readonly ip: string;
  readonly device: string | null;
  /** A stranger would try these first, beside the login name. */
  readonly names: readonly string[];
};

/**
 * A code of the catalogue, a wait after too many attempts, or done. `loginAgain`: a session that may not do this, or
 * the password changed meanwhile.
 */
export type ChangeOutcome =
  | 'done'
  | 'wrongCredentials'
  | 'weakPassword'
  | { waitSeconds: number }
  | 'unavailable'
  | 'loginAgain'
  | 'forbidden';

/** `forbidden`: somebody else keeps the password of this account. */
export async function changePassword(
  deps: { db: Db; log: Log; limits: LoginLimits; deniedPasswords?: ReadonlySet<string> | undefined },
  { session, from, to, ip, device, names }: ChangePassword,
): Promise<ChangeOutcome> {
  const { playerId, brandKey, publicId } = session;
  // A session that a game or a make-up payment opened may not change the account. @source SECURITY section 3
  if (session.kind !== 'web' || session.bound) return 'loginAgain';
  const kept = await findPasswordOf(deps.db, playerId);
  if (!kept) return 'forbidden';
  const denied = [await loadCommonPasswords(), deps.deniedPasswords ?? new Set<string>()];
  if (!isHashable(to) || findPasswordFault(to, [kept.subject, ...names], denied)) return 'weakPassword';
  // A session that somebody else got hold of must not be a way to guess: the same limits as at login.
  const account = `${brandKey}/${kept.subject}`;
  const permit = await deps.limits.ask(ip, account, device);
  if (!permit.isAllowed) return { waitSeconds: permit.waitSeconds };
  const checked = await checkPassword(kept.hash, from, permit.isKnownDevice);
  const isRight = checked === 'match' || checked === 'outdated';
  const anew = isRight ? await hashPasswordNow(to, permit.isKnownDevice) : null;
  if (checked === 'busy' || (isRight && !anew)) {
    await permit.undecided();
    return 'unavailable';
  }
  if (!anew) {
    await permit.failed();
    noteSecurity(deps.log, 'login_failed', { brand: brandKey, ip, by: 'change' });
    return 'wrongCredentials';
  }
  const ended = await transaction(deps.db, async (client) =>
    (await replacePassword(client, playerId, kept.hash, anew))
      ? revokeOtherSessions(client, playerId, publicId, 'password')
      : null,
  );
  const { device: known } = await permit.succeeded();
  if (ended === null) return 'loginAgain';
  // A browser that somebody else once logged in with is as strange as any from now on.
  await eraseDevices(deps.db, account, known);
  noteSecurity(deps.log, 'password_changed', { brand: brandKey, player: playerId, ended });
  return 'done';
}
