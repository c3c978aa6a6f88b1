// The router: the addresses of both versions, what they lead on to, and the query keys that travel along.
import {
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
  retainSearchParams,
  type RouterHistory,
} from '@tanstack/react-router';
import type { Version } from '#contracts/documents.ts';
import { loadOrigin, saveOrigin } from './features/orders/unfinished/order-info.ts';
import { guardRegion, guardStep, originAfter } from './guard.ts';
import { CARRIED_KEYS, parseQuery, paths, readSearch, redirects, writeQuery } from './paths.ts';
import { readBoot } from './platform/boot.ts';
import { lazyPart } from './platform/lazy-part.ts';
import { Layout } from './screens/layout.tsx';
import { LostScreen } from './screens/lost-screen.tsx';
import { NotFound } from './screens/not-found.tsx';
import { SelectGoods } from './screens/select-goods.tsx';

function makeTree(version: Version) {
  const root = createRootRoute({
    validateSearch: readSearch,
    search: { middlewares: [retainSearchParams([...CARRIED_KEYS])] },
    component: Outlet,
    notFoundComponent: () => (
      <Layout>
        <NotFound />
      </Layout>
    ),
    beforeLoad: ({ location, search }) => {
      if (location.pathname in redirects[version] || location.pathname.startsWith('/@')) return;
      const elsewhere = guardRegion(location.pathname, search.domain_area);
      if (elsewhere)
        throw redirect({ to: elsewhere, search: { ...readSearch(search), domain_area: undefined }, replace: true });
      const step = version === 'classic' ? guardStep(location.pathname, search) : null;
      // A number without its page would open a result elsewhere.
      if (step) throw redirect({ to: step, search: { ...readSearch(search), billing_no: undefined }, replace: true });
    },
  });

  const layout = createRoute({ getParentRoute: () => root, id: 'layout', component: Layout });

  const page = { getParentRoute: () => layout } as const;

  const selectGoods = createRoute({
    ...page,
    path: paths.selectGoods,
    component:
      version === 'classic'
        ? lazyPart(() => import('./screens/classic/select-goods.tsx').then((module) => module.ClassicGoods))
        : SelectGoods,
  });

  const my = createRoute({
    ...page,
    path: paths.my,
    component: lazyPart(() => import('./screens/my.tsx').then((module) => module.My)),
  });

  const activity = createRoute({
    ...page,
    path: paths.activity,
    component: lazyPart(() => import('./screens/activity.tsx').then((module) => module.ActivityScreen)),
  });

  const userCenter = createRoute({
    ...page,
    path: paths.userCenter,
    component: lazyPart(() => import('./screens/not-open.tsx').then((module) => module.NotOpen)),
  });

  const certifiedReal = createRoute({
    ...page,
    path: paths.certifiedReal,
    component: lazyPart(() => import('./screens/not-open.tsx').then((module) => module.NotOpen)),
  });

  const notArea = createRoute({
    ...page,
    path: paths.notArea,
    component: lazyPart(() => import('./screens/not-area.tsx').then((module) => module.NotArea)),
  });

  const errorReplenish = createRoute({
    ...page,
    path: paths.errorReplenish,
    component: lazyPart(() => import('./screens/error-replenish.tsx').then((module) => module.ErrorReplenish)),
  });

  const showError = createRoute({
    ...page,
    path: paths.showError,
    validateSearch: (search: Record<string, unknown>): { reason?: string | undefined } =>
      typeof search.reason === 'string' ? { reason: search.reason } : {},
    component: lazyPart(() => import('./screens/show-error.tsx').then((module) => module.ShowError)),
  });

  /** `/@{code}`: on to the landing page with the game's client_id. @source specification section 2 */
  const gameCode = createRoute({
    getParentRoute: () => root,
    path: '/@{$code}',
    beforeLoad: ({ params, search }) => {
      const clientId = clientOf(params.code);
      if (clientId === null) throw notFound();
      throw redirect({
        to: paths.home,
        search: { ...readSearch(search), client_id: clientId },
        replace: true,
      });
    },
  });

  /** Of the classic version alone. @source specification section 2, "Old-version router" */
  const steps = [
    createRoute({
      ...page,
      path: paths.selectGame,
      component: lazyPart(() => import('./screens/classic/select-game.tsx').then((module) => module.SelectGame)),
    }),
    createRoute({
      ...page,
      path: paths.recharge,
      component: lazyPart(() => import('./screens/classic/recharge.tsx').then((module) => module.Recharge)),
    }),
    createRoute({
      ...page,
      path: paths.result,
      component: lazyPart(() => import('./screens/classic/result.tsx').then((module) => module.Result)),
    }),
    createRoute({
      ...page,
      path: paths.replenishGoods,
      component: lazyPart(() => import('./screens/error-replenish.tsx').then((module) => module.ErrorReplenish)),
    }),
  ] as const;

  /** Addresses that only lead on keep their query: /result?billing_no= opens the result over the goods. */
  const leads = Object.entries(redirects[version]).map(([from, to]) =>
    createRoute({
      getParentRoute: () => root,
      path: from,
      beforeLoad: ({ search }) => {
        throw redirect({ to, search: readSearch(search), replace: true });
      },
    }),
  );

  const pages = [selectGoods, my, activity, userCenter, certifiedReal, notArea, errorReplenish, showError] as const;
  const all = [...pages, ...steps] as const;
  // Its type is that of the classic version, which has every address of the new one.
  const own = version === 'classic' ? all : (pages as readonly unknown[] as typeof all);
  return root.addChildren([layout.addChildren(own), gameCode, ...leads]);
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

/** @param history a memory history for tests; the browser's own by default */
export function createShopRouter(history?: RouterHistory) {
  const { version } = readBoot().brand;
  const router = createRouter({
    routeTree: makeTree(version),
    parseSearch: parseQuery,
    stringifySearch: writeQuery,
    // Both write inline scripts, which the content policy refuses.
    scrollRestoration: false,
    defaultPreload: 'intent',
    defaultErrorComponent: LostScreen,
    trailingSlash: 'never',
    ...(history ? { history, isServer: false } : {}),
  });
  if (version === 'classic') {
    router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) =>
      saveOrigin(originAfter(fromLocation?.pathname, toLocation.pathname, loadOrigin())),
    );
  }
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createShopRouter>;
  }
}
