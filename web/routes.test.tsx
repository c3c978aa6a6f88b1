// Tests the pages of addresses, and the keys that travel with them.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import type { PageData } from '#contracts/boot.ts';
import type { Version } from '#contracts/documents.ts';
import { english } from '#testing/english.ts';
import { changeDraft, loadDraft, loadOrigin } from './features/orders/unfinished/order-info.ts';
import { parseQuery } from './paths.ts';
import { readBoot, setBoot } from './platform/boot.ts';
import { currentRegion } from './platform/region.ts';
import { t } from './platform/i18n.ts';
import { memoryAddresses } from './platform/router/history.ts';
import type { Router } from './platform/router/router.ts';
import { setUser } from './platform/visitor/session.ts';
import { appear, draw, press, serve, shownText, speak } from './platform/test-page.tsx';
import { react } from './platform/calls/reactions.ts';
import { connectReactions } from './reactions-of-page.ts';
import { createShopRouter, ShopPages } from './routes.tsx';

speak(english);

// Drawings come over the line, which no test has.
vi.mock('#web/ui/pictures/sprite.ts', () => ({ loadSprite: async () => undefined }));

beforeEach(() => {
  localStorage.clear();
  run('new');
});

// Before the next page's data come, which what was drawn would not understand.
afterEach(() => draw(null));

const aGame = { gp_id: 'gp', logo: '/x.svg', is_select_game: false, sub_game: {}, terms_link: '', privacy_link: '' };

/** A page of a brand of this version, with one game of three editions. */
function run(version: Version, isVip = false) {
  setBoot({
    brand: { backupOrigins: [] as string[], version, isVip },
    region: 'ja',
    regions: [
      { region: 'ja', name: 'Japan' },
      { region: 'sea', name: 'Asia' },
    ],
    games: [{ client_id: '70021', sub_game: { first: { client_id: '70021' }, nomads: { client_id: '70023' } } }],
  } as unknown as PageData);
  setUser(null);
}

const queryOf = (router: Router) => parseQuery(router.place.href.replace(/^[^?]*/, ''));

async function goTo(address: string) {
  const router = createShopRouter(memoryAddresses(address));
  await router.load();
  const { path } = router.place;
  return { path, search: queryOf(router), router };
}

async function isNotFound(router: Awaited<ReturnType<typeof goTo>>['router']): Promise<boolean> {
  await draw(<ShopPages router={router} />);
  return shownText().includes('This page may be missing or has the wrong URL.');
}

test.each([
  ['L26', '/', '/selectGoods'],
  ['L27', '/selectGame', '/selectGoods'],
  ['L28', '/layoutGame', '/selectGoods'],
  ['L28', '/layoutGame/selectGoods', '/selectGoods'],
  ['L28', '/layoutGame/activity', '/activity'],
  ['L28', '/activity', '/activity'],
  ['L29', '/my', '/my'],
  ['L30', '/userCenter', '/userCenter'],
  ['L31', '/result', '/selectGoods'],
  ['L33', '/errorReplenish', '/errorReplenish'],
  ['L33', '/notArea', '/notArea'],
  ['L33', '/certifiedReal', '/certifiedReal'],
  ['L33', '/showError', '/showError'],
])('%s %s leads to %s', async (_line, from, to) => {
  // The VIP centre is there for brands of the VIP version only.
  run('new', true);
  const { path, router } = await goTo(from);
  expect(path).toBe(to);
  expect(await isNotFound(router)).toBe(false);
});

test('L31 a result keeps its number on the way to the goods', async () => {
  const { path, search } = await goTo('/result?billing_no=01JD7&client_id=1&junk=2');
  expect([path, search]).toEqual(['/selectGoods', { billing_no: '01JD7', client_id: '1' }]);
});

test('L32 the code of an edition becomes its client_id, as a client_id does itself', async () => {
  expect((await goTo('/@nomads?utm_source=ad')).search).toEqual({ client_id: '70023', utm_source: 'ad' });
  const { path, search } = await goTo('/@70021');
  expect([path, search]).toEqual(['/selectGoods', { client_id: '70021' }]);
});

