// Tests that frame and pages show the game in use, also where the page came with another one.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import type { GameListItem, PageConfig } from '#contracts/games.ts';
import { english } from '#testing/english.ts';
import { clearBanner } from './features/banner/open.ts';
import { CountryPicker } from './features/catalogue/CountryPicker.tsx';
import { useGames } from './features/games/queries.ts';
import { rememberGame } from './features/games/memory.ts';
import { memoryAddresses } from './platform/router/history.ts';
import { RouterProvider } from './platform/router/Router.tsx';
import { readBoot } from './platform/boot.ts';
import { setUser } from './platform/visitor/session.ts';
import { appear, draw, press, serve, settle, shownText, speak } from './platform/test-page.tsx';
import { keepRegion } from './platform/region.ts';
import { createShopRouter, ShopPages } from './routes.tsx';
import { Layout } from './screens/layout.tsx';
import { SelectGoods } from './screens/select-goods.tsx';

speak(english);
vi.mock('#web/ui/pictures/sprite.ts', () => ({ loadSprite: async () => undefined }));
beforeEach(() => localStorage.clear());
afterEach(() => draw(null));

const user: UserInfo = { username: 'wolf', suid: 'u1', oauth_token: 'public-1', gp_id: '2' };
const game = (client_id: string) =>
  ({
    client_id,
    gp_id: client_id,
    name: client_id,
    logo: '/x.svg',
    hero: null,
    sub_game: {},
  }) as unknown as GameListItem;
const config = (hasEvents: boolean, language_config: string, banner_config: PageConfig['banner_config'] = {}) =>
  ({
    language_config,
    area_config: { is_area_role: false },
    cumulative_config: { is_has_cumulative: hasEvents },
    continue_config: { is_has_continue: false },
    daily_config: { is_has_daily: false },
    banner_config,
  }) as unknown as PageConfig;

async function open(version: 'new' | 'classic', address: string, page = <p>page</p>) {
  await draw(null);
  const data = {
    brand: { ...readBoot().brand, version, languages: ['en', 'ja', 'de'] as ('en' | 'ja' | 'de')[] },
    games: [game('1'), game('2')],
    clientId: '1',
    pageConfig: config(false, 'en,de'),
    user,
  };
  await draw(null, data);
  setUser(user);
  const calls = serve({
    '/api/config/recharge': { content: config(true, 'en,ja') },
    '/util/login/get_user_info': { content: user },
    '/api/system/allRoleList': { content: { list: [] } },
    '/api/cumulative/status': { content: { list: [] } },
  });
  const router = createShopRouter(memoryAddresses(address));
  await router.load();
  await draw(
    <RouterProvider router={router}>
      <Layout>{page}</Layout>
    </RouterProvider>,
    data,
  );
  return { router, calls };
}

const hasEvent = () => document.querySelector('a[href*="/activity"]') !== null;
const languages = () => [...document.querySelectorAll('header option')].map((one) => one.getAttribute('value'));

test.each(['new', 'classic'] as const)('L50 L78 entry and languages are of the game in use, %s', async (version) => {
  const { router } = await open(version, '/selectGoods?client_id=1');
  expect([hasEvent(), languages()]).toEqual([false, ['en', 'de']]);
  await router.navigate({ to: '.', search: (before) => ({ ...before, client_id: '2' }) });
  await settle();
  expect([hasEvent(), languages()]).toEqual([true, ['en', 'ja']]);
});

test('L50 on My the game is the one that was chosen before', async () => {
  rememberGame('2');
  await open('new', '/my');
  expect([hasEvent(), languages()]).toEqual([true, ['en', 'ja']]);
});

test('L82 the event for a total of the game in use shows itself', async () => {
  const { router, calls } = await open('new', '/selectGoods?client_id=1', <SelectGoods />);
  const asked = () =>
    calls.filter(({ path }) => path === '/api/cumulative/status').map(({ fields }) => fields['client_id']);
  expect(asked()).toEqual([]);
  await router.navigate({ to: '.', search: (before) => ({ ...before, client_id: '2' }) });
  // Asked for when the page is at rest, or after two seconds.
  await settle(2600);
  expect(asked()).toEqual(['2']);
});

test('L55 the forced banner is of the game in use', async () => {
  await draw(null);
  clearBanner();
  const banner = (picture_address: string) => ({ en: [{ picture_address }] });
  const data = { games: [game('1'), game('2')], clientId: '1', pageConfig: config(false, 'en'), user: null };
  const place = { region: 'ja', regions: [{ region: 'ja', name: 'Japan' }] };
  await draw(null, { ...data, ...place });
  keepRegion('ja');
  serve({ '/api/config/recharge': { content: config(false, 'en', banner('/second.png')) } });
  const router = createShopRouter(memoryAddresses('/my?client_id=1'));
  await router.load();
  await draw(<ShopPages router={router} />, { ...data, ...place });
  await settle(2600);
  const pictures = () => [...document.querySelectorAll('[aria-roledescription="carousel"] img')];
  expect(pictures()).toEqual([]);
  await router.navigate({ to: '.', search: (before) => ({ ...before, client_id: '2' }) });
  await settle(3200);
  expect(pictures().map((one) => one.getAttribute('src'))).toEqual(['/second.png']);
});

function Cheapest() {
  return useGames('universal').data?.list.map(({ name, from_shown }) => <i key={name}>{`${name} ${from_shown}`}</i>);
}

test('another country has other lowest prices in the list of games', async () => {
  const market = (country: string, display: string) => ({
    region: 'universal',
    country,
    display,
    currency: 'USD',
    currency_shown: 'money',
  });
  const at = (from_shown: string) => [{ ...game('1'), from_shown }];
  const calls = serve({
    '/api/config/markets': { content: { list: [market('US', 'United States'), market('BR', 'Brazil')] } },
    '/api/pay/getGameListV2': { content: { list: at('R$4,90') } },
  });
  const shown = (
    <>
      <CountryPicker />
      <Cheapest />
    </>
  );
  await draw(null);
  await draw(shown, { region: 'universal', country: 'US', hasMarkets: true, games: at('$0.99') });
  keepRegion('universal');
  await settle();
  expect(shownText()).toContain('1 $0.99');
  await press('United States');
  await appear('United States', 'li button');
  await press('Brazil');
  await settle();
  expect(shownText()).toContain('1 R$4,90');
  expect(calls.filter(({ path }) => path.includes('GameList')).map(({ fields }) => fields['country'])).toEqual(['BR']);
});
