// The login popup in a document: when its button works, what it sends, what follows.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeCredential } from '#contracts/credentials.ts';
import { LANGUAGES } from '#kernel/languages.ts';
import { readBoot } from '#web/platform/boot.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { setActions } from '#web/platform/calls/reactions.ts';
import { currentUser, setUser } from '#web/platform/visitor/session.ts';
import { english } from '#testing/english.ts';
import { appear, draw, find, press, serve, settle, shownText, type, speak } from '#web/platform/test-page.tsx';
import { openLoginPopup } from './login.ts';
import { LoginPopup } from './LoginPopup.tsx';
import { BLANK_CONFIG } from '#web/features/accounts/providers/providers.ts';

speak(english);

const user = { username: 'kestrel', suid: 's', oauth_token: 'public-id', gp_id: 'gp1' };
/** A brand that offers nothing but its own accounts. */
const config = { '/util/login/login_config': { content: BLANK_CONFIG } };

beforeEach(() => localStorage.clear());
afterEach(() => setUser(null));

beforeEach(() => serve(config));

async function open(more: Partial<Parameters<typeof LoginPopup>[0]> = {}) {
  await draw(<p>shop</p>);
  openPopup(LoginPopup, { clientId: '1001', onDone: undefined, ...more });
  await settle();
}

test('the button works once both fields hold something', async () => {
  await open();
  const button = () => find('Log in', 'button[type=submit]') as HTMLButtonElement;
  expect(button().disabled).toBe(true);
  await type('Username', 'kestrel');
  expect(button().disabled).toBe(true);
  await type('Password', '   ');
  expect(button().disabled).toBe(true);
  await type('Password', 'secret');
  expect(button().disabled).toBe(false);
});

test('the eye shows and hides the password', async () => {
  await open();
  const kind = () => document.querySelector('input[autocomplete="current-password"]')?.getAttribute('type');
  expect(kind()).toBe('password');
  await press('Show password');
  expect(kind()).toBe('text');
  await press('Hide password');
  expect(kind()).toBe('password');
});

test('a login sends trimmed, encoded fields, keeps the player, and starts the page again after half a second', async () => {
  const calls = serve({ ...config, '/util/login/auth': { content: user } });
  const reload = vi.fn<() => void>();
  const onDone = vi.fn<() => void>();
  await open({ reload, onDone });
  await type('Username', ' kestrel ');
  await type('Password', 'secret');
  await press('Log in');
  const fields = calls.find(({ path }) => path === '/util/login/auth')?.fields ?? {};
  expect(decodeCredential(String(fields.username))).toBe('kestrel');
  expect(decodeCredential(String(fields.password))).toBe('secret');
  expect(fields.client_id).toBe('1001');
  expect(currentUser()).toEqual(user);
  expect(JSON.parse(localStorage.getItem('refill.user_map') ?? '').value).toEqual({ gp1: user });
  expect(onDone).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
  await settle(520);
  expect(reload).toHaveBeenCalledOnce();
});

test('L199 wrong credentials are told in the popup, which stays', async () => {
  serve({ ...config, '/util/login/auth': { name: 'wrongCredentials' } });
  await open();
  await type('Username', 'kestrel');
  await type('Password', 'wrong');
  await press('Log in');
  expect(document.querySelector('[role="alert"]')?.textContent).toContain('says wrongCredentials');
  expect(currentUser()).toBeNull();
});

test('a dead line is told in the popup as well', async () => {
  serve({ ...config, '/util/login/auth': 'dead' });
  await open();
  await type('Username', 'kestrel');
  await type('Password', 'secret');
  await press('Log in');
  expect(document.querySelector('[role="alert"]')?.textContent).toContain('No connection');
});

test('an action that needs the login says so', async () => {
  await open({ onDone: () => undefined });
  expect(shownText()).toContain('Please log in first.');
});

test('who was logged in a moment ago is told so, whatever the press was for', async () => {
  await open({ onDone: () => undefined, isEnded: true });
  expect(shownText()).toContain('You have been logged out. Please log in again.');
  expect(shownText()).not.toContain('Please log in first.');
});

test('by card: number and password, eighty characters each, encoded', async () => {
  const calls = serve({ ...config, '/util/login/card_auth': { content: user } });
  const onDone = vi.fn<() => void>();
  await open({ onDone, reload: () => undefined });
  await press('Prepaid card');
  const button = () => find('Log in', 'button[type=submit]') as HTMLButtonElement;
  await type('Card number', 'CARD-1');
  expect(button().disabled).toBe(true);
  await type('Card password', ' pin ');
  expect(button().disabled).toBe(false);
  const limits = [...document.querySelectorAll('form input')].map((input) => input.getAttribute('maxlength'));
  expect(limits).toEqual(['80', '80']);
  await press('Log in');
  const fields = calls.find(({ path }) => path === '/util/login/card_auth')?.fields ?? {};
  expect(decodeCredential(String(fields.card_number))).toBe('CARD-1');
  expect(decodeCredential(String(fields.card_password))).toBe('pin');
  expect(fields.client_id).toBe('1001');
  expect(onDone).toHaveBeenCalledOnce();
});

