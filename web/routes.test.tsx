// Where addresses lead, and what travels with them.
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PageData } from '#contracts/boot.ts';
import { english } from '#testing/english.ts';
import { parseQuery } from './paths.ts';
import { setBoot } from './platform/boot.ts';
import { currentRegion } from './platform/region.ts';
import { draw, shownText, speak } from './platform/test-page.tsx';
import { createShopRouter } from './routes.tsx';

speak(english);

// Drawings come over the line, which no test has.
vi.mock('#web/ui/sprite.ts', () => ({ loadSprite: async () => undefined }));

beforeEach(() => {
  localStorage.clear();
  setBoot({
    brand: { backupHosts: [] as string[] },
    region: 'ja',
    regions: [
      { region: 'ja', name: 'Japan' },
      { region: 'sea', name: 'Asia' },
    ],
    games: [{ client_id: '70020', sub_game: { nomads: { client_id: '70023' } } }],
  } as unknown as PageData);
});

async function goTo(address: string) {
  const router = createShopRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  const { pathname, searchStr } = router.state.location;
  return { path: pathname, search: parseQuery(searchStr), router };
}

async function isNotFound(router: Awaited<ReturnType<typeof goTo>>['router']): Promise<boolean> {
  await draw(<RouterProvider router={router} />);
  return shownText().includes('This page may be missing or has the wrong URL.');
}

test.each([
  ['/', '/selectGoods'],
  ['/selectGame', '/selectGoods'],
  ['/layoutGame', '/selectGoods'],
  ['/layoutGame/selectGoods', '/selectGoods'],
  ['/layoutGame/activity', '/activity'],
  ['/result', '/selectGoods'],
  ['/my', '/my'],
  ['/userCenter', '/userCenter'],
  ['/activity', '/activity'],
  ['/notArea', '/notArea'],
  ['/errorReplenish', '/errorReplenish'],
  ['/certifiedReal', '/certifiedReal'],
  ['/showError', '/showError'],
])('%s leads to %s', async (from, to) => {
  expect((await goTo(from)).path).toBe(to);
});

test('a result keeps its number on the way to the goods', async () => {
  const { path, search } = await goTo('/result?billing_no=01JD7&client_id=1&junk=2');
  expect([path, search]).toEqual(['/selectGoods', { billing_no: '01JD7', client_id: '1' }]);
});

test('L32 the code of an edition becomes its client_id, as a client_id does itself', async () => {
  expect((await goTo('/@nomads?utm_source=ad')).search).toEqual({ client_id: '70023', utm_source: 'ad' });
  const { path, search } = await goTo('/@70020');
  expect([path, search]).toEqual(['/selectGoods', { client_id: '70020' }]);
});

test.each(['/@no%20code', '/@nosuchcode', '/@70031', '/@constructor'])('L32 %s is not found', async (address) => {
  const { router } = await goTo(address);
  expect(await isNotFound(router)).toBe(true);
});

test('a page of ours is found', async () => {
  const { router } = await goTo('/notArea');
  expect(await isNotFound(router)).toBe(false);
});

test('any other path is not found', async () => {
  const { router } = await goTo('/nothing');
  expect(await isNotFound(router)).toBe(true);
});

test.each(['/my', '/notArea', '/nothing'])('in super mode %s says that it is a beta user’s', async (address) => {
  const { router } = await goTo(address);
  await draw(<RouterProvider router={router} />, { isBeta: true });
  const bar = document.querySelector('header [role="status"]');
  expect(bar?.textContent).toContain('You see new items before everyone else.');
  // Nothing in it closes it.
  expect(bar?.querySelector('button')).toBeNull();
  await draw(<RouterProvider router={router} />);
  expect(shownText()).not.toContain('You see new items before everyone else.');
});

test('query keys travel with a navigation, one put out stays behind', async () => {
  const { router } = await goTo('/selectGoods?client_id=1&idfv=7&billing_no=9');
  await router.navigate({ to: '/my', search: (search) => ({ ...search, billing_no: undefined }) });
  expect(parseQuery(router.state.location.searchStr)).toEqual({ client_id: '1', idfv: '7' });
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
