// The ways in and out, for everybody who needs them: header, screens, the reactions to a lost login.
import { lazy } from 'react';
import { t } from '#web/platform/i18n.ts';
import { confirm, openPopup } from '#web/platform/popups.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { logout } from '#web/platform/session.ts';
import { showToast } from '#web/platform/toast.ts';

const LoginPopup = lazy(() => import('./LoginPopup.tsx').then((module) => ({ default: module.LoginPopup })));

/** Fetches the popup's code ahead, when a press on the login button is near. */
export function warmLogin(): void {
  void import('./LoginPopup.tsx');
}

let isOpen = false;

/**
 * Opens the login popup, once: several calls may find at the same time that nobody is logged in.
 * @param clientId the game one logs in for; the page's own game when left out
 * @param reason one sentence why, when the player did not ask for it
 */
export function openLogin(clientId: string = readBoot().clientId, reason = ''): void {
  if (isOpen) return;
  isOpen = true;
  openPopup(LoginPopup, { clientId, reason }, () => {
    isOpen = false;
  });
}

/** Asks, then logs out. @source specification section 4: "Logout asks for confirmation and clears user info" */
export async function askLogout(): Promise<void> {
  const isSure = await confirm({
    title: t('logout.title'),
    text: t('logout.text'),
    cancel: t('account.cancel'),
    confirm: t('logout.confirm'),
    isDanger: true,
  });
  if (isSure) await leave();
}

/** Asks, logs out and offers the login. @source specification section 5: "Confirm before switching account" */
export async function askSwitchAccount(): Promise<void> {
  const isSure = await confirm({
    title: t('account.switch_title'),
    text: t('account.switch_text'),
    cancel: t('account.cancel'),
    confirm: t('account.switch_confirm'),
  });
  if (isSure && (await leave())) openLogin();
}

async function leave(): Promise<boolean> {
  const hasLeft = await logout();
  if (!hasLeft) showToast(t('error.network'), 'bad');
  return hasLeft;
}
