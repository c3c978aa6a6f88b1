// Tests how recovery judges outside evidence: which orders it takes in, which it leaves to a person, and that a plan
// changes nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BillingNo, GameId, PlayerId } from '#kernel/ids.ts';
import type { AppliedPage, GameServer } from '#server/modules/games/gameserver.ts';
import type { PaymentReport, SettlementLine } from '#server/modules/payments/provider.ts';
import type { PaymentsService } from '#server/modules/payments/service.ts';
import type { SettleDeps } from '#server/modules/orders/payments/settle-payment.ts';
import type { Db } from '#server/platform/database/db.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { type MoneyMoved, readGame, readInbox, readProviderLists } from './evidence.ts';
import { recoverMoney } from './recover-money.ts';
import { type RecoverDeps, recoverOrders } from './recover.ts';
import type { RecoveryFacts } from './recovery-store.ts';
import { sealFacts } from './recovery-text.ts';

const KEYS = ['recover-test-secret-0123456789'];
const GAME = 'starlane' as GameId;
const SINCE = new Date(Date.now() - 3_600_000);

let here: Awaited<ReturnType<typeof openTestDatabase>>;
let lost: Awaited<ReturnType<typeof openTestDatabase>>;
let player: PlayerId;
/** The provider answers this to the question for an order. */
let says: (reference: string) => Promise<PaymentReport>;
/** The provider's settlement list. */
let lines: SettlementLine[];

beforeAll(async () => {
  [here, lost] = await Promise.all([openTestDatabase(3), openTestDatabase(3)]);
  player = await makePlayer(here.db);
  await lost.db.query(`insert into player select * from jsonb_populate_record(null::player, $1::jsonb)`, [
    JSON.stringify((await here.db.query('select * from player where player_id = $1', [player])).rows[0]),
  ]);
  await lost.db.query(
    `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
    values ($1, '70021', 's1', '', 'r1', 'Kestrel_07', 42, 'S1')`,
    [player],
  );
});
afterAll(() => Promise.all([here.drop(), lost.drop()]));
beforeEach(() => {
  says = (reference) => Promise.resolve(answer(reference));
  lines = [];
});

const answer = (reference: string, over: Partial<PaymentReport> = {}): PaymentReport => ({
  status: 'paid',
  reference,
  providerRef: null,
  captureRef: 'C-1',
  amount: { amountMinor: 499, currency: 'USD' },
  merchantAccount: 'shop',
  reason: null,
  ...over,
});

const account = {
  provider: {
    name: 'paypal',
    accountOf: () => 'shop',
    query: (_context: unknown, payment: { reference: string }) => says(payment.reference),
    async *listPaymentsSince() {
      yield* lines;
    },
  },
  context: { settings: {} },
};
const payments = { account: (name: string) => (name === 'paypal' ? account : null) } as unknown as PaymentsService;

const deps = (isActing: boolean): RecoverDeps => ({
  db: here.db,
  payments,
  settle: {} as SettleDeps,
  by: 'anna',
  isActing,
});

async function buy(db: Db): Promise<RecoveryFacts> {
  const input = placeInput(player);
  const order = await placeTestOrder(db, input);
  await report(db, order);
  const { rows } = await db.query<{ facts: RecoveryFacts }>('select recovery_facts($1, $2) as facts', [
    player,
    input.billing_no,
  ]);
  const facts = rows[0]?.facts;
  if (!facts) throw new Error('no facts');
  return facts;
}

/** A game that carried these out, a page each. */
const gameOf = (pages: readonly Omit<AppliedPage, 'next'>[]): GameServer =>
  ({
    listApplied: (_since: number, cursor: string | null) => {
      const at = Number(cursor ?? 0);
      return Promise.resolve({ ...pages[at], next: at + 1 < pages.length ? String(at + 1) : null });
    },
  }) as unknown as GameServer;
const listed = (facts: RecoveryFacts, recovery: string | null = sealFacts('live', KEYS, facts)) => ({
  keys: [facts.billing_no],
  applied: [{ key: facts.billing_no, receiptId: `R-${facts.billing_no}`, recovery }],
});
const evidenceOf = async (game: GameServer) =>
  (await readGame(here.db, game, { gameId: GAME, since: SINCE, environment: 'live', keySecrets: KEYS })).lost;
