// The router: the addresses of both versions, what they lead on to, and the query keys that travel along.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  retainSearchParams,
  type RouterHistory,
} from '@tanstack/react-router';
import { GAME_CODE_PATTERN, type Version } from '#contracts/documents.ts';
import { loadOrigin, saveOrigin } from './features/orders/order-info.ts';
import { guardRegion, guardStep, originAfter } from './guard.ts';
import { CARRIED_KEYS, parseQuery, paths, readSearch, redirects, writeQuery } from './paths.ts';
import { readBoot } from './platform/boot.ts';
import { Layout } from './screens/layout.tsx';
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
        ? lazyRouteComponent(() => import('./screens/classic/select-goods.tsx'), 'ClassicGoods')
        : SelectGoods,
  });

  const my = createRoute({
    ...page,
    path: paths.my,
    component: lazyRouteComponent(() => import('./screens/my.tsx'), 'My'),
  });

  const activity = createRoute({
    ...page,
    path: paths.activity,
    component: lazyRouteComponent(() => import('./screens/not-open.tsx'), 'NotOpen'),
  });

  const userCenter = createRoute({
    ...page,
    path: paths.userCenter,
    component: lazyRouteComponent(() => import('./screens/not-open.tsx'), 'NotOpen'),
  });

  const certifiedReal = createRoute({
    ...page,
    path: paths.certifiedReal,
    component: lazyRouteComponent(() => import('./screens/not-open.tsx'), 'NotOpen'),
  });

  const notArea = createRoute({
    ...page,
    path: paths.notArea,
    component: lazyRouteComponent(() => import('./screens/not-area.tsx'), 'NotArea'),
  });

  const errorReplenish = createRoute({
    ...page,
    path: paths.errorReplenish,
    component: lazyRouteComponent(() => import('./screens/error-replenish.tsx'), 'ErrorReplenish'),
  });

  const showError = createRoute({
    ...page,
    path: paths.showError,
    validateSearch: (search: Record<string, unknown>): { reason?: string | undefined } =>
      typeof search.reason === 'string' ? { reason: search.reason } : {},
    component: lazyRouteComponent(() => import('./screens/show-error.tsx'), 'ShowError'),
  });

  /** `/@{code}`: on to the landing page with the game's client_id. @source specification section 2 */
  const gameCode = createRoute({
    getParentRoute: () => root,
    path: '/@{$code}',
    beforeLoad: ({ params, search }) => {
      if (!GAME_CODE_PATTERN.test(params.code)) throw notFound();
      throw redirect({
        to: paths.home,
        search: { ...readSearch(search), client_id: clientOf(params.code) },
        replace: true,
      });
    },
  });

  /** Of the classic version alone. @source specification section 2, "Old-version router" */
  const steps = [
    createRoute({
      ...page,
      path: paths.selectGame,
      component: lazyRouteComponent(() => import('./screens/classic/select-game.tsx'), 'SelectGame'),
    }),
    createRoute({
      ...page,
      path: paths.recharge,
      component: lazyRouteComponent(() => import('./screens/classic/recharge.tsx'), 'Recharge'),
    }),
    createRoute({
      ...page,
      path: paths.result,
      component: lazyRouteComponent(() => import('./screens/classic/result.tsx'), 'Result'),
    }),
    createRoute({
      ...page,
      path: paths.replenishGoods,
      component: lazyRouteComponent(() => import('./screens/error-replenish.tsx'), 'ErrorReplenish'),
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

/** The client_id behind a code: the edition of that code, else the code is the client_id. */
function clientOf(code: string): string {
  const game = readBoot().games.find((one) => Object.hasOwn(one.sub_game, code));
  return game?.sub_game[code]?.client_id ?? code;
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
