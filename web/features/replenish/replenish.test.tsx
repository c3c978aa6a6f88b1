// The page of a make-up payment in a document: what it shows, when it counts down, when it is over, where it stands.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { english } from '#testing/english.ts';
import { draw, shownText, speak } from '#web/platform/test-page.tsx';
import { readReplenishFlow, keepReplenish, clearReplenish } from '#web/platform/visitor/replenish-flow.ts';
import { ReplenishCard } from './ReplenishCard.tsx';
import { ReplenishStanding } from './ReplenishStanding.tsx';
import { isCountedDown, isPageOver } from './rules.ts';

speak(english);

const INFO: ReplenishInfo = {
  replenish_id: 'RP-1', client_id: '70021', game_name: 'Starlane', user_name: 'kestrel', amount: '12.50', currency_code: 'USD', valid_time: 3600,
  amount_shown: '$12.50', amount_minor: 1250, is_own: true, state: 'open', billing_no: '', paid_at: 0, unblocked_at: 0, list: [],
}; /* a row a line */ // prettier-ignore
const onEnd = vi.fn<() => void>();
const card = (over: Partial<ReplenishInfo> = {}) => <ReplenishCard info={{ ...INFO, ...over }} onEnd={onEnd} />;
const standing = (over: Partial<ReplenishInfo>) => (
  <ReplenishStanding info={{ ...INFO, ...over }} support={null} openGame={null} onSwitchAccount={() => undefined} />
);
const timer = () => document.querySelector('[role=timer]')?.textContent ?? null;

beforeEach(() => onEnd.mockReset());
afterEach(() => {
  vi.useRealTimers();
  clearReplenish();
});

test('L102 the countdown runs only when valid_time is positive and below a day', () => {
  expect([86_401, 86_400, 86_399, 60, 1, 0, -1].map(isCountedDown)).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
});

test.each([
  [86_400, null],
  [86_399, '1439min59s'],
  [60, '1min00s'],
  [1, '0min01s'],
  [0, null],
])('L203 %d seconds are shown as %s', async (validTime, shown) => {
  await draw(card({ valid_time: validTime }));
  expect(timer()).toBe(shown);
  expect(shownText()).toContain('$12.50');
});

test('L102 at its end the page expires, once; what has begun to be paid may be finished', async () => {
  await draw(card({ valid_time: 1 }));
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce(), 4000);
  expect(isPageOver({ state: 'open' }, true)).toBe(true);
  expect(isPageOver({ state: 'open' }, false)).toBe(false);
  expect(isPageOver({ state: 'paying' }, true)).toBe(false);
  expect(isPageOver({ state: 'expired' }, false)).toBe(true);
});

test('L68 game, account, amount, and the promise', async () => {
  await draw(card());
  for (const text of ['Starlane', 'kestrel', '$12.50', 'within 15 minutes']) expect(shownText()).toContain(text);
});

test('L117 another account reads whose it is, masked', async () => {
  await draw(standing({ is_own: false, user_name: 'k•••l' }));
  expect(shownText()).toContain('This payment is for another account');
  expect(shownText()).toContain('k•••l');
  expect(shownText()).toContain('Switch account');
});

test.each([
  [{ state: 'expired' }, 'Get a new link from customer service'],
  [{ state: 'closed' }, 'Customer service has closed this payment'],
  [{ state: 'returned' }, 'the account is blocked again'],
  [{ state: 'none' }, 'has no open payment'],
  [{ state: 'unblocked', unblocked_at: 1_800_000_000_000 }, 'Your account is unblocked'],
  [{ state: 'paid', paid_at: Date.now() }, 'at the latest'],
  [{ state: 'paid', paid_at: Date.now() - 16 * 60_000 }, 'taking longer than it should'],
] as const)('L199 %j says %s', async (over, sentence) => {
  await draw(standing(over as Partial<ReplenishInfo>));
  expect(shownText()).toContain(sentence);
});

test('L82 L100 the flow is told by the address, else by the number that was kept', () => {
  const at = (pathname: string, search = '') => readReplenishFlow({ pathname, search });
  expect(at('/selectGoods')).toBeNull();
  expect(at('/selectGoods', '?replenish_id=RP-1')).toEqual({ replenish_id: 'RP-1', rp_client_id: '' });
  expect(at('/replenishGoods', '?rp_client_id=70021')).toEqual({ replenish_id: '', rp_client_id: '70021' });
  expect(at('/replenishGoods')).toBeNull();
  keepReplenish('RP-2');
  expect(localStorage.getItem('refill.replenish_billing_no')).toContain('RP-2');
  expect(at('/replenishGoods')).toEqual({ replenish_id: 'RP-2', rp_client_id: '' });
  expect(at('/my')).toBeNull();
});
