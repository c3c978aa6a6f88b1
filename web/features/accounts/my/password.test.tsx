// The password on My: who sees it, what the popup sends, what it says when it is refused.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeCredential } from '#contracts/credentials.ts';
import { setUser } from '#web/platform/visitor/session.ts';
import { english } from '#testing/english.ts';
import {
  appear,
  type Call,
  type Canned,
  draw,
  find,
  press,
  serve,
  settle,
  shownText,
  speak,
  type,
} from '#web/platform/test-page.tsx';
import { AccountCare } from './AccountCare.tsx';

speak(english);

const CHANGE = '/util/login/change_password';
const IDENTITIES = '/util/login/identities';
const identities = { linked: [], free: [], canUnlink: false, isFresh: true, canChangePassword: true };
const answers: Record<string, Canned> = {
  [IDENTITIES]: { content: identities },
  '/util/login/sessions': { content: { list: [], canEnd: true } },
};

beforeEach(() => localStorage.clear());
afterEach(() => {
  setUser(null);
  vi.restoreAllMocks();
});

async function openMy(more: Record<string, Canned> = {}): Promise<Call[]> {
  const calls = serve({ ...answers, ...more });
  await draw(null);
  setUser({ username: 'kestrel', suid: 's', oauth_token: 'public-id', gp_id: '' });
  await draw(<AccountCare />);
  return calls;
}

/** Types both passwords and sends them. */
async function change(from: string, to: string): Promise<void> {
  await press('Change password');
  await appear('Set new password');
  await type('Current password', from);
  await type('New password', to);
  await press('Set new password');
}

const input = (autocomplete: string) =>
  document.querySelector<HTMLInputElement>(`form input[autocomplete="${autocomplete}"]`);
/** A screen reader says this beside the label. */
const describedBy = (element: HTMLElement | null) =>
  (element?.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');
const alertText = () => document.querySelector('[role="alert"]')?.textContent ?? '';

test('is there where the shop keeps the password, and nowhere else', async () => {
  await openMy();
  expect(find('Change password').textContent).toBe('Change');
  await openMy({ [IDENTITIES]: { content: { ...identities, canChangePassword: false } } });
  expect(shownText()).toContain('Where you are logged in');
  expect(() => find('Change password')).toThrow('nothing called');
});

test('is not there inside a frame', async () => {
  vi.spyOn(window, 'top', 'get').mockImplementation(() => null);
  await openMy();
  expect(shownText()).toContain('Where you are logged in');
  expect(() => find('Change password')).toThrow('nothing called');
});

test('password managers know the fields, and the rules are told before anything is typed', async () => {
  await openMy();
  await press('Change password');
  await appear('Set new password');
  expect([input('username')?.value, input('username')?.hidden]).toEqual(['kestrel', true]);
  expect([input('current-password')?.type, input('new-password')?.type]).toEqual(['password', 'password']);
  expect(describedBy(input('new-password'))).toContain('At least 8 characters');
  expect((find('Set new password') as HTMLButtonElement).disabled).toBe(true);
  const [, eye] = [...document.querySelectorAll<HTMLElement>('[aria-label="Show password"]')];
  expect(describedBy(eye ?? null)).toBe('New password');
  eye?.click();
  await settle();
  expect([input('current-password')?.type, input('new-password')?.type]).toEqual(['password', 'text']);
});

test('a change sends both, trimmed and encoded, says that other devices are out, and reads the lists again', async () => {
  const calls = await openMy({ [CHANGE]: { content: {} } });
  const before = calls.filter(({ path }) => path === '/util/login/sessions').length;
  await change('old secret ', ' quiet green river');
  const fields = calls.find(({ path }) => path === CHANGE)?.fields ?? {};
  expect(decodeCredential(String(fields.old_password))).toBe('old secret');
  expect(decodeCredential(String(fields.new_password))).toBe('quiet green river');
  expect(document.querySelector('[role="status"]')?.textContent).toContain('All other devices are logged out.');
  expect(calls.filter(({ path }) => path === '/util/login/sessions')).toHaveLength(before + 1);
  await settle(1100);
  expect(document.querySelector('form')).toBeNull();
});

test('one that is too short is told without asking the server, where it can be mended', async () => {
  const calls = await openMy();
  await change('old secret', '  short77 ');
  expect(calls.some(({ path }) => path === CHANGE)).toBe(false);
  expect(alertText()).toContain('at least 8 characters');
  expect(input('new-password')?.getAttribute('aria-invalid')).toBe('true');
  expect(input('current-password')?.getAttribute('aria-invalid')).toBeNull();
  expect(describedBy(input('new-password'))).toContain(alertText());
  expect(document.activeElement).toBe(input('new-password'));
});

test.each([
  ['wrongCredentials', 'current-password', 'The current password is not right.'],
  ['weakPassword', 'new-password', 'says weakPassword'],
  ['tooManyAttempts', null, 'says tooManyAttempts'],
  ['unavailable', null, 'says unavailable'],
] as const)('%s is told in the popup, which stays', async (name, field, words) => {
  await openMy({ [CHANGE]: { name } });
  await change('old secret', 'quiet green river');
  expect(alertText()).toContain(words);
  const invalid = [...document.querySelectorAll('[aria-invalid="true"]')];
  expect(invalid).toEqual(field ? [input(field)] : []);
  expect(input('new-password')?.value).toBe('quiet green river');
});

test('a dead line is told there as well', async () => {
  await openMy({ [CHANGE]: 'dead' });
  await change('old secret', 'quiet green river');
  expect(alertText()).toContain('No connection');
});

test('a session that may not do this is asked for a login', async () => {
  await openMy({ [CHANGE]: { name: 'loginAgain' } });
  await change('old secret', 'quiet green river');
  await appear('Log in', 'button');
  expect(shownText()).toContain('Confirm it’s you');
});
