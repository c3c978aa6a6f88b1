// Which host answers the calls: our own, or one of the brand's backups after ours has failed for good.
import { readBoot } from './boot.ts';
import { forget, loadText, save } from './storage.ts';

/** Prefix of an address: empty for our own host. A kept one counts only while the brand still names it. */
export function currentHost(): string {
  const kept = loadText('backupApi');
  return kept !== '' && readBoot().brand.backupHosts.includes(kept) ? `https://${kept}` : '';
}

/**
 * Goes on to the next backup host and keeps it for a day. False when there is none left: the next call tries our own again.
 * @source specification section 8: "then switch to backup domains if configured"; section 9: "backup API list 1 day"
 */
export function goToNextHost(): boolean {
  const { backupHosts } = readBoot().brand;
  const next = backupHosts[backupHosts.indexOf(loadText('backupApi')) + 1];
  if (next === undefined) {
    forget('backupApi');
    return false;
  }
  save('backupApi', next);
  return true;
}