test('what was wrong with one way is not said of the other', async () => {
  serve({ ...config, '/util/login/auth': { name: 'wrongCredentials' } });
  await open();
  await type('Username', 'kestrel');
  await type('Password', 'wrong');
  await press('Log in');
  await press('Prepaid card');
  expect(document.querySelector('[role="alert"]')).toBeNull();
});

test('L127 a login whose cookie did not stay says what to do, and nobody is logged in', async () => {
  const calls = serve({
    ...config,
    '/util/login/auth': { content: user },
    '/util/login/get_user_info': { name: 'notLoggedIn' },
  });
  const reload = vi.fn<() => void>();
  await open({ reload });
  await type('Username', 'kestrel');
  await type('Password', 'secret');
  await press('Log in');
  await appear('Your browser did not keep the login', '[role="alert"]');
  expect(calls.map(({ path }) => path)).toContain('/util/login/get_user_info');
  expect(currentUser()).toBeNull();
  await settle(600);
  expect(reload).not.toHaveBeenCalled();
});

test('L127 without cookies the page that explains comes in place of the login', async () => {
  const shown: string[] = [];
  setActions({ showError: (reason: string) => shown.push(reason) } as never);
  await draw(<p>shop</p>);
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
  openLoginPopup();
  await settle();
  expect(shown).toEqual(['cookies']);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
  vi.restoreAllMocks();
  openLoginPopup();
  await appear('Show password');
});

const game = {
  client_id: '1001',
  gp_id: 'g',
  name: 'E',
  logo: '',
  is_select_game: true,
  sub_game: {},
  terms_link: '',
  privacy_link: '',
};

test.each([
  [
    'the game’s own page',
    'https://game.example/account',
    'https://brand.example/account',
    'https://game.example/account',
  ],
  ['the brand’s page', undefined, 'https://brand.example/account', 'https://brand.example/account'],
  ['a tip where there is none', undefined, undefined, null],
])('whoever cannot log in finds %s', async (_name, ofGame, ofBrand, expected) => {
  await draw(<p>shop</p>);
  const { brand } = readBoot();
  await draw(<p>shop</p>, {
    games: [{ ...game, ...(ofGame && { account_help_link: ofGame }) }],
    brand: { ...brand, links: { ...brand.links, ...(ofBrand && { accountHelp: ofBrand }) } },
  });
  openPopup(LoginPopup, { clientId: '1001', onDone: undefined });
  await settle();
  const help = find('Can’t log in?', 'a, summary');
  expect(help.getAttribute('href')).toBe(expected);
  expect(shownText().includes('Forgotten them?')).toBe(expected === null);
});

test('the first field has the focus, and nobody is welcomed back who has never been here', async () => {
  await open();
  expect(document.activeElement?.getAttribute('autocomplete')).toBe('username');
  expect(shownText()).not.toContain('Welcome back');
});

// Last: after it happy-dom sends no form any more.
test('inside a frame no password is asked for; the shop opens in its own window', async () => {
  vi.spyOn(window, 'top', 'get').mockImplementation(() => null);
  await open();
  expect(shownText()).toContain('Inside another page we never ask for a password');
  expect(document.querySelector('input')).toBeNull();
  const link = find('Open the shop', 'a');
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
  // Without the key of the embedded view: there is a login of its own.
  expect(link.getAttribute('href')).toBe(`${location.origin}/?client_id=1001`);
  vi.restoreAllMocks();
});

test('L100 L164 a login for a make-up payment is the in-game one, and leads to its page with the number', async () => {
  const calls = serve({
    ...config,
    '/api/ingame/auth': { content: user },
    '/util/login/get_user_info': { content: user },
    '/api/replenishment/replenishment_info': { content: { replenish_id: 'RP-7' } },
  });
  const reload = vi.fn<(address: string | null) => void>();
  await open({ reload, ingame: { gameId: '70021', flow: { replenish_id: '', rp_client_id: '70021' } } });
  await type('Username', 'kestrel');
  await type('Password', 'secret');
  await press('Log in');
  expect(calls.find(({ path }) => path === '/api/ingame/auth')?.fields).toMatchObject({ game_id: '70021' });
  await settle(520);
  expect(reload).toHaveBeenCalledExactlyOnceWith('/replenishGoods?replenish_id=RP-7');
  expect(localStorage.getItem('refill.replenish_billing_no')).toContain('RP-7');
});

test('the terms and the privacy policy open from the sentence that accepts them, and the login stays', async () => {
  await open();
  await type('Username', 'kestrel');
  const links = ['terms of use', 'privacy policy'].map((words) => find(words, '[role="dialog"] p a'));
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    readBoot().brand.links.terms,
    readBoot().brand.links.privacy,
  ]);
  expect(links.map((link) => link.getAttribute('target'))).toEqual(['_blank', '_blank']);
  expect(shownText()).toContain(' the terms of use and the privacy policy.');
});

test.each(LANGUAGES)('the sentence of %s has both links', (language) => {
  const { 'login.legal': sentence } = JSON.parse(readFileSync(`messages/${language}.json`, 'utf8')) as {
    'login.legal': string;
  };
  expect(sentence).toMatch(/<terms>[^<]+<\/terms>.*<privacy>[^<]+<\/privacy>/);
});