test.each(['/@no%20code', '/@nosuchcode', '/@70031', '/@constructor'])('L32 %s is not found', async (address) => {
  const { router } = await goTo(address);
  expect(await isNotFound(router)).toBe(true);
});

test('behind the short address of a game that is not sold here stand the games that are', async () => {
  const { router } = await goTo('/@nosuchcode?utm_source=ad');
  await draw(<ShopPages router={router} />, {
    games: [{ ...aGame, client_id: '70021', name: 'Starlane' }],
  });
  expect(document.querySelector('h1')?.textContent).toBe('Not Found');
  await press('Starlane');
  expect([router.place.path, queryOf(router)]).toEqual(['/selectGoods', { client_id: '70021', utm_source: 'ad' }]);
});

const support = 'https://help.example/';
test.each([
  ['/errorReplenish', ['Customer service', 'Back to home']],
  ['/showError?reason=network', ['Try again', 'Back to home']],
  ['/showError', ['Back to home']],
  ['/nothing', ['Back to home']],
])('%s has every way on, the footer and its own title', async (address, ways) => {
  const { router } = await goTo(address);
  await draw(null);
  await draw(<ShopPages router={router} />, {
    brand: { ...readBoot().brand, title: 'Watt', links: { ...readBoot().brand.links, support } },
  });
  const shown = [...document.querySelectorAll('main :is(a, button)')].map(({ textContent }) => textContent);
  expect(shown).toEqual(ways);
  expect(document.querySelector('footer')).not.toBeNull();
  expect(document.title).toBe(`${document.querySelector('h1')?.textContent} · Watt`);
});

test('a page of ours is found', async () => {
  const { router } = await goTo('/notArea');
  expect(await isNotFound(router)).toBe(false);
});

test('L34 any other path is not found, in the words of the specification, with a way home', async () => {
  const { router } = await goTo('/nothing');
  expect(await isNotFound(router)).toBe(true);
  expect(document.querySelector('h1')?.textContent).toBe('Not Found');
  const home = [...document.querySelectorAll('main a')].find(({ textContent }) => textContent === t('not_found.home'));
  expect(home?.getAttribute('href')).toBe('/');
});

test.each(['/my', '/notArea', '/nothing'])('in super mode %s says that it is a beta user’s', async (address) => {
  const { router } = await goTo(address);
  await draw(<ShopPages router={router} />, { isBeta: true });
  const bar = document.querySelector('header [role="status"]');
  expect(bar?.textContent).toContain('You see new items before everyone else.');
  // Nothing in it closes it.
  expect(bar?.querySelector('button')).toBeNull();
  await draw(<ShopPages router={router} />);
  expect(shownText()).not.toContain('You see new items before everyone else.');
});

test('query keys travel with a navigation, one put out stays behind', async () => {
  const { router } = await goTo('/selectGoods?client_id=1&idfv=7&billing_no=9');
  await router.navigate({ to: '/my', search: (search) => ({ ...search, billing_no: undefined }) });
  expect(queryOf(router)).toEqual({ client_id: '1', idfv: '7' });
});

test('ids stay text in the address', async () => {
  const { search } = await goTo('/selectGoods?server_id=0012&role_id=90071992547409931234');
  expect(search).toEqual({ server_id: '0012', role_id: '90071992547409931234' });
});

test('a region of the brand is kept', async () => {
  await goTo('/selectGoods?domain_area=sea');
  expect(currentRegion()).toBe('sea');
  // And found again without the address.
  await goTo('/selectGoods');
  expect(currentRegion()).toBe('sea');
});

test('a region of others is cleared and leads to where one is chosen', async () => {
  await goTo('/selectGoods?domain_area=sea');
  const { path, search } = await goTo('/selectGoods?domain_area=kr&client_id=1');
  expect([path, search]).toEqual(['/notArea', { client_id: '1' }]);
  expect(currentRegion()).toBeNull();
  expect(localStorage.length).toBe(0);
});