const run = async (isActing: boolean, ...facts: RecoveryFacts[]) =>
  recoverOrders(deps(isActing), await evidenceOf(gameOf(facts.map((one) => listed(one)))));
const outcomesOf = async (isActing: boolean, ...facts: RecoveryFacts[]) =>
  (await run(isActing, ...facts)).map((one) => one.outcome);
const stateOf = async (billingNo: BillingNo) =>
  (await here.db.query<{ state: string }>('select state from orders where billing_no = $1', [billingNo])).rows[0]
    ?.state;

test('a plan says what will be done and changes nothing; the act does it once', async () => {
  const facts = [await buy(lost.db), await buy(lost.db)] as const;
  expect(await run(false, ...facts)).toMatchObject([
    {
      billing_no: facts[0].billing_no,
      game: GAME,
      tender: 'paypal',
      amount_minor: 499,
      provider_says: 'paid',
      outcome: 'adopted',
    },
    { billing_no: facts[1].billing_no, outcome: 'adopted' },
  ]);
  expect(await stateOf(facts[0].billing_no)).toBeUndefined();
  expect(await outcomesOf(true, ...facts)).toEqual(['adopted', 'adopted']);
  expect(await stateOf(facts[1].billing_no)).toBe('delivered');
  const { rows } = await here.db.query(`select actor, act, details from audit_entry where billing_no = $1`, [
    facts[0].billing_no,
  ]);
  expect(rows).toEqual([{ actor: 'anna', act: 'adopt', details: { game: GAME, provider: 'paypal', decisions: [] } }]);
  expect(await run(true, ...facts)).toEqual([]);
});

test('a plan of two orders from one balance sees that the second has nothing left', async () => {
  await lost.db.query(`select wallet_credit($1, 'gift', 'USD', 20, 'paid', 'r', 'a')`, [player]);
  const facts = [await buy(lost.db), await buy(lost.db)].map((one) => ({
    ...one,
    amount_minor: 10,
    attempt: { ...one.attempt, provider: 'wallet' },
    tender: { kind: 'wallet', spends: 'free_first', free_minor: 0, paid_minor: 10 },
  }));
  await here.db.query(`select wallet_credit($1, 'gift', 'USD', 10, 'paid', 'r', 'a')`, [player]);
  const wallet = { account: () => ({ ...account, provider: { ...account.provider, internalTender: 'wallet' } }) };
  const evidence = await evidenceOf(gameOf(facts.map((one) => listed(one))));
  const planned = await recoverOrders({ ...deps(false), payments: wallet as unknown as PaymentsService }, evidence);
  expect(planned.map((one) => one.outcome)).toEqual(['adopted', 'balance_missing']);
  expect(planned[0]?.provider_says).toBeNull();
});

test.each<[string, (reference: string) => Promise<PaymentReport>]>([
  ['provider_says_pending', (reference) => Promise.resolve(answer(reference, { status: 'pending', amount: null }))],
  ['provider_says_failed', (reference) => Promise.resolve(answer(reference, { status: 'failed', amount: null }))],
  [
    'provider_says_another_amount',
    (reference) => Promise.resolve(answer(reference, { amount: { amountMinor: 498, currency: 'USD' } })),
  ],
  ['provider_says_another_amount', (reference) => Promise.resolve(answer(reference, { amount: null }))],
  ['foreign_merchant', (reference) => Promise.resolve(answer(reference, { merchantAccount: 'other' }))],
  ['provider_not_reached', () => Promise.reject(new OutboundError('network', true, 'away'))],
])('goods whose payment is not confirmed are for a person: %s', async (outcome, say) => {
  says = say;
  const facts = await buy(lost.db);
  expect(await outcomesOf(true, facts)).toEqual([outcome]);
  expect(await stateOf(facts.billing_no)).toBeUndefined();
});

test('goods of a provider that is off are for a person', async () => {
  const facts = await buy(lost.db);
  const moved = { ...facts, attempt: { ...facts.attempt, provider: 'adyen' } };
  expect(await outcomesOf(true, moved)).toEqual(['provider_is_off']);
});

