// My data: what it says, the download, and erasing with the name typed once more.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ErasureState, PrivacyState } from '#contracts/privacy.ts';
import { english } from '#testing/english.ts';
import { load, save } from '#web/platform/visitor/storage.ts';
import { setUser } from '#web/platform/visitor/session.ts';
import { draw, find, press, serve, settle, shownText, speak, type } from '#web/platform/test-page.tsx';
import { ErasureStatus } from './ErasureStatus.tsx';
import { MyData } from './MyData.tsx';

speak(english);
vi.mock('#web/ui/pictures/sprite.ts', () => ({ loadSprite: async () => undefined }));
const word = (key: string) => english[key] as string;
const USER = { username: 'Kestrel', suid: 's', oauth_token: 't1', gp_id: 'g' };
const STATE: PrivacyState = {
  can_act: true,
  is_fresh: true,
  wait_days: 7,
  balances: [],
  refusals: [],
  erasure: null,
};
const NO = 'ER-01JZZZZZZZZZZZZZZZZZZZZZZZ';
const WAITING: ErasureState = {
  erasure_no: NO,
  state: 'waiting',
  asked_at: 0,
  due_at: 1e12,
  ended_at: 0,
  refusals: [],
};
const READ = '/api/privacy/state';
const stale = vi.fn<() => void>();

beforeEach(() => localStorage.clear());
afterEach(() => {
  setUser(null);
  stale.mockReset();
  vi.restoreAllMocks();
});

async function open(state: Partial<PrivacyState> = {}, more: Parameters<typeof serve>[0] = {}) {
  const calls = serve({ [READ]: { content: { ...STATE, ...state } }, ...more });
  await draw(<MyData onStale={stale} />, { user: USER });
  setUser(USER);
  await settle();
  return calls;
}

test('says in words what is held, and saves the download as a file', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  const calls = await open({}, { '/api/privacy/export': { content: { format: 'refill-person-1', data: {} } } });
  for (const part of ['account', 'orders', 'benefits', 'devices', 'age'])
    expect(shownText()).toContain(word(`privacy.held_${part}`));
  await press(word('privacy.download'));
  expect(shownText()).toContain(word('privacy.downloaded'));
  const [[file] = []] = saved.mock.calls;
  expect(file instanceof Blob ? await file.text() : '').toContain('refill-person-1');
  expect(calls.filter(({ path }) => path === '/api/privacy/export')).toHaveLength(1);
});

test('a login of long ago is asked anew before anything happens', async () => {
  const calls = await open({ is_fresh: false });
  await press(word('privacy.download'));
  await press(word('privacy.erase'));
  expect(stale).toHaveBeenCalledTimes(2);
  expect(calls.every(({ path }) => path === READ)).toBe(true);
});

test('erasing asks for the name and for the balance, and keeps the number', async () => {
  const calls = await open({ balances: ['$12.50'] }, { '/api/privacy/erase': { content: WAITING } });
  await press(word('privacy.erase'));
  await vi.waitFor(() => expect(shownText()).toContain('I give up my balance of $12.50'));
  const submit = () => [...document.querySelectorAll('button[type="submit"]')].at(-1) as HTMLButtonElement;
  await type('Type \u2068Kestrel\u2069 to confirm', ' kestrel');
  expect(submit().disabled).toBe(true);
  document.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
  await settle();
  expect(submit().disabled).toBe(false);
  submit().click();
  await settle();
  expect(calls.find(({ path }) => path.endsWith('erase'))?.fields).toMatchObject({
    name: ' kestrel',
    gives_up_balance: 1,
  });
  expect(load('erasureNo')).toBe(NO);
});

test('what stands in the way is told instead of the form', async () => {
  await open({ refusals: [{ reason: 'open_order', about: 'X' }] });
  await press(word('privacy.erase'));
  await vi.waitFor(() => expect(shownText()).toContain(word('privacy.because_open_order')));
  expect(document.querySelector('form input')).toBeNull();
});

test('a wish that waits is shown with its number, and taken back', async () => {
  const calls = await open({ erasure: WAITING }, { '/api/privacy/keep': { content: {} } });
  expect(shownText()).toContain(NO);
  await press(word('privacy.keep'));
  expect(calls.some(({ path }) => path === '/api/privacy/keep')).toBe(true);
  expect(shownText()).toContain(word('privacy.kept'));
});

test('a session of a game may only look', async () => {
  await open({ can_act: false });
  expect(shownText()).toContain(word('privacy.only_here'));
  expect(() => find(word('privacy.erase'))).toThrow('nothing called');
});

test('the end is told to a browser that nobody is logged in with', async () => {
  serve({ '/api/privacy/erasure': { content: { ...WAITING, state: 'done', ended_at: 1e12 } } });
  save('erasureNo', NO);
  await draw(<ErasureStatus />);
  await settle();
  expect(shownText()).toContain('was erased on');
  await press(word('popup.close'));
  expect(load('erasureNo')).toBeNull();
});
