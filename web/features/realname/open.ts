// Begins the real-name check, and tells a player that it is due: after a login, and after a payment that was refused.
import { accountRoutes } from '#contracts/accounts.ts';
import { realNameRoutes } from '#contracts/realname.ts';
import { call } from '#web/platform/calls/api.ts';
import { leaveTo } from '#web/platform/frame.ts';
import { t } from '#web/platform/i18n.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { clientOfPage } from '#web/platform/visitor/page-client.ts';
import { confirm, openPopup } from '#web/platform/popups/popups.tsx';
import { currentUser } from '#web/platform/visitor/session.ts';
import { clear, load, loadText, save } from '#web/platform/visitor/storage.ts';
import { showToast } from '#web/platform/toast.ts';

const RealNamePopup = lazyPart(() => import('./RealNamePopup.tsx').then((module) => module.RealNamePopup));

/** How a beginning ended: the browser is on its way, nothing is left to do, or it did not work; then in words. */
type Begun = { kind: 'gone' } | { kind: 'decided' } | { kind: 'failed'; text: string };

/** Leaves for the page of whoever checks; from a frame, a window of its own. @param leave tests hand in their own */
export async function beginRealName(clientId: string, leave: (url: string) => void = leaveTo): Promise<Begun> {
  const outcome = await call(realNameRoutes.evoke, { client_id: clientId });
  if (outcome.kind === 'network') return { kind: 'failed', text: t('network.failed') };
  if (outcome.kind === 'code') return { kind: 'failed', text: outcome.msg || t('error.real_name_failed') };
  if (!outcome.content.url) return { kind: 'decided' };
  leave(outcome.content.url);
  return { kind: 'gone' };
}

/**
 * After a login: whom a payment sent here is led on, everybody else is asked once a login.
 * @param showPage leads to /certifiedReal, which says what came of it
 */
export function offerRealName(showPage: () => void): void {
  if (load('realNameDue') === true) {
    clear('realNameDue');
    void beginRealName(clientOfPage()).then(({ kind }) => kind === 'gone' || showPage());
    return;
  }
  const login = currentUser()?.oauth_token ?? '';
  if (login === '' || loadText('realNameTold') === login) return;
  save('realNameTold', login);
  openPopup(RealNamePopup, {});
}

/**
 * A payment was refused because the real name is missing: the player is logged out, learns why, and the next login
 * leads to the check. @source specification section 8: "6001: clears the user, goes to /"
 */
export async function explainRealName(): Promise<void> {
  save('realNameDue', true);
  // The session that the page dropped is to be over at the server too, or a reload would bring it back.
  void call(accountRoutes.logout, {});
  const wantsLogin = await confirm({
    title: t('real_name.cleared_title'),
    text: t('real_name.cleared_text'),
    cancel: t('real_name.later'),
    confirm: t('login.submit'),
  });
  if (wantsLogin) openLogin();
}

/** In the SDK view: the game holds the login, so the check begins at once and the player stays. */
export async function offerCheckInGame(): Promise<void> {
  const wantsCheck = await confirm({
    title: t('real_name.cleared_title'),
    text: t('real_name.prompt'),
    cancel: t('real_name.later'),
    confirm: t('real_name.start'),
  });
  if (!wantsCheck) return;
  const begun = await beginRealName(clientOfPage());
  if (begun.kind === 'failed') showToast(begun.text, 'bad');
}
