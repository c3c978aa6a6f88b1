// Changing the ways into an account needs a login of now: whoever finds an open page must not be able to stay.
import { t } from '#web/platform/i18n.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { confirm } from '#web/platform/popups/popups.tsx';

/** Explains and offers the login popup. */
export async function askFreshLogin(): Promise<void> {
  const isSure = await confirm({
    title: t('account.fresh_title'),
    text: t('error.login_again'),
    cancel: t('account.cancel'),
    confirm: t('login.submit'),
  });
  if (isSure) openLogin();
}
