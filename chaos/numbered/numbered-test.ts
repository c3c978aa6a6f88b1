// Shares the frame of the numbered tests: a whole shop in this process (testing/shop.ts) on a database of its own, a
// number of rounds, and the same questions at the end: is anything lost, is anything doubled, do the invariants hold.
import { attemptRef } from '#kernel/ids.ts';
import type { BillingNo } from '#kernel/ids.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { query } from '#server/platform/database/db.ts';
import { type PayOptions, pay } from '#testing/pay.ts';
import { type ShopOverrides, type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import type { ChaosTest, Outcome, Size } from '../kit/chaos-test.ts';

export type Round = {
  readonly shop: TestShop;
  /** How often: the number of the list in full, a tenth of it or less in short. */
  readonly count: number;
  /** A promise that did not hold. */
  readonly fault: (line: string) => void;
};

export type Numbered = {
  readonly number: string;
  readonly name: string;
  readonly about: string;
  readonly counts: Readonly<Record<Size, number>>;
  readonly overrides?: ShopOverrides;
  /** May answer how many things it looked at, where those are not orders. */
  play(round: Round): Promise<number | void>;
};

export function toChaosTest(numbered: Numbered): ChaosTest {
  return {
    number: numbered.number,
    name: numbered.name,
    about: numbered.about,
    load: (size) => `${numbered.counts[size]}`,
    run: async (size, context) => {
      const shop = await createTestShop({ ...numbered.overrides, templateUrl: await context.template() });
      const faults: string[] = [];
      try {
        const looked = await numbered.play({ shop, count: numbered.counts[size], fault: (line) => faults.push(line) });
        const audited = await audit(shop);
        return { ...audited, orders: audited.orders || (looked ?? 0), faults };
      } finally {
        await shop.close();
      }
    },
  };
}

async function audit(shop: TestShop): Promise<Outcome> {
  const orders = await query<{ billing_no: string; state: string; is_paid: boolean; delivered_at: Date | null }>(
    shop.db,
    'chaos_audit',
    `select o.billing_no, o.state, o.delivered_at, exists (select from payment_attempt a
       where a.player_id = o.player_id and a.billing_no = o.billing_no
       and a.state in ('succeeded', 'overpayment', 'mismatch')) as is_paid from orders o`,
  );
  const undelivered = ['created', 'pending', 'failed', 'expired', 'cancelled'];
  const lost = orders
    .filter((order) => order.is_paid && undelivered.includes(order.state))
    .map((order) => `${order.billing_no} is paid and ${order.state}`);
  for (const order of orders)
    if (order.delivered_at && !shop.game.applied.has(order.billing_no))
      lost.push(`${order.billing_no} never reached the game`);
  const paid = new Set(orders.filter((order) => order.is_paid).map((order) => order.billing_no));
  const doubled = [...shop.game.applied]
    .filter(([billingNo, times]) => times > 1 || !paid.has(billingNo))
    .map(([billingNo]) => `${billingNo}: goods without a payment of their own`);
  const breaches = (await checkInvariants(shop.db))
    .filter((result) => result.breaches > 0)
    .map((result) => `${result.invariant}: ${JSON.stringify(result.examples[0])}`);
  return { orders: orders.length, lost, doubled, breaches, faults: [] };
}

export type Placed = {
  readonly player: TestPlayer;
  readonly billingNo: BillingNo;
  readonly attemptNo: number;
  readonly reference: string;
};

/** Players that can pay at once: their character on server s1 is known. */
export async function makePlayers(shop: TestShop, count: number): Promise<TestPlayer[]> {
  const players: TestPlayer[] = [];
  for (let n = 0; n < count; n += 1) players.push(await shop.logIn());
  await query(
    shop.db,
    'chaos_roles',
    `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
     select player_id, '70021', 's1', '', 'r1', 'Kestrel_07', 42, 'Altair' from player on conflict do nothing`,
  );
  return players;
}

export async function placeMany(shop: TestShop, count: number, options: PayOptions = {}): Promise<Placed[]> {
  const players = await makePlayers(shop, count);
  return inTurns(players, async (player) => {
    const answer = await pay(shop, player, options);
    if (answer.code !== 1) throw new Error(`not placed: ${answer.text}`);
    const billingNo = answer.content.billing_no as BillingNo;
    return { player, billingNo, attemptNo: 1, reference: attemptRef(billingNo, 1) };
  });
}

/**
 * Eight at a time: this machine has a database with a few connections, and the numbers are about order, not about load.
 */
export async function inTurns<Value, Result>(
  values: readonly Value[],
  work: (value: Value, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < values.length; index = next++)
      results[index] = await work(values[index] as Value, index);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return results;
}

export const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Hands over what is due, as the delivery loop does, until nothing is. */
export async function deliverAll(shop: TestShop): Promise<void> {
  for (
    let leased = await leaseDeliveries(shop.db, 100, 15, []);
    leased.length > 0;
    leased = await leaseDeliveries(shop.db, 100, 15, [])
  ) {
    for (const { billing_no } of leased)
      shop.game.applied.set(billing_no, (shop.game.applied.get(billing_no) ?? 0) + 1);
    await recordDeliveryResults(
      shop.db,
      leased.map(({ player_id, billing_no, tries }) => ({
        player_id,
        billing_no,
        tries,
        kind: 'done' as const,
        receipt_id: 'R',
        reason: null,
        retry_in_seconds: null,
        on_declined: 'review',
      })),
    );
  }
}

export async function countStates(shop: TestShop): Promise<Record<string, number>> {
  const rows = await query<{ state: string; count: number }>(
    shop.db,
    'chaos_states',
    'select state, count(*)::integer as count from orders group by state order by state',
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Tells a fault unless both look the same. */
export function expectSame(round: Round, what: string, found: unknown, wanted: unknown): void {
  const [has, wants] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (has !== wants) round.fault(`${what}: ${has}, not ${wants}`);
}
