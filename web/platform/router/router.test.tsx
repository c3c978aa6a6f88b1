// The router by itself: what travels, who wins when two navigations overlap, links, back and forward.
import { expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { draw, find, settle, shownText, speak } from '../test-page.tsx';
import { memoryAddresses } from './history.ts';
import { createRouter, type Page } from './router.ts';
import { Link, RouterProvider, usePath, useSearch } from './Router.tsx';

speak(english);

/** A page whose code comes when the test says so. */
function latePage() {
  let arrive = () => {};
  const coming = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const page: Page = () => null;
  page.preload = vi.fn<() => Promise<void>>(() => coming);
  return { page, arrive };
}

function open(start: string, pages: Record<string, Page> = {}) {
  const addresses = memoryAddresses(start);
  const router = createRouter(
    {
      pageOf: (path) => pages[path] ?? null,
      leadOn: ({ path, search }) => (path === '/' ? { to: '/selectGoods', search } : null),
    },
    { addresses, extraKeys: { '/showError': ['reason'] } },
  );
  return { addresses, router };
}

test('the address keeps our keys alone, one slash in front and none behind', async () => {
  for (const start of ['//my/?idfv=7&junk=1', '/my?idfv=7', '/my/?idfv=7&idfv=7']) {
    const { addresses, router } = open(start);
    await router.load();
    expect(addresses.read()).toBe('/my?idfv=7');
    expect(router.place.path).toBe('/my');
  }
});

test('a key of one page stays on that page', async () => {
  const { addresses, router } = open('/showError?reason=network&idfv=7');
  await router.load();
  expect(router.place.search).toEqual({ reason: 'network', idfv: '7' });
  await router.navigate({ to: '/my' });
  expect(addresses.read()).toBe('/my?idfv=7');
});

test('back to a page that leads on to the one before it goes to that one: the next press is not in vain', async () => {
  const { addresses, router } = open('/my');
  for (const href of ['/selectGoods', '/', '/activity']) addresses.push(href);
  await router.load();
  addresses.back();
  await vi.waitFor(() => expect(router.place.path).toBe('/selectGoods'));
  addresses.back();
  await vi.waitFor(() => expect(router.place.path).toBe('/my'));
});

test('what leads in a circle ends', async () => {
  const addresses = memoryAddresses('/my');
  const router = createRouter(
    { pageOf: () => null, leadOn: ({ path }) => ({ to: path === '/my' ? '/activity' : '/my' }) },
    { addresses },
  );
  await router.load();
  expect(['/my', '/activity']).toContain(router.place.path);
});

test('the page before stays until the code of the next is there; the last navigation wins', async () => {
  const slow = latePage();
  const { addresses, router } = open('/selectGoods', { '/my': slow.page });
  await router.load();
  const first = router.navigate({ to: '/my' });
  expect([addresses.read(), router.place.path]).toEqual(['/my', '/selectGoods']);
  await router.navigate({ to: '/activity' });
  slow.arrive();
  await first;
  expect([addresses.read(), router.place.path]).toEqual(['/activity', '/activity']);
});

test('a navigation begins at the address, also while its page is still on the way', async () => {
  const slow = latePage();
  const { router, addresses } = open('/selectGoods?idfv=7', { '/my': slow.page });
  await router.load();
  void router.navigate({ to: '/my', search: { client_id: '1' } });
  void router.navigate({ to: '.', search: (before) => ({ ...before, role_id: 'r' }), replace: true });
  expect(addresses.read()).toBe('/my?client_id=1&role_id=r&idfv=7');
});

test('back leads to the page before, and runs its guard', async () => {
  const { router, addresses } = open('/selectGoods');
  await router.load();
  await router.navigate({ to: '/my' });
  await router.navigate({ to: '/activity', replace: true });
  addresses.back();
  await settle();
  expect(router.place.path).toBe('/selectGoods');
});

test('the same address is no new entry', async () => {
  const { router, addresses } = open('/selectGoods?idfv=7');
  await router.load();
  const push = vi.spyOn(addresses, 'push');
  await router.navigate({ to: '/selectGoods' });
  await router.navigate({ to: '/' });
  expect(push).not.toHaveBeenCalled();
});

function Shown() {
  return <p>{`${usePath()} ${useSearch().idfv ?? ''}`}</p>;
}

test('a link shows where it leads, fetches the page when reached for, and leaves other tabs to the browser', async () => {
  const slow = latePage();
  const { router, addresses } = open('/selectGoods?idfv=7&billing_no=B1', { '/my': slow.page });
  await router.load();
  await draw(
    <RouterProvider router={router}>
      <Shown />
      <Link to="/my" search={(before) => ({ ...before, billing_no: undefined })} className="way">
        My
      </Link>
    </RouterProvider>,
  );
  const link = find('My');
  expect([link.getAttribute('href'), link.className]).toEqual(['/my?idfv=7', 'way']);
  link.focus();
  expect(slow.page.preload).toHaveBeenCalled();
  const press = (more: MouseEventInit) => {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...more });
    // happy-dom would follow the link.
    addEventListener('click', (one) => one.preventDefault(), { once: true });
    link.dispatchEvent(event);
  };
  for (const other of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }]) press(other);
  expect(addresses.read()).toBe('/selectGoods?idfv=7&billing_no=B1');
  press({});
  slow.arrive();
  await settle();
  expect(addresses.read()).toBe('/my?idfv=7');
  expect(shownText()).toContain('/my 7');
});
