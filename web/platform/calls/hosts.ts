// Which host answers the calls: our own, or one of the brand's backups after ours has failed for good; and
// what opens those to a player.
import { readBoot } from '../boot.ts';
import { clear, loadText, save } from '../visitor/storage.ts';

/** Prefix of an address: empty for our own host. A kept one counts only while the brand still names it. */
export function currentHost(): string {
  const kept = loadText('backupApi');
  return readBoot().brand.backupOrigins.includes(kept) ? kept : '';
}

/**
 * Goes on to the next backup host and keeps it for a day. False when there is none left: the
 * next call tries our own again.
 * @source specification section 8: "then switch to backup domains if configured"; section 9: "backup API list 1 day"
 */
export function goToNextHost(): boolean {
  const { backupOrigins } = readBoot().brand;
  const next = backupOrigins[backupOrigins.indexOf(loadText('backupApi')) + 1];
  if (next === undefined) {
    clear('backupApi');
    return false;
  }
  save('backupApi', next);
  return true;
}

/** In this variable and nowhere else: whoever reads the browser's storage finds nothing to be somebody with. */
let pass: { token: string; until: number } | null = null;

/**
 * Keeps the token that stands for the player at backup hosts. @param seconds how long it is
 * good; null: there is no player
 */
export function keepBackupToken(token: string | null, seconds = 0): void {
  pass = token === null ? null : { token, until: Date.now() + seconds * 1000 };
}

/** The token while it is good, else null. */
export function backupToken(): string | null {
  return pass && pass.until > Date.now() ? pass.token : null;
}