test('money that went back since is booked in and out', async () => {
  const facts = await buy(lost.db);
  says = (reference) => Promise.resolve(answer(reference, { status: 'refunded' }));
  expect(await run(true, facts)).toMatchObject([{ outcome: 'adopted', provider_says: 'refunded' }]);
  expect(await stateOf(facts.billing_no)).toBe('refunded');
});

test('a text that is missing, of another secret, of the demo, or of another order is not believed', async () => {
  const [one, other] = [await buy(lost.db), await buy(lost.db)];
  const evidence = await evidenceOf(
    gameOf([
      listed(one, null),
      listed(other, sealFacts('live', ['another-secret-0123456789abcd'], other)),
      { keys: ['RW-01JD3Y8Q5R7T9V1X3Z5B7D9F1H'] },
    ]),
  );
  expect(evidence.map((grant) => grant.facts)).toEqual(['no_recovery_text', 'not_our_recovery_text']);
  const ofDemo = await evidenceOf(gameOf([listed(one, sealFacts('demo', KEYS, one))]));
  expect(ofDemo.map((grant) => grant.facts)).toEqual(['not_our_recovery_text']);
  const moved = await evidenceOf(gameOf([listed(one, sealFacts('live', KEYS, other))]));
  expect(moved.map((grant) => grant.facts)).toEqual(['not_our_recovery_text']);
  expect((await recoverOrders(deps(true), evidence)).map((order) => order.outcome)).toEqual([
    'no_recovery_text',
    'not_our_recovery_text',
  ]);
});

describe('money beside', () => {
  const money = (over: Partial<MoneyMoved>): MoneyMoved => ({
    source: 'list',
    provider: 'paypal',
    movement: 'payment',
    reference: null,
    captureRef: null,
    amountMinor: 499,
    currency: 'USD',
    at: new Date(),
    ...over,
  });
  const outcomes = async (moved: MoneyMoved[], isActing = true) =>
    (await recoverMoney(deps(isActing), moved, new Set())).map((one) => one.outcome);

  test('money of no order here is told once, whoever tells it', async () => {
    const order = { billingNo: '01JD3Y8Q5R7T9V1X3Z5B7D9F1H' as BillingNo, attemptNo: 1 };
    await report(here.db, order);
    const reference = `${order.billingNo}-1`;
    lines = [
      {
        kind: 'money',
        line: 1,
        movement: 'payment',
        reference,
        captureRef: 'C-1',
        amount: { amountMinor: 499, currency: 'USD' },
        at: Date.now(),
      },
    ];
    const lists = await readProviderLists(payments, ['paypal', 'adyen'], SINCE);
    expect(lists).toMatchObject({ silent: [], failed: [], unreadable: 0 });
    expect(await outcomes([...lists.moved, ...(await readInbox(here.db))])).toEqual(['unknown_order']);
    expect(await outcomes([money({ reference: 'somebody-else' })])).toEqual(['not_our_reference']);
  });

  test("a refund of the provider's own list is booked, one of a file is a person's", async () => {
    const { billing_no: billingNo } = await buy(here.db);
    const back = money({ movement: 'refund', reference: `${billingNo}-1` });
    expect(await outcomes([{ ...back, source: 'file' }])).toEqual(['file_says_returned']);
    expect(await outcomes([{ ...back, amountMinor: 100 }])).toEqual(['differs']);
    expect(await outcomes([back], false)).toEqual(['booked']);
    expect(await stateOf(billingNo)).toBe('paid');
    expect(await outcomes([money({ reference: `${billingNo}-1` }), back])).toEqual(['booked']);
    expect(await stateOf(billingNo)).toBe('refunded');
    expect(await outcomes([back])).toEqual([]);
  });

  test('a list that cannot be had is told by its provider', async () => {
    const broken = {
      account: () => ({
        ...account,
        provider: {
          ...account.provider,
          // oxlint-disable-next-line require-yield -- it fails before its first line
          async *listPaymentsSince() {
            throw new OutboundError('network', true, 'away');
          },
        },
      }),
    };
    const lists = await readProviderLists(broken as unknown as PaymentsService, ['paypal'], SINCE);
    expect(lists.failed).toEqual([{ provider: 'paypal', reason: 'away' }]);
  });
});