describe('the classic version', () => {
  const pair = { display: 'x', value: 'x' };
  const game = { clientId: '70021' };
  const choice = { ...game, goods: { ...pair, price: '1' }, role: pair };
  const player = { username: 'kestrel', suid: 's', oauth_token: 't', gp_id: '' } as UserInfo;

  beforeEach(() => run('classic'));

  test('L37 / leads to the choice of a game', async () => {
    expect((await goTo('/')).path).toBe('/selectGame');
    expect((await goTo('/?client_id=70023')).search).toEqual({ client_id: '70023' });
  });

  test('L38 the four steps and the make-up payment are pages', async () => {
    changeDraft({ ...choice, billing_no: '01JD7' });
    setUser(player);
    for (const path of ['/selectGame', '/selectGoods', '/recharge', '/result', '/replenishGoods'])
      expect((await goTo(path)).path).toBe(path);
  });

  test('L38 L199 /replenishGoods keeps its keys; without any it says that the link is wrong', async () => {
    serve({ '/api/replenishment/getGameList': { content: { list: [{ client_id: '70021', name: 'Starlane' }] } } });
    for (const query of ['', '?replenish_id=7', '?rp_client_id=70021']) {
      for (const version of ['classic', 'new'] as const) {
        run(version);
        const { router, path, search } = await goTo(`/replenishGoods${query}`);
        expect([path, search]).toEqual(['/replenishGoods', parseQuery(query)]);
        await draw(<ShopPages router={router} />);
        expect(shownText()).toContain(t(query === '' ? 'error_params.title' : 'replenish.login_title'));
        // @source specification section 2: the step bar "is hidden for some brands and for replenish" (L49)
        expect(document.querySelector('[class*=steps]')).toBeNull();
      }
    }
  });

  test.each([
    ['/layoutGame', '/selectGoods'],
    ['/layoutGame/selectGoods', '/selectGoods'],
    ['/layoutGame/activity', '/activity'],
    ['/my', '/my'],
    ['/userCenter', '/userCenter'],
    ['/activity', '/activity'],
    ['/notArea', '/notArea'],
    ['/errorReplenish', '/errorReplenish'],
    ['/certifiedReal', '/certifiedReal'],
    ['/showError', '/showError'],
    ['/@nomads', '/selectGame'],
  ])('L39 %s leads to %s', async (from, to) => {
    changeDraft(game);
    expect((await goTo(from)).path).toBe(to);
  });

  test('L36 a brand of the new version has none of it', async () => {
    run('new');
    changeDraft({ ...choice, billing_no: '01JD7' });
    setUser(player);
    expect(await isNotFound((await goTo('/recharge')).router)).toBe(true);
    expect((await goTo('/selectGame')).path).toBe('/selectGoods');
  });

  test('L42 the choice of a game is always allowed, other steps need what comes before', async () => {
    const steps = async () => {
      const paths = ['/selectGame', '/selectGoods', '/recharge', '/result'];
      return Promise.all(paths.map(async (path) => (await goTo(path)).path));
    };
    expect(await steps()).toEqual(['/selectGame', '/selectGame', '/selectGame', '/selectGame']);
    expect((await goTo('/recharge/')).path).toBe('/selectGame');
    changeDraft(game);
    expect(await steps()).toEqual(['/selectGame', '/selectGoods', '/selectGoods', '/selectGoods']);
    changeDraft(choice);
    // Nobody is logged in, so nobody receives it.
    expect(await steps()).toEqual(['/selectGame', '/selectGoods', '/selectGoods', '/selectGoods']);
    setUser(player);
    expect(await steps()).toEqual(['/selectGame', '/selectGoods', '/recharge', '/recharge']);
    changeDraft({ billing_no: '01JD7' });
    expect(await steps()).toEqual(['/selectGame', '/selectGoods', '/recharge', '/result']);
  });

  test('L42 a game of the address counts, and one of others does not', async () => {
    expect((await goTo('/selectGoods?client_id=70023')).path).toBe('/selectGoods');
    expect((await goTo('/selectGoods?client_id=99999')).path).toBe('/selectGame');
    changeDraft(choice);
    setUser(player);
    // A choice for one game is nothing in another.
    expect((await goTo('/recharge?client_id=70023')).path).toBe('/selectGoods');
  });

  test('L42 a result that may not be shown leaves its number behind', async () => {
    const { path, search } = await goTo('/result?billing_no=');
    expect([path, search]).toEqual(['/selectGame', {}]);
    expect((await goTo('/result?billing_no=01JD7')).search).toEqual({ billing_no: '01JD7' });
  });

  test('L191 a game that is lost on the way is told on the first page, where another one is chosen', async () => {
    const games = [
      { client_id: '70021', gp_id: '1', name: 'Starlane', logo: '/l.svg', sub_game: {}, is_select_game: false },
      { client_id: '70023', gp_id: '3', name: 'Pocket Pitch', logo: '/l.svg', sub_game: {}, is_select_game: false },
    ];
    serve({ '/api/pay/getGameListV2': { content: { list: games } } });
    changeDraft(choice);
    setUser(player);
    const { router } = await goTo('/recharge?idfv=7');
    expect(router.place.path).toBe('/recharge');
    connectReactions(router);
    react({ kind: 'code', name: 'noGame', code: -3001, msg: 'This game is not available.', content: null });
    await vi.waitFor(() => expect(router.place.path).toBe('/selectGame'));
    expect([loadDraft(), queryOf(router)]).toEqual([null, { idfv: '7' }]);
    await draw(<ShopPages router={router} />, { games: games as never });
    await appear('Pocket Pitch');
    await vi.waitFor(() => expect(shownText()).toContain('This game is not available here'));
    await press('Pocket Pitch');
    await vi.waitFor(() => expect(router.place.path).toBe('/selectGoods'));
    expect(queryOf(router)).toEqual({ client_id: '70023', idfv: '7' });
    expect(loadDraft()?.clientId).toBe('70023');
    await router.navigate({ to: '/selectGame' });
    await vi.waitFor(() => expect(shownText()).toContain('Which game do you play?'));
    expect(shownText()).not.toContain('This game is not available here');
  });

  test('L43 moving from Recharge to Result marks the origin', async () => {
    changeDraft({ ...choice, billing_no: '01JD7' });
    setUser(player);
    const { router } = await goTo('/my');
    await router.navigate({ to: '/result' });
    expect(loadOrigin()).toBe('');
    await router.navigate({ to: '/recharge' });
    await router.navigate({ to: '/result' });
    expect(loadOrigin()).toBe('Recharge');
    // A fresh page is a reload: the mark stays.
    await goTo('/result');
    expect(loadOrigin()).toBe('Recharge');
    expect(loadDraft()?.billing_no).toBe('01JD7');
  });

  test('L44 replenish_id and rp_client_id go along where they are missing', async () => {
    changeDraft({ ...choice, billing_no: '01JD7' });
    setUser(player);
    const { router } = await goTo('/?replenish_id=7&rp_client_id=70021');
    const keys = { replenish_id: '7', rp_client_id: '70021' };
    for (const to of ['/selectGoods', '/recharge', '/result', '/replenishGoods', '/my'] as const) {
      await router.navigate({ to });
      expect(queryOf(router)).toEqual(keys);
    }
    await router.navigate({ to: '/selectGame', search: { replenish_id: '8' } });
    expect(queryOf(router)).toEqual({ ...keys, replenish_id: '8' });
    // The guard's own redirects carry them as well.
    localStorage.clear();
    await router.navigate({ to: '/recharge' });
    expect(router.place.path).toBe('/selectGame');
    expect(queryOf(router)).toEqual({ ...keys, replenish_id: '8' });
  });

  test('L45 the other keys of a visit travel from step to step', async () => {
    changeDraft(choice);
    setUser(player);
    const visit = { client_id: '70021', idfv: '7', utm_source: 'ad', spec_lang: 'en', utm_pay: 'kf' };
    const { router } = await goTo(`/?${new URLSearchParams(visit)}&junk=1`);
    for (const to of ['/selectGoods', '/recharge', '/my'] as const) await router.navigate({ to });
    expect(queryOf(router)).toEqual(visit);
  });
});

test('L30 L134 the VIP centre has an address, not found without the VIP version flag', async () => {
  for (const version of ['new', 'classic'] as const) {
    run(version, true);
    const { pageOf } = (await goTo('/userCenter')).router;
    expect(pageOf('/userCenter')).not.toBe(pageOf('/nothing'));
    run(version);
    expect(await isNotFound((await goTo('/userCenter')).router)).toBe(true);
  }
});
