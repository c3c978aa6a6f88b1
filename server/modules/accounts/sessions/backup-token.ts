// The current session at the brand's backup hosts: a token for a page to show there, as long
// as its own host still answers.
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { BACKUP_TOKEN_SECONDS, openBackupToken } from '#server/platform/http/session.ts';
import { environmentOfHost } from '#server/platform/http/site.ts';
import type { LoginsDeps } from '#server/modules/accounts/logins/login-deps.ts';

/**
 * `notFound` where the brand has no backup host of this environment, and in super mode, which only the
 * cookie of its key can prove.
 */
export async function giveBackupToken(
  { db, configuration, environment }: Pick<LoginsDeps, 'db' | 'configuration' | 'environment'>,
  { site, session }: PlayerCaller,
): Promise<Answer<{ token: string; expires_in: number }>> {
  const hosts = configuration().brands.get(site.brandKey)?.file.backupHosts ?? [];
  if (site.betaId || !hosts.some((host) => environmentOfHost(host) === environment)) return refuse('notFound');
  return succeed({ token: await openBackupToken(db, session.publicId), expires_in: BACKUP_TOKEN_SECONDS });
}
