// Logs a player in and out: the login popup for the whole page, and changing the account.
import { isFramed } from '#web/platform/frame.ts';
import { t } from '#web/platform/i18n.ts';
import { readReplenishFlow } from '#web/platform/visitor/replenish-flow.ts';
import type { LoginPopupProps } from './LoginPopup.tsx';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import type { LoginOpener } from '#web/platform/visitor/login.ts';
import { confirm, openPopup } from '#web/platform/popups/popups.tsx';
import { showError } from '#web/platform/calls/reactions.ts';
import { logout } from '#web/platform/visitor/session.ts';
import { isStorageOpen } from '#web/platform/visitor/storage.ts';
import { showToast } from '#web/platform/toast.ts';
import { track } from '#web/platform/visitor/track.ts';

const LoginPopup = lazyPart(() => import('./LoginPopup.tsx').then((module) => module.LoginPopup));

let isOpen = false;

/**
 * Opens the login popup, once: several calls may find at the same time that nobody is logged in.
 * @param onDone after a login that went well, before the page starts again: notes what the player was about to do
 */
export const openLoginPopup: LoginOpener = (onDone, isEnded) => {
  if (isOpen) return;
  // A login needs what the browser refuses to keep: said before anybody types a password.
  // @source specification section 5
  if (!isFramed() && !isStorageOpen()) return showError('cookies');
  isOpen = true;
  track('login_open');
  const open = (more: Pick<LoginPopupProps, 'ingame'> = {}) =>
    openPopup(LoginPopup, { onDone, isEnded, ...more }, () => {
      isOpen = false;
    });
  const flow = readReplenishFlow();
  if (!flow) return void open();
  void import('./LoginPopup.tsx')
    .then((part) => part.gameOfReplenish(flow))
    // The popup itself reports a read that failed.
    .catch(() => '')
    .then((gameId) => open(gameId === '' ? {} : { ingame: { gameId, flow } }));
};

/** Asks, logs out and offers the login. @source specification section 5: "Confirm before switching account" */
export async function askSwitchAccount(): Promise<void> {
  const isSure = await confirm({
    title: t('account.switch_title'),
    text: t('account.switch_text'),
    cancel: t('account.cancel'),
    confirm: t('account.switch_confirm'),
  });
  if (!isSure) return;
  if (await logout()) openLoginPopup();
  else showToast(t('network.failed'), 'bad');
}
