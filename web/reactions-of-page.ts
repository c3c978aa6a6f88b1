// Gives the table of reactions its hands: the router, the popups, the session of this page.
import { paths } from './paths.ts';
import { forget } from './platform/storage.ts';
import { isFramed } from './platform/frame.ts';
import { t } from './platform/i18n.ts';
import { openLogin } from './platform/login.ts';
import { showTip } from './platform/popups.tsx';
import { setActions } from './platform/reactions.ts';
import { clearRegion } from './platform/region.ts';
import { setUser } from './platform/session.ts';
import { showToast } from './platform/toast.ts';
import type { createShopRouter } from './routes.tsx';

export function connectReactions(router: ReturnType<typeof createShopRouter>): void {
  setActions({
    toast: (text) => showToast(text, 'bad'),
    networkText: () => t('network.failed'),
    clearUser: () => setUser(null),
    openLogin: () => openLogin(),
    clearRegion,
    clearGame: () => forget('gameInfo'),
    askReopen,
    go: (to) => void router.navigate({ to }),
    showError: (reason) =>
      void router.navigate({ to: paths.showError, search: (before) => ({ ...before, billing_no: undefined, reason }) }),
    // @source specification section 2: "visit=sdk gives the embedded view"
    isSdkView: () => router.state.location.search.visit === 'sdk',
  });
}

let isAsked = false;

/** Once: everything that polls finds out at the same time. */
function askReopen(): void {
  if (isAsked) return;
  isAsked = true;
  // In a frame the game may be no app to go back to: there the login popup offers the shop in its own window.
  if (isFramed()) return openLogin();
  showTip({ title: t('sdk.reopen_title'), text: t('sdk.reopen_text'), close: t('popup.close') });
}
