// Asks our own host for the token that opens the brand's backup hosts to the player: beforehand, for once it
// is needed our host is silent.
import { sessionRoutes } from '#contracts/sessions.ts';
import { call } from './api.ts';
import { keepBackupToken } from './hosts.ts';
import { currentUser, watchUser } from '../visitor/session.ts';

/** Our choice: three minutes of silence before the end still leave three more tries. */
const RENEW_BEFORE_SECONDS = 180;
/** Our choice: after no answer, as long as the token before is good and longer. */
const RETRY_SECONDS = 60;

/** From now on there is a token while somebody is logged in and the page is looked at. Returns the way to stop. */
export function startBackupToken(): () => void {
  let owner = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  const plan = (seconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), seconds * 1000);
  };
  const ask = async () => {
    isDue = true;
    // A page that nobody looks at must not keep its session alive.
    if (document.visibilityState === 'hidden' || owner === '') return;
    isDue = false;
    const asker = owner;
    const outcome = await call(sessionRoutes.backupToken, {});
    if (asker !== owner) return;
    if (outcome.kind === 'network') return plan(RETRY_SECONDS);
    // Any other answer stays what it is until the next login.
    if (outcome.kind !== 'ok') return;
    const { token, expires_in: seconds } = outcome.content;
    keepBackupToken(token, seconds);
    plan(Math.max(seconds - RENEW_BEFORE_SECONDS, RETRY_SECONDS));
  };
  const takeUser = () => {
    const next = currentUser()?.oauth_token ?? '';
    if (next === owner) return;
    owner = next;
    keepBackupToken(null);
    clearTimeout(timer);
    void ask();
  };
  const onVisible = () => {
    if (isDue) void ask();
  };

  document.addEventListener('visibilitychange', onVisible);
  const stopWatching = watchUser(takeUser);
  takeUser();
  return () => {
    clearTimeout(timer);
    stopWatching();
    document.removeEventListener('visibilitychange', onVisible);
    owner = '';
    keepBackupToken(null);
  };
}
