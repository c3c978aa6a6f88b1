// Every pair of states here, with the game's word, has its verdict written down.
import { expect, test } from 'vitest';
import { type DeliveryState, type RevocationState, compareGrant } from './reconcile-rules.ts';

const REVOCATIONS = [null, 'queued', 'calling', 'done', 'declined', 'dead'] as const;

/** Verdicts in the order of REVOCATIONS, of an order of ours that the game lists (`there`) and that it does not. */
const TABLE: [DeliveryState | null, { there: string[]; absent: string[] }][] = [
  [
    'done',
    {
      there: ['equal', 'equal', 'equal', 'equal', 'equal', 'equal'],
      absent: ['not_applied_there', 'on_its_way', 'on_its_way', 'equal', 'not_applied_there', 'not_applied_there'],
    },
  ],
  ...([null, 'rejected', 'dead'] as const).map((state): (typeof TABLE)[number] => [
    state,
    {
      there: ['not_delivered_here', 'on_its_way', 'on_its_way', 'equal', 'not_revoked_there', 'not_revoked_there'],
      absent: ['equal', 'equal', 'equal', 'equal', 'equal', 'equal'],
    },
  ]),
  ...(['queued', 'calling', 'unknown'] as const).map((state): (typeof TABLE)[number] => [
    state,
    {
      there: ['on_its_way', 'on_its_way', 'on_its_way', 'on_its_way', 'on_its_way', 'on_its_way'],
      absent: ['equal', 'equal', 'equal', 'equal', 'equal', 'equal'],
    },
  ]),
];

const cases = TABLE.flatMap(([delivery, verdicts]) =>
  REVOCATIONS.flatMap((revocation, index): [DeliveryState | null, RevocationState | null, boolean, string][] => [
    [delivery, revocation, true, verdicts.there[index] ?? ''],
    [delivery, revocation, false, verdicts.absent[index] ?? ''],
  ]),
);

test.each(cases)(
  'delivery %s, revocation %s, listed by the game %s: %s',
  (delivery, revocation, isApplied, verdict) => {
    expect(compareGrant({ isOurs: true, delivery, revocation, isApplied })).toBe(verdict);
  },
);

test('goods of an order that is not here are always a difference', () => {
  expect(compareGrant({ isOurs: false, delivery: null, revocation: null, isApplied: true })).toBe('unknown_here');
});
