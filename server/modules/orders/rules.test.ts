import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bonusAmountOf, isUnpaid, nextPollInSeconds, publicStatusOf, retryInSeconds, reviewKindOf } from './rules.ts';

test.each([
  ['created', -1, 'unpaid'],
  ['paid', -1, 'paid'],
  ['delivering', -1, 'delivering'],
  ['delivered', 1, 'delivered'],
  ['review', -1, 'review'],
  ['failed', -2, 'failed'],
  ['refunded', -2, 'refunded'],
] as const)('%s shows as %d', (state, status, stage) => {
  expect(publicStatusOf({ state, review_reason: null, paid_at: null })).toEqual({ status, stage });
});

test.each([
  ['more of the same and other things', [{ isCurrency: true }, { isCurrency: false }, { isCurrency: true }], 20],
  ["a card's extra, as it is stored", [{ isCurrency: true }, { id: 'card_extra', isCurrency: true }], 20],
  ["a card's extra of a version before", [{ isCurrency: true }, { id: 'card_extra' }], 20],
  ['an extra of goods that are not counted', [{ id: 'card_extra', isCurrency: false }], 0],
  ['a gift that says nothing', [{}], 0],
])('the bonus counts %s', (_name, gifts, bonus) => {
  expect(bonusAmountOf(gifts.map((gift) => ({ id: 'gems', count: 10, ...gift })))).toBe(bonus);
});

const PAID = new Date();

test.each([
  ['payment_mismatch', null, 'payment'],
  ['payment_unreadable', null, 'payment'],
  // The right payment came after the unclear one.
  ['payment_mismatch', PAID, 'received'],
  ['payment_unreadable', PAID, 'received'],
  ['late_payment_without_stock', PAID, 'received'],
  ['game_declined: role_not_found', PAID, 'delivery'],
  ['delivery_gave_up: timed out', PAID, 'delivery'],
  ['partial_refund', PAID, 'refund'],
  ['partial_refund', null, 'refund'],
  ['chargeback', PAID, 'dispute'],
  ['chargeback', null, 'dispute'],
  ['constructor', PAID, undefined],
  ['a reason of tomorrow', PAID, undefined],
  [null, PAID, undefined],
] as const)('review because of %s, paid %s: kind %s, still pending', (reason, paidAt, kind) => {
  const shown = publicStatusOf({ state: 'review', review_reason: reason, paid_at: paidAt });
  expect(shown).toEqual({ status: -1, stage: 'review', ...(kind && { review_kind: kind }) });
});

test('out of review an old reason shows nothing', () => {
  expect(publicStatusOf({ state: 'delivered', review_reason: 'chargeback', paid_at: PAID })).toEqual({
    status: 1,
    stage: 'delivered',
  });
});

test.each([
  ['refund_due', 'game_declined: bag_full', 'game_declined'],
  ['refunded', 'game_declined', 'game_declined'],
  ['refunded', 'late_payment_without_stock', 'too_late'],
  ['refunded', 'chargeback', undefined],
  ['refunded', 'constructor', undefined],
  ['refund_due', null, undefined],
  ['delivered', 'game_declined: bag_full', undefined],
] as const)('%s after %s: money goes back because of %s', (state, reason, kind) => {
  expect(publicStatusOf({ state, review_reason: reason, paid_at: PAID }).refund_kind).toBe(kind);
});

test('every reason that the functions write or operators read about has a kind', () => {
  const folder = join(import.meta.dirname, 'sql');
  const functions = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const written = functions.join('\n').matchAll(/review_reason(?: =|,| is distinct from) '(\w+)/g);
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8');
  const [, section = ''] = page.split('### Why an order is in review');
  const documented = section.slice(0, section.indexOf('\n### ')).matchAll(/^\| `(\w+)/gm);
  const words = new Set([...written, ...documented].map(([, word]) => word ?? ''));
  expect(words.size).toBeGreaterThanOrEqual(7);
  const kindOf = (word: string) => reviewKindOf({ state: 'review', review_reason: word, paid_at: null });
  expect([...words].filter((word) => kindOf(word) === undefined)).toEqual([]);
});

test('only created and pending are unpaid', () => {
  expect((['created', 'pending', 'paid', 'failed', 'review'] as const).map(isUnpaid)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('grants are retried at once, then slower, for 48 hours, then handed to a person', () => {
  const waits = Array.from({ length: 57 }, (_, index) => retryInSeconds(index + 1, 0));
  expect(waits.slice(0, 10)).toEqual([0, 2, 5, 15, 60, 120, 300, 600, 1800, 3600]);
  expect(waits.at(-1)).toBe(3600);
  expect(retryInSeconds(58, 0)).toBeNull();
  expect(retryInSeconds(5, 1)).toBeCloseTo(66);
});

test('payment status polling ends after a week', () => {
  const waits = Array.from({ length: 40 }, (_, index) => nextPollInSeconds(index + 1));
  expect(waits.slice(0, 8)).toEqual([60, 300, 300, 300, 300, 300, 3600, 3600]);
  const total = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0);
  expect(total).toBeGreaterThan(6 * 86_400);
  expect(waits.at(-1)).toBeNull();
});
