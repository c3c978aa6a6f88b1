// The end of a login for which the whole page went to the provider and came back without a player.
import { LOGIN_RESULT_KEY } from '#contracts/login-window.ts';
import { t } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';

/**
 * Tells a failure and takes the key out of the address, so that it is told once. Giving up is no failure.
 * @param search of the address that the page came with
 */
export function tellLoginResult(search: string): void {
  if (new URLSearchParams(search).get(LOGIN_RESULT_KEY) === 'failed') showToast(t('error.login_failed'), 'bad');
  const here = new URL(location.href);
  here.searchParams.delete(LOGIN_RESULT_KEY);
  history.replaceState(history.state, '', here);
}
