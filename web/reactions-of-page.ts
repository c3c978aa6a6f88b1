// Gives the table of reactions its hands: the router, the popups, the session of this page.
import { dropDraft } from './features/orders/unfinished/order-info.ts';
import { paths, resultPages } from './paths.ts';
import { readBoot } from './platform/boot.ts';
import { clear } from './platform/visitor/storage.ts';
import { isFramed } from './platform/frame.ts';
import { t } from './platform/i18n.ts';
import { openLogin } from './platform/visitor/login.ts';
import { setGameLost } from './platform/lost-game.ts';
import { closeAllPopups, showTip } from './platform/popups/popups.tsx';
import { type NetworkFault, setActions } from './platform/calls/reactions.ts';
import { clearRegion } from './platform/region.ts';
import type { Router } from './platform/router/router.ts';
import { currentUser, dropUser } from './platform/visitor/session.ts';
import { showToast } from './platform/toast.ts';
import type * as seldom from './seldom.ts';

/** As a report has it. */
function describe({ path = '', request, status = 0 }: NetworkFault) {
  return { kind: 'network', path, code: status, ...(request ? { request } : {}) } as const;
}

export function connectReactions(router: Router): void {
  /** Address, storage, draft and page let go of the game; none takes its place before the player chooses. */
  const clearGame = () => {
    clear('gameInfo');
    // In the classic version the draft is what says which game is chosen: the steps after the first have none now.
    dropDraft();
    setGameLost(true);
    const keys = { client_id: undefined, area_id: undefined, server_id: undefined, role_id: undefined };
    void router.navigate({ to: '.', search: (before) => ({ ...before, ...keys }), replace: true });
  };
  let isEnded = false;
  setActions({
    toast: (text) => showToast(text, 'bad'),
    report: (fault) => withSeldom((part) => part.reportFault(describe(fault))),
    toastNetwork: (fault) => {
      const openReport = () => withSeldom((part) => part.openReport(describe(fault)));
      showToast(t('network.failed'), 'bad', { label: t('report.details'), onPress: openReport });
    },
    openReport: () => withSeldom((part) => part.openReport()),
    clearUser: () => {
      isEnded = currentUser() !== null;
      dropUser();
    },
    openLogin: (onDone) => openLogin(onDone, isEnded),
    clearRegion,
    clearGame,
    askReopen,
    explainRealName: () => withSeldom((part) => void part.explainRealName()),
    offerCheckInGame: () => withSeldom((part) => void part.offerCheckInGame()),
    askAge: () => withSeldom((part) => part.openAge()),
    showUnpaid: (orders, text, name) => {
      const onContinue = (billing_no: string) => {
        closeAllPopups();
        void router.navigate({
          to: resultPages[readBoot().brand.version],
          search: (before) => ({ ...before, billing_no }),
        });
      };
      const isCancellable = name !== 'openOrderOtherPrice';
      withSeldom((part) => part.openUnpaidOrders({ orders, text, isCancellable, onContinue }));
    },
    go: (to) => void router.navigate({ to }),
    showError: (reason) =>
      void router.navigate({ to: paths.showError, search: (before) => ({ ...before, billing_no: undefined, reason }) }),
    // @source specification section 2: "visit=sdk gives the embedded view"
    isSdkView: () => router.place.search.visit === 'sdk',
  });
  addEventListener('error', ({ error }) => withSeldom((part) => part.reportScript(error)));
  addEventListener('unhandledrejection', ({ reason }) => withSeldom((part) => part.reportScript(reason)));
}

/** Few pages need it, so it comes when one does; where it does not come, nobody is left to tell. */
export function withSeldom(work: (part: typeof seldom) => void): void {
  void import('./seldom.ts').then(work, () => undefined);
}

let isAsked = false;

/** Once: everything that polls finds out at the same time. */
function askReopen(): void {
  if (isAsked) return;
  isAsked = true;
  // In a frame the page around it is asked for another login; without one the popup offers the shop in its own window.
  if (isFramed()) return renewInFrame();
  showTip({ title: t('sdk.reopen_title'), text: t('sdk.reopen_text'), close: t('popup.close') });
}

function renewInFrame(): void {
  void import('./platform/embed/embed.ts')
    .then((part) => part.renew())
    .catch(() => false)
    .then((isIn) => {
      isAsked = false;
      if (isIn) showToast(t('sdk.renewed'), 'ok');
      else openLogin();
    });
}
