// The pages of both versions, what their addresses lead on to, and what stands between an address and its page.
import { createElement, type ReactNode, Suspense, useEffect } from 'react';
import type { Version } from '#contracts/documents.ts';
import { useConfigInUse } from './features/games/use-game.ts';
import { loadOrigin, saveOrigin } from './features/orders/unfinished/order-info.ts';
import { isGiftShown } from './features/layout/bars/TopTabs.tsx';
import { guardRegion, guardStep, originAfter } from './guard.ts';
import { NAVIGATED, paths, redirects } from './paths.ts';
import { readBoot } from './platform/boot.ts';
import { Boundary, type Lost } from './platform/lazy/Boundary.tsx';
import { whenIdle } from './platform/lazy/later.ts';
import { lazyPart } from './platform/lazy/lazy-part.ts';
import type { AddressBook } from './platform/router/history.ts';
import { createRouter, type Page, type Place, type Router, type Target } from './platform/router/router.ts';
import { RouterProvider, usePath } from './platform/router/Router.tsx';
import { withSeldom } from './reactions-of-page.ts';
import { Layout } from './screens/layout.tsx';
import { LostScreen } from './screens/notices/lost-screen.tsx';
import { withGiftTab } from './screens/gift/goods-or-gift.tsx';
import { SelectGoods } from './screens/select-goods.tsx';

const seldomPage = (name: keyof Awaited<ReturnType<typeof loadSeldom>>) =>
  lazyPart(() => loadSeldom().then((module) => module[name]));
const loadSeldom = () => import('./screens/notices/pages.ts');

/** Pages of both versions. */
const PAGES: Readonly<Record<string, Page>> = {
  [paths.my]: lazyPart(() => import('./screens/my.tsx').then((module) => module.My)),
  [paths.activity]: lazyPart(() => import('./screens/activity.tsx').then((module) => module.ActivityScreen)),
  [paths.userCenter]: lazyPart(() => import('./screens/user-center.tsx').then((module) => module.UserCenter)),
  [paths.certifiedReal]: seldomPage('CertifiedReal'),
  [paths.notArea]: seldomPage('NotArea'),
  [paths.errorReplenish]: seldomPage('ErrorReplenish'),
  [paths.replenishGoods]: lazyPart(() =>
    import('./screens/replenish/replenish-goods.tsx').then((module) => module.ReplenishGoods),
  ),
  [paths.code]: seldomPage('EnterCode'),
  [paths.showError]: seldomPage('ShowError'),
};

const NotFound = seldomPage('NotFound');

const PAGES_OF: Readonly<Record<Version, Readonly<Record<string, Page>>>> = {
  new: { ...PAGES, [paths.selectGoods]: withGiftTab(SelectGoods) },
  /** @source specification section 2, "Old-version router" */
  classic: {
    ...PAGES,
    [paths.selectGame]: lazyPart(() => import('./screens/classic/select-game.tsx').then((module) => module.SelectGame)),
    [paths.selectGoods]: withGiftTab(
      lazyPart(() => import('./screens/classic/select-goods.tsx').then((module) => module.ClassicGoods)),
    ),
    [paths.recharge]: lazyPart(() => import('./screens/classic/recharge.tsx').then((module) => module.Recharge)),
    [paths.result]: lazyPart(() => import('./screens/classic/result.tsx').then((module) => module.Result)),
  },
};

/** Returns the place to go instead of one; null where it may be shown. */
function leadOn(version: Version, { path, search }: Place): Target | null {
  // Addresses that only lead on keep their query: /result?billing_no= opens the result over the goods.
  const leads: Partial<Record<string, Target['to']>> = redirects[version];
  const to = Object.hasOwn(leads, path) ? leads[path] : undefined;
  if (to) return { to, search };
  if (path.startsWith('/@')) return leadGame(path);
  const elsewhere = guardRegion(path, search);
  if (elsewhere) return { to: elsewhere, search: { domain_area: undefined } };
  // The gift tab is no step: it needs nothing that comes before.
  const isStep = version === 'classic' && !isGiftShown(path, search.tab);
  const step = isStep ? guardStep(path, search) : null;
  // A number without its page would open a result elsewhere.
  return step === null ? null : { to: step, search: { billing_no: undefined } };
}

/** `/@{code}`: on to the landing page with the game's client_id. @source specification section 2 */
function leadGame(path: string): Target | null {
  const clientId = clientOf(decode(path.slice(2)));
  return clientId === null ? null : { to: paths.home, search: { client_id: clientId } };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The client_id behind a code: the edition of that code, or a client_id itself; null for a game
 * that this brand does not have.
 */
function clientOf(code: string): string | null {
  for (const { client_id, sub_game } of readBoot().games) {
    const edition = Object.hasOwn(sub_game, code) ? sub_game[code] : undefined;
    const clients = [client_id, ...Object.values(sub_game).map((one) => one.client_id)];
    if (edition || clients.includes(code)) return edition?.client_id ?? code;
  }
  return null;
}

/** @param addresses those of a test; the browser's own by default */
export function createShopRouter(addresses?: AddressBook): Router {
  const { version, isVip } = readBoot().brand;
  const pages = PAGES_OF[version];
  // The VIP centre of a brand without the version flag is not found. @source specification section 5
  const isThere = (path: string) => Object.hasOwn(pages, path) && (path !== paths.userCenter || isVip);
  return createRouter(
    {
      pageOf: (path) => (isThere(path) && pages[path]) || NotFound,
      leadOn: (place) => leadOn(version, place),
      onMove: (from, to) => {
        if (version === 'classic') saveOrigin(originAfter(from, to, loadOrigin()));
      },
    },
    { extraKeys: { [paths.showError]: ['reason'], [paths.selectGoods]: ['tab'] }, ...(addresses && { addresses }) },
  );
}

/** The shop: the frame, and in it the page of the address. */
export function ShopPages({ router }: { router: Router }) {
  return (
    <RouterProvider router={router}>
      <Layout>
        <PageOfPath router={router} />
      </Layout>
    </RouterProvider>
  );
}

/** The forced banner of the game in use; few have one, so its code comes where there is a picture to show. */
function useForcedBanner(path: string): void {
  const config = useConfigInUse();
  useEffect(() => {
    if (!(NAVIGATED as readonly string[]).includes(path)) return;
    if (!config || Object.keys(config.banner_config).length === 0) return;
    return whenIdle(() => withSeldom((part) => part.offerBanner(config)));
  }, [config, path]);
}

const drawLost = ({ retry }: Lost) => <LostScreen reset={retry} />;

function PageOfPath({ router }: { router: Router }): ReactNode {
  const path = usePath();
  useForcedBanner(path);
  return (
    <Boundary key={path} fallback={drawLost}>
      <Suspense>{createElement(router.pageOf(path) ?? NotFound)}</Suspense>
    </Boundary>
  );
}
