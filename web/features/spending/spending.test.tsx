// The question for the age, and the caps and pauses that players set themselves.
import { beforeEach, expect, test, vi } from 'vitest';
import type { SpendingState } from '#contracts/spending.ts';
import { english } from '#testing/english.ts';
import { setUser } from '#web/platform/visitor/session.ts';
import { appear, draw, find, press, serve, settle, shownText, speak, type } from '#web/platform/test-page.tsx';
import { openAge } from './open.ts';
import { SpendingCard } from './SpendingCard.tsx';

speak(english);
vi.mock('#web/ui/pictures/sprite.ts', () => ({ loadSprite: async () => undefined }));
const word = (key: string) => english[key] as string;
const USER = { username: 'Kestrel', suid: 's', oauth_token: 't1', gp_id: 'g' };
const STATE: SpendingState = {
  currency: 'JPY',
  needs_age: true,
  age_tiers: [
    { under: 16, cap_shown: '¥5,000' },
    { under: 18, cap_shown: '¥20,000' },
  ],
  limits: [{ kind: 'age', cap_shown: '¥5,000', left_minor: 3200, left_shown: '¥3,200', ends_at: 0 }],
  caps: (['day', 'week', 'month'] as const).map((period) => ({
    period,
    cap: '',
    cap_shown: '',
    next_at: 0,
    next_shown: '',
  })),
  paused_until: 0,
};
const READ = '/api/spending/state';

beforeEach(() => localStorage.clear());

async function open(answers: Parameters<typeof serve>[0], node = <SpendingCard />) {
  const calls = serve({ [READ]: { content: STATE }, ...answers });
  await draw(node, { user: USER });
  setUser(USER);
  await settle();
  return calls;
}
function choose(label: string, value: string): void {
  const id = [...document.querySelectorAll('label')].find((one) => one.textContent?.includes(label))?.htmlFor ?? '';
  const select = document.getElementById(id) as HTMLSelectElement;
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, value);
  select.dispatchEvent(new Event('change', { bubbles: true }));
}
const submit = () => find(word('age.submit'), 'button') as HTMLButtonElement;

test('L126 a minor says month and year of birth, with the consent of whoever is responsible', async () => {
  // The first answer is lost; what was said first stays, so it is said once more.
  const calls = await open({ '/api/spending/declareAge': ['dead', { content: STATE }] }, <p>shop</p>);
  openAge();
  await appear(word('age.submit'), 'button');
  await vi.waitFor(() => expect(shownText()).toContain('Under 16: ¥5,000 a month'));
  for (const tier of ['16 to under 18: ¥20,000 a month', '18 and over: no limit']) expect(shownText()).toContain(tier);
  expect(submit().disabled).toBe(true);
  choose(word('age.year'), String(new Date().getFullYear() - 10));
  choose(word('age.month'), '3');
  await settle();
  expect(submit().disabled).toBe(true);
  document.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
  await settle();
  await press(word('age.submit'));
  await settle(4300);
  const said = { birth_year: new Date().getFullYear() - 10, birth_month: 3, has_consent: 1 };
  const tries = calls.filter(({ path }) => path.endsWith('declareAge')).map(({ fields }) => fields);
  expect(tries).toMatchObject([said, said]);
  expect(shownText()).toContain(word('age.done'));
});

test('L126 who is of age is not asked for consent', async () => {
  await open({}, <p>shop</p>);
  openAge();
  await appear(word('age.submit'), 'button');
  choose(word('age.year'), '1990');
  choose(word('age.month'), '3');
  await settle();
  expect(document.querySelector('input[type="checkbox"]')).toBeNull();
  expect(submit().disabled).toBe(false);
});

test('My shows what is left, and sets a cap in figures', async () => {
  const calls = await open({ '/api/spending/setCap': { content: STATE } });
  expect(shownText()).toContain('Left this month for your age: ¥3,200 of ¥5,000');
  await press(word('spending.change'));
  await appear(word('spending.save'), 'button');
  await type('Limit in JPY', 'much');
  await press(word('spending.save'));
  expect(shownText()).toContain('Please enter an amount in figures');
  await type('Limit in JPY', '3,000');
  await press(word('spending.save'));
  const sent = calls.find(({ path }) => path.endsWith('setCap'))?.fields;
  expect(sent).toMatchObject({ period: 'day', amount: '3000' });
});

test.each(['0', '0.00', '000'])(
  'a cap of %s is refused: nobody is shut out of buying by one figure',
  async (nothing) => {
    const inDollars = { ...STATE, currency: 'USD' };
    const calls = await open({ [READ]: { content: inDollars }, '/api/spending/setCap': { content: inDollars } });
    await press(word('spending.change'));
    await appear(word('spending.save'), 'button');
    await type('Limit in USD', nothing);
    await press(word('spending.save'));
    expect(shownText()).toContain(word('spending.zero'));
    expect(calls.filter(({ path }) => path.endsWith('setCap'))).toEqual([]);
  },
);

test('a comma before decimals is asked about, and never makes the cap a hundred times as high', async () => {
  const inDollars = { ...STATE, currency: 'USD' };
  const calls = await open({ [READ]: { content: inDollars }, '/api/spending/setCap': { content: inDollars } });
  const sent = () => calls.filter(({ path }) => path.endsWith('setCap')).map(({ fields }) => fields.amount);
  await press(word('spending.change'));
  await appear(word('spending.save'), 'button');
  await type('Limit in USD', '3,50');
  await press(word('spending.save'));
  expect(shownText()).toContain('Please enter an amount in figures');
  expect(sent()).toEqual([]);
  await type('Limit in USD', '1 234,567.50');
  await press(word('spending.save'));
  expect(sent()).toEqual(['1234567.50']);
});

test('a pause is asked about before it begins, and can be ended', async () => {
  const calls = await open({ '/api/spending/pause': { content: STATE } });
  await press(word('spending.pause_title'));
  await appear('Pause purchases for 24 hours?', 'h2');
  const buttons = [...document.querySelectorAll<HTMLElement>('[role="dialog"] button, [role="alertdialog"] button')];
  buttons.findLast((one) => one.textContent?.includes(word('spending.pause_title')))?.click();
  await settle();
  expect(calls.find(({ path }) => path.endsWith('pause'))?.fields).toMatchObject({ days: 1 });
});

test('a pause says until when, and ends a day later', async () => {
  const paused = { content: { ...STATE, paused_until: Date.now() + 86_400_000 } };
  const calls = await open({ [READ]: paused, '/api/spending/pause': paused });
  expect(shownText()).toContain('Purchases are paused until');
  await press(word('spending.pause_end'));
  expect(calls.find(({ path }) => path.endsWith('pause'))?.fields).toMatchObject({ days: 0 });
});
