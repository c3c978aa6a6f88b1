// The router: the addresses of the new version, what they lead on to, and the query keys that travel along.
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
import { GAME_CODE_PATTERN } from '#contracts/documents.ts';
import { guardRegion } from './guard.ts';
import { CARRIED_KEYS, parseQuery, paths, readSearch, redirects, writeQuery } from './paths.ts';
import { readBoot } from './platform/boot.ts';
import { lazyPart } from './platform/lazy-part.ts';
import { Layout } from './screens/layout.tsx';
import { LostScreen } from './screens/lost-screen.tsx';
import { NotFound } from './screens/not-found.tsx';
import { SelectGoods } from './screens/select-goods.tsx';

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
    if (location.pathname in redirects || location.pathname.startsWith('/@')) return;
    const elsewhere = guardRegion(location.pathname, search.domain_area);
    if (elsewhere)
      throw redirect({ to: elsewhere, search: { ...readSearch(search), domain_area: undefined }, replace: true });
  },
});

const layout = createRoute({ getParentRoute: () => root, id: 'layout', component: Layout });

const page = { getParentRoute: () => layout } as const;

const selectGoods = createRoute({ ...page, path: paths.selectGoods, component: SelectGoods });

const my = createRoute({
  ...page,
  path: paths.my,
  component: lazyPart(() => import('./screens/my.tsx').then((module) => module.My)),
});

const activity = createRoute({
  ...page,
  path: paths.activity,
  component: lazyPart(() => import('./screens/not-open.tsx').then((module) => module.NotOpen)),
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
    if (!GAME_CODE_PATTERN.test(params.code)) throw notFound();
    throw redirect({
      to: paths.home,
      search: { ...readSearch(search), client_id: clientOf(params.code) },
      replace: true,
    });
  },
});

/** The client_id behind a code: the edition of that code, else the code is the client_id. */
function clientOf(code: string): string {
  const game = readBoot().games.find((one) => Object.hasOwn(one.sub_game, code));
  return game?.sub_game[code]?.client_id ?? code;
}

/** Addresses that only lead on keep their query: /result?billing_no= opens the result over the goods. */
const leads = Object.entries(redirects).map(([from, to]) =>
  createRoute({
    getParentRoute: () => root,
    path: from,
    beforeLoad: ({ search }) => {
      throw redirect({ to, search: readSearch(search), replace: true });
    },
  }),
);

const tree = root.addChildren([
  layout.addChildren([selectGoods, my, activity, userCenter, certifiedReal, notArea, errorReplenish, showError]),
  gameCode,
  ...leads,
]);

/** @param history a memory history for tests; the browser's own by default */
export function createShopRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: tree,
    parseSearch: parseQuery,
    stringifySearch: writeQuery,
    // Both write inline scripts, which the content policy refuses.
    scrollRestoration: false,
    defaultPreload: 'intent',
    defaultErrorComponent: LostScreen,
    trailingSlash: 'never',
    ...(history ? { history, isServer: false } : {}),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createShopRouter>;
  }
}
