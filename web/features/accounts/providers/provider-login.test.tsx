// Logins by other companies in a document: which buttons there are, what a press does, whom the page believes.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LoginConfig } from '#contracts/accounts.ts';
import { LOGIN_CHANNEL } from '#contracts/login-window.ts';
import { english } from '#testing/english.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { currentUser, setUser } from '#web/platform/visitor/session.ts';
import { type Canned, draw, find, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { LoginPopup } from '#web/features/accounts/login/LoginPopup.tsx';
import { BLANK_CONFIG } from './providers.ts';

speak(english);

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Mobile Safari/537.36';
const FACEBOOK_APP = `${CHROME.replace('K)', 'K; wv)')} [FB_IAB/FB4A;FBAV/488.0.0.62.79;]`;
const STATE = 'S'.repeat(43);
const user = { username: 'kestrel', suid: 's', oauth_token: 'public-id', gp_id: 'gp1' };
const config: LoginConfig = {
  ...BLANK_CONFIG,
  gg_id: 'g',
  fb_id: 'f',
  json_type: ['google', 'ios', 'facebook'],
};
const begun = { url: 'https://accounts.example/auth', state: STATE, redirect_uri: 'x' };
const answers: Record<string, Canned> = {
  '/util/login/login_config': { content: config },
  '/util/login/start': { content: begun },
  '/util/login/google_auth': { content: user },
};

/** The provider's window, as far as the page can see it. */
const fakeWindow = () => ({
  closed: false,
  document: document.implementation.createHTMLDocument(),
  location: { replace: vi.fn<(url: string) => void>() },
  close: vi.fn<() => void>(),
  postMessage: vi.fn<(data: unknown, options: { targetOrigin: string }) => void>(),
});
let opened: ReturnType<typeof fakeWindow> | null;
let agent = CHROME;
const assign = vi.fn<(url: string | URL) => void>();
const reload = vi.fn<() => void>();

beforeEach(() => {
  localStorage.clear();
  agent = CHROME;
  opened = fakeWindow();
  vi.spyOn(window, 'open').mockImplementation(() => opened as unknown as Window);
  vi.spyOn(navigator, 'userAgent', 'get').mockImplementation(() => agent);
  vi.spyOn(location, 'assign').mockImplementation(assign);
  reload.mockReset();
  assign.mockReset();
});
afterEach(() => {
  setUser(null);
  vi.restoreAllMocks();
});

async function open(more: Record<string, Canned> = {}) {
  const calls = serve({ ...answers, ...more });
  await draw(<p>shop</p>);
  openPopup(LoginPopup, { clientId: '1001', onDone: undefined, reload });
  await settle();
  return calls;
}

const word = (more: object = {}) => ({
  type: 'refill-login',
  kind: 'google',
  state: STATE,
  error: null,
  fields: { authorization_code: 'c', state: STATE },
  ...more,
});

async function say(
  data: unknown,
  { origin = location.origin, source = opened }: { origin?: string; source?: unknown } = {},
) {
  const event = new MessageEvent('message', { data, origin });
  Object.defineProperty(event, 'source', { value: source });
  dispatchEvent(event);
  await settle();
}

test('the buttons are those of the configuration', async () => {
  await open();
  for (const name of ['Google', 'Apple', 'Facebook']) expect(find(name, '[role=group] button')).toBeTruthy();
  expect(shownText()).not.toContain('Huawei');
});

test('without a configuration there is no button, and it is told quietly', async () => {
  await open({ '/util/login/login_config': { name: 'unavailable' } });
  expect(document.querySelector('[role=group]')).toBeNull();
  expect(shownText()).toContain('Other ways to log in did not load.');
  expect(shownText()).not.toContain('says unavailable');
  serve(answers);
  await press('Try again');
  expect(find('Google', '[role=group] button')).toBeTruthy();
});

test('a press opens a window before anything is asked, and sends it to the provider', async () => {
  const calls = await open();
  find('Google', '[role=group] button').click();
  expect(window.open).toHaveBeenCalledOnce();
  expect(opened?.location.replace).not.toHaveBeenCalled();
  await settle();
  expect(calls.find(({ path }) => path === '/util/login/start')?.fields).toMatchObject({
    kind: 'google',
    client_id: '1001',
    purpose: 'login',
    display: 'popup',
  });
  expect(opened?.location.replace).toHaveBeenCalledWith(begun.url);
  expect(shownText()).toContain('Continue in the Google window');
});

test('a view with one window, which answers the page itself, goes to the provider as a whole', async () => {
  opened = window as never;
  const calls = await open();
  await press('Google');
  expect(calls.find(({ path }) => path === '/util/login/start')?.fields).toMatchObject({ display: 'page' });
  expect(assign).toHaveBeenCalledWith(begun.url);
  expect([document.title, shownText()]).not.toContain(english['login.window_wait']);
});

test('the callback page is answered, the player logged in, the page started again after half a second', async () => {
  const calls = await open();
  await press('Google');
  await say(word());
  expect(opened?.postMessage).toHaveBeenCalledWith(
    { type: 'refill-login-heard', state: STATE },
    { targetOrigin: location.origin },
  );
  expect(calls.find(({ path }) => path === '/util/login/google_auth')).toMatchObject({
    path: '/util/login/google_auth',
    fields: { authorization_code: 'c', state: STATE, client_id: '1001' },
  });
  expect(currentUser()).toEqual(user);
  expect(opened?.close).toHaveBeenCalled();
  await settle(520);
  expect(reload).toHaveBeenCalledOnce();
});

test('a word on the channel counts as well: the provider may have cut the window off', async () => {
  await open();
  await press('Google');
  const channel = new BroadcastChannel(LOGIN_CHANNEL);
  const onMessage = vi.fn<(data: unknown) => void>();
  channel.addEventListener('message', ({ data }) => onMessage(data));
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
  channel.postMessage(word());
  await settle(200);
  channel.close();
  expect(onMessage).toHaveBeenCalledWith({ type: 'refill-login-heard', state: STATE });
  expect(currentUser()).toEqual(user);
});

test.each([
  ['another origin', word(), { origin: 'https://evil.example' }],
  ['another window', word(), { source: window }],
  ['another login', word({ state: 'T'.repeat(43) }), {}],
  ['another kind of message', word({ type: 'other' }), {}],
  ['fields that are none', word({ fields: { authorization_code: { toString: 1 } } }), {}],
  ['no fields', word({ fields: null }), {}],
])('a word from %s is nobody’s', async (_name, data, from) => {
  const calls = await open();
  await press('Google');
  const before = calls.length;
  await say(data, from);
  expect(calls.length).toBe(before);
  expect(opened?.postMessage).not.toHaveBeenCalled();
  expect(currentUser()).toBeNull();
});

test('a player who cancels there sees the buttons again, and nothing else', async () => {
  await open();
  await press('Google');
  await say(word({ error: 'cancelled', fields: {} }));
  expect(shownText()).not.toContain('Continue in the Google window');
  expect(shownText()).not.toContain('Login failed');
  expect(currentUser()).toBeNull();
});

test('what fails is told: by the provider, by the server, by the line', async () => {
  await open({ '/util/login/google_auth': { name: 'noGameAccount' }, '/util/login/start': { content: begun } });
  await press('Google');
  await say(word({ error: 'failed', fields: {} }));
  expect(shownText()).toContain('Login failed. Please try again.');
  await press('Google');
  await say(word());
  expect(shownText()).toContain('says noGameAccount');
  serve({ ...answers, '/util/login/start': 'dead' });
  await press('Google');
  expect(shownText()).toContain('No connection');
  expect(opened?.close).toHaveBeenCalled();
});

test('closing the window gives the button back', async () => {
  await open();
  await press('Google');
  if (opened) opened.closed = true;
  await settle(600);
  expect(shownText()).not.toContain('Continue in the Google window');
});

test('where no window opens the whole page goes, and comes back to where it was', async () => {
  opened = null;
  const calls = await open();
  await press('Google');
  expect(calls.find(({ path }) => path === '/util/login/start')?.fields).toMatchObject({
    display: 'page',
    return_to: `${location.pathname}${location.search}`,
  });
  expect(assign).toHaveBeenCalledWith(begun.url);
});

test('in a view of an app: Google is told and the link offered, Apple goes by the whole page', async () => {
  agent = FACEBOOK_APP;
  const calls = await open();
  await press('Google');
  // A popup's code comes with its first use.
  await expect.poll(shownText).toContain('This login does not work in here.');
  expect(calls.some(({ path }) => path === '/util/login/start')).toBe(false);
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  await press('Copy link');
  expect(writeText).toHaveBeenCalledWith(`${location.origin}/?client_id=1001`);
  expect(shownText()).toContain('Link copied');
  await press('Apple');
  expect(window.open).not.toHaveBeenCalled();
  expect(assign).toHaveBeenCalledWith(begun.url);
});

test('where the clipboard is shut the link is shown to be copied by hand', async () => {
  agent = FACEBOOK_APP;
  await open();
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  await press('Facebook');
  await press('Copy link');
  const shown = () => [...document.querySelectorAll('input')].map((input) => input.value);
  await expect.poll(shown).toContain(`${location.origin}/?client_id=1001`);
});
