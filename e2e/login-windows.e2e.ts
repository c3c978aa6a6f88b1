// Logins by other identities in a real browser, with the headers that production sends: windows,
// messages, redirects, Apple's form.
import type { Page } from '@playwright/test';
import { expect, test } from './flow.ts';

const CLIENT = '70021';
const AUTH = {
  google: 'google_auth',
  ios: 'apple_auth',
  facebook: 'facebook_auth',
  twitter: 'twitter_auth',
  vk: 'vk_auth',
  huawei: 'huawei_auth',
} as const;
type Kind = keyof typeof AUTH;
const KINDS = Object.keys(AUTH) as Kind[];

/** Calls as the page's own code does: our header, JSON, same origin. */
function post(page: Page, path: string, body: object): Promise<{ code: number; content: Record<string, string> }> {
  return page.evaluate(
    async ([to, sent]) => {
      const answer = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-refill': '1' },
        body: JSON.stringify(sent),
      });
      return (await answer.json()) as never;
    },
    [path, body] as const,
  );
}

const begin = async (page: Page, kind: Kind, more: object = {}) =>
  (await post(page, '/util/login/start', { kind, client_id: CLIENT, ...more })).content;

/** Opens the provider's window and waits for one message, by the way that is asked for; answers it as the page must. */
function listen(
  page: Page,
  url: string,
  way: 'opener' | 'channel',
): Promise<{ state: string; error: string | null; fields: Record<string, string> }> {
  return page.evaluate(
    ([address, by]) =>
      new Promise((resolve) => {
        const channel = new BroadcastChannel('refill-login');
        // A window without an opener is what is left when the provider's page cuts the tie.
        const popup = window.open(address, '_blank', by === 'channel' ? 'noopener' : 'popup');
        window.addEventListener('message', (event) => {
          if (by !== 'opener' || event.origin !== location.origin || event.source !== popup) return;
          popup?.postMessage({ type: 'refill-login-heard', state: event.data.state }, location.origin);
          resolve(event.data as never);
        });
        channel.addEventListener('message', ({ data }) => {
          if (by !== 'channel' || data.type !== 'refill-login') return;
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it is of one origin
          channel.postMessage({ type: 'refill-login-heard', state: data.state });
          resolve(data as never);
        });
      }),
    [url, way] as const,
  );
}

async function signIn(popup: Page, name: string): Promise<void> {
  await popup.getByLabel('Name').fill(name);
  await popup.getByRole('button', { name: 'Continue' }).click();
}

const whoIs = async (page: Page) =>
  page.evaluate(
    async () =>
      (
        (await (await fetch('/util/login/get_user_info?client_id=70021')).json()) as {
          content: { username: string } | null;
        }
      ).content,
  );

for (const kind of KINDS) {
  // Of the short run: Apple, which answers by a form, X with its OAuth 1, and VK with a code of its own.
  const later = kind === 'ios' || kind === 'twitter' || kind === 'vk' ? [] : ['@thorough'];
  test(
    `${kind}: a window tells its opener and closes`,
    { tag: ['@desktop', ...later] },
    async ({ shopPage, context }) => {
      const { page } = shopPage;
      await shopPage.open('/');
      const { url = '', state } = await begin(page, kind);
      const opening = context.waitForEvent('page');
      const message = listen(page, url, 'opener');
      const popup = await opening;
      const closed = popup.waitForEvent('close');
      await signIn(popup, 'Grace Hopper');
      const { fields, error, state: came } = await message;
      expect({ error, came }).toEqual({ error: null, came: state });
      await closed;
      expect(await whoIs(page)).toBeNull();
      expect((await post(page, `/util/login/${AUTH[kind]}`, fields)).code).toBe(1);
      expect((await whoIs(page))?.username).toMatch(kind === 'ios' ? /^Player/ : 'Grace Hopper');
    },
  );

  test(`${kind}: the whole page goes and comes back logged in`, { tag: ['@phone', ...later] }, async ({ shopPage }) => {
    const { page } = shopPage;
    await shopPage.open('/');
    const { url = '' } = await begin(page, kind, { display: 'page', return_to: `/my?client_id=${CLIENT}` });
    await page.goto(url);
    await signIn(page, 'Mary Jackson');
    await page.waitForURL(/\/my\?client_id=70021$/);
    expect((await whoIs(page))?.username).toMatch(kind === 'ios' ? /^Player/ : 'Mary Jackson');
  });
}

test('a window whose opener was cut off is heard all the same', { tag: '@desktop' }, async ({ shopPage, context }) => {
  const { page } = shopPage;
  await shopPage.open('/');
  const { url = '' } = await begin(page, 'google');
  const opening = context.waitForEvent('page');
  const message = listen(page, url, 'channel');
  const popup = await opening;
  await signIn(popup, 'Cut Off');
  expect((await post(page, '/util/login/google_auth', (await message).fields)).code).toBe(1);
});

test('a window that nobody hears finishes by itself', { tag: '@desktop' }, async ({ shopPage, context }) => {
  const { page } = shopPage;
  await shopPage.open('/');
  const { url = '' } = await begin(page, 'vk', { return_to: '/my' });
  const popup = await context.newPage();
  await popup.goto(url);
  await signIn(popup, 'Unheard');
  // No earlier than a page that listens has had its time.
  await popup.waitForURL(/\/my/, { timeout: 15_000 });
  // The first page starts again by itself, as after a login in any other tab.
  expect((await whoIs(popup))?.username).toBe('Unheard');
});

test('Cancel and a login that fails come back with a word in the address', { tag: '@phone' }, async ({ shopPage }) => {
  const { page } = shopPage;
  await shopPage.open('/');
  for (const kind of KINDS) {
    const { url = '' } = await begin(page, kind, { display: 'page', return_to: '/my' });
    await page.goto(url);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/my\?.*login_result=cancelled/);
  }
  const { url = '' } = await begin(page, 'huawei', { display: 'page', return_to: '/my' });
  await page.context().clearCookies({ name: 'refill-demo-login' });
  await page.goto(url);
  await signIn(page, 'Another Browser');
  await page.waitForURL(/\/my\?.*login_result=failed/);
  expect(await whoIs(page)).toBeNull();
});
