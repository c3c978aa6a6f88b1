// A player who does not give up: the same call with the same key until it is answered, then pays,
// then waits for the goods. As a browser does, whatever dies in between.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CODES } from '#contracts/errors.ts';
import type { Envelope } from '#contracts/envelope.ts';
import type { PayResult } from '#contracts/payments.ts';
import { type BillingNo, attemptRef } from '#kernel/ids.ts';
import { query } from '#server/platform/database/db.ts';
import type { Player } from './players.ts';
import type { ChaosShop } from './shop.ts';

/**
 * Our choice: a call that died is taken up after 20 s at the latest; who has no answer
 * after this is told about as lost.
 */
const TIMEOUT_MS = 150_000;
const RETRY_MS = 200;
/** Our choice: between two presses of somebody whose page did not come. */
const TAP_MS = 1_000;

export type Placed = {
  readonly status: number;
  readonly code: number;
  readonly billingNo: string;
  readonly ms: number;
};

/** One pay call; status 0 when no answer came. */
export async function callPay(shop: ChaosShop, player: Player, body: string, key: string): Promise<Placed> {
  const started = performance.now();
  const done = (status: number, code = 0, billingNo = ''): Placed => ({
    status,
    code,
    billingNo,
    ms: performance.now() - started,
  });
  try {
    const response = await shop.server.request({
      method: 'POST',
      path: `/api/pay/${player.provider}_pay`,
      headers: { ...player.headers, 'idempotency-key': key },
      body,
    });
    const answer = (await response.body.json()) as Envelope<PayResult>;
    return done(response.statusCode, answer.code, answer.content?.billing_no);
  } catch {
    return done(0);
  }
}

export function nextBody(player: Player): string {
  player.next += 1;
  return player.orders[player.next % player.orders.length] ?? '';
}

/** Answers that tell the browser to ask again with the same key. */
const TRY_AGAIN: readonly number[] = [
  CODES.requestRunning.code,
  CODES.unavailable.code,
  CODES.providerUnavailable.code,
  // The game is asked before anybody is asked for money; one that stays silent is asked again by the next press.
  CODES.gameUnreachable.code,
  CODES.failed.code,
];

/** @returns the number of the order that the shop confirmed. @throws Error when it refused or stayed silent */
export async function placeForSure(shop: ChaosShop, player: Player, key: string, body: string): Promise<string> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { status, code, billingNo } = await callPay(shop, player, body, key);
    if ((code === CODES.success.code || code === CODES.repeatOrder.code) && billingNo !== '') return billingNo;
    // 503 without our envelope: a server that is about to stop.
    if (status !== 0 && status !== 503 && !TRY_AGAIN.includes(code))
      throw new Error(`pay was refused: status ${status}, code ${code}, ${body}`);
    if (performance.now() > deadline)
      throw new Error(`no order after ${TIMEOUT_MS / 1000} s: status ${status}, code ${code}`);
    await sleep(RETRY_MS);
  }
}

/** Pays at the provider what can be paid there; false while there is nothing. */
export async function payAtProvider(shop: ChaosShop, player: Player, billingNo: string, note = ''): Promise<boolean> {
  const attempts = await query<{ attempt_no: number }>(
    shop.db,
    'chaos_attempts',
    'select attempt_no from payment_attempt where player_id = $1 and billing_no = $2 order by attempt_no desc',
    [player.playerId, billingNo],
  ).catch(() => [{ attempt_no: 1 }]);
  for (const { attempt_no: attemptNo } of attempts) {
    const answer = await control(shop, `/control/${player.provider}/pay`, {
      reference: attemptRef(billingNo as BillingNo, attemptNo),
      note,
    });
    if (answer === 200) return true;
  }
  return false;
}

/** Describes the payment attempts of an order, for a sentence about one that went nowhere. */
async function describeAttempts(shop: ChaosShop, player: Player, billingNo: string): Promise<string> {
  const [row] = await query<{ said: string }>(
    shop.db,
    'chaos_describe_attempts',
    `select string_agg(format('order %s; attempt %s at %s is %s, asked %s times, next at %s, payable until %s', o.state,
       a.attempt_no, a.provider, a.state, a.query_count, a.next_query_at, a.payable_until), '; ') as said
     from orders o left join payment_attempt a using (player_id, billing_no)
     where o.player_id = $1 and o.billing_no = $2`,
    [player.playerId, billingNo],
  );
  return row?.said ?? 'nothing';
}

/** A control call of the simulators; answers the status. */
export async function control(shop: ChaosShop, path: string, body: object): Promise<number> {
  const { statusCode, body: answer } = await shop.simulators.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.dump();
  return statusCode;
}

/**
 * Pays an order at the provider. A page that never came is asked for again, as a player does who taps once more.
 * @param placed what was ordered, and the order that the call answered
 * @returns the order that was paid in the end, and how often its page was asked for again
 */
export async function payForSure(
  shop: ChaosShop,
  player: Player,
  placed: { body: string; billingNo: string },
): Promise<{ billingNo: string; taps: number }> {
  const deadline = performance.now() + TIMEOUT_MS;
  let { billingNo } = placed;
  for (let taps = 0; ; taps += 1) {
    if (await payAtProvider(shop, player, billingNo)) return { billingNo, taps };
    if (performance.now() > deadline)
      throw new Error(
        `${billingNo} cannot be paid at the provider: ${await describeAttempts(shop, player, billingNo)}`,
      );
    await sleep(TAP_MS);
    // Each press is a call of its own; whether the order still stands by then is the shop's to say.
    billingNo = await placeForSure(shop, player, randomUUID(), placed.body);
  }
}

/**
 * Placed, paid and delivered.
 * @param beforePaying called when the order stands and the game is asked for nothing more but its goods
 * @returns the number of the order
 */
export async function buyForSure(
  shop: ChaosShop,
  player: Player,
  beforePaying: () => void = () => undefined,
): Promise<string> {
  const [key, body] = [randomUUID(), nextBody(player)];
  const deadline = performance.now() + TIMEOUT_MS;
  const placed = { body, billingNo: await placeForSure(shop, player, key, body) };
  beforePaying();
  const { billingNo } = await payForSure(shop, player, placed);
  await waitUntilDelivered(shop, player, billingNo, deadline - performance.now());
  return billingNo;
}

/** @param mayBeGone who waits for an order that the database does not know (any more) need not wait longer */
export async function waitUntilDelivered(
  shop: ChaosShop,
  player: Player,
  billingNo: string,
  timeoutMs = TIMEOUT_MS,
  mayBeGone = false,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await query<{ state: string }>(
      shop.db,
      'chaos_state',
      'select state from orders where player_id = $1 and billing_no = $2',
      [player.playerId, billingNo],
    ).catch(() => null);
    const row = found?.[0];
    if (row?.state === 'delivered') return;
    if (mayBeGone && found?.length === 0) throw new Error(`${billingNo} is nowhere`);
    if (performance.now() > deadline) throw new Error(`${billingNo} is ${row?.state ?? 'nowhere'} at the end`);
    await sleep(25);
  }
}

/**
 * `count` orders by all players at once, each player one after the other. @returns numbers, and
 * sentences of what went wrong
 */
export async function buyMany(
  count: number,
  players: readonly Player[],
  buy: (player: Player) => Promise<string>,
  onOrder: (begun: number) => void = () => undefined,
): Promise<{ billingNos: string[]; troubles: string[] }> {
  const billingNos: string[] = [];
  const troubles: string[] = [];
  let begun = 0;
  await Promise.all(
    players.map(async (player) => {
      while (begun < count) {
        begun += 1;
        onOrder(begun);
        await buy(player).then(
          (billingNo) => billingNos.push(billingNo),
          (error: Error) => troubles.push(error.message),
        );
      }
    }),
  );
  return { billingNos, troubles };
}
