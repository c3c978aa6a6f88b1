// Tests 1, 2 and 4: servers that are killed (kill -9) at random moments while orders flow, and come back at once.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryInSeconds } from '#server/modules/orders/rules.ts';
import { query } from '#server/platform/database/db.ts';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { buyForSure, buyMany, control, nextBody, payAtProvider, placeForSure, waitUntilDelivered } from './kit/buy.ts';
import { type Borrowed, type Finding, toFinding } from './kit/finding.ts';
import { type Player, makePlayers } from './kit/players.ts';
import { countPayments, listPayments } from './kit/provider-payments.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { judge, readGame, readLongestWait } from './kit/verdict.ts';

export type KillLoad = { readonly orders: number; readonly kills: number; readonly players: number };

/** Of the game's answers; the goods were given. @source docs/reliability.md, tests 1 and 2 */
const APPLIED_BUT_503 = 0.05;
/** Our choice: a process that starts on a busy machine, and the first look for work. */
const GRACE_SECONDS = 8;
/** @source docs/reliability.md: a call of a dead process is made again when its lease of 15 s has run out */
const LEASE_SECONDS = 15;
/** @source docs/reliability.md, test 1 */
const DRAINED_SECONDS = 30;

/** Tests 1 (one server) and 2 (two, killed in turn). */
export function killServers(servers: number, load: KillLoad, borrowed: Borrowed): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer, { servers, ...borrowed });
    const players = await makePlayers(shop, load.players);
    await control(shop, '/control/game/faults', { kind: 'applied-but-503', probability: APPLIED_BUT_503 });
    let begun = 0;
    const buying = buyMany(
      load.orders,
      players,
      (player) => buyForSure(shop, player),
      (count) => void (begun = count),
    );
    const { kills, lastKillAt } = await killInTurn(shop, load, () => begun);
    const { billingNos, troubles } = await buying;
    const drained = (performance.now() - lastKillAt) / 1000;
    const [wait, game, verdict] = [await readLongestWait(shop), await readGame(shop), await judge(shop, billingNos)];
    troubles.push(...(await findLateDeliveries(shop)));
    if (billingNos.length !== load.orders)
      troubles.push(`${billingNos.length} of ${load.orders} orders came to their end`);
    if (drained > DRAINED_SECONDS) troubles.push(`drained after ${drained.toFixed(1)} s`);
    for (const slot of shop.slots) troubles.push(...slot.troubles.slice(0, 2));
    return toFinding(
      verdict,
      billingNos.length,
      `${billingNos.length} delivered over ${kills} kills, ${game.repeated} grants repeated, worst wait of a ` +
        `paid order ${wait.toFixed(1)} s, drained ${drained.toFixed(1)} s after the last kill`,
      troubles,
    );
  });
}

/**
 * No order waits longer than its own calls explain: each one before the last was cut short (a lease), or its answer was
 * lost (the wait before the next).
 */
async function findLateDeliveries(shop: ChaosShop): Promise<string[]> {
  const rows = await query<{ billing_no: string; tries: number; seconds: number }>(
    shop.db,
    'chaos_late_deliveries',
    `select o.billing_no, d.tries, extract(epoch from o.delivered_at - o.paid_at)::float8 as seconds
     from orders o join delivery d using (player_id, billing_no)
     where o.delivered_at - o.paid_at > $1 * interval '1 second'`,
    [GRACE_SECONDS],
  );
  return rows.flatMap(({ billing_no: billingNo, tries, seconds }) => {
    const waits = Array.from({ length: tries - 1 }, (_, n) => Math.max(LEASE_SECONDS, retryInSeconds(n + 1, 1) ?? 0));
    const longest = waits.reduce((sum, one) => sum + one, GRACE_SECONDS);
    return seconds > longest ? [`${billingNo} waited ${seconds.toFixed(1)} s for ${tries} calls of the game`] : [];
  });
}

/** Moments are drawn over the orders that are begun, so that a slow machine is killed as often as a fast one. */
export async function killInTurn(shop: ChaosShop, load: Pick<KillLoad, 'orders' | 'kills'>, begun: () => number) {
  const moments = Array.from({ length: load.kills }, () => Math.random() * 0.95 * load.orders).toSorted(
    (a, b) => a - b,
  );
  const starting = new Map<number, Promise<void>>();
  let lastKillAt = performance.now();
  for (const [turn, moment] of moments.entries()) {
    const index = turn % shop.slots.length;
    await starting.get(index);
    while (begun() < moment) await sleep(2);
    await sleep(Math.random() * 60);
    const slot = shop.slots[index];
    await slot?.kill();
    lastKillAt = performance.now();
    // At once, as any supervisor does; with two servers the other works on meanwhile.
    if (slot) starting.set(index, slot.start());
  }
  await Promise.all(starting.values());
  return { kills: moments.length, lastKillAt };
}

/**
 * Test 4: the provider has accepted, its answer is still on the way, and the server is killed.
 * @param load.isHurried half a minute is put back in the database after each kill: what waits for its
 *   time (the call that is taken up again, the first question to the provider) comes at once
 */
export function killBeforeCommit(
  load: { orders: number; atOnce: number; isHurried: boolean },
  borrowed: Borrowed,
): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer, { ...borrowed });
    const players = await makePlayers(shop, load.atOnce);
    const billingNos: string[] = [];
    const troubles: string[] = [];
    const ends: Promise<void>[] = [];
    let kills = 0;
    for (let left = load.orders; left > 0; left -= load.atOnce) {
      const batch = players.slice(0, Math.min(left, load.atOnce));
      const accepted = await holdAnswers(shop, batch);
      const calls = batch.map((player) => ({ player, key: randomUUID(), body: nextBody(player) }));
      const placing = calls.map(({ player, key, body }) =>
        placeForSure(shop, player, key, body).catch((error: Error) => error.message),
      );
      await accepted();
      await shop.slots[0]?.kill();
      kills += 1;
      await shop.slots[0]?.start();
      const open = await query<{ player_id: string; billing_no: string }>(
        shop.db,
        'chaos_created',
        `select player_id, billing_no from orders where state = 'created'`,
      );
      for (const [index, { player_id: playerId, billing_no: billingNo }] of open.entries()) {
        const player = batch.find((one) => one.playerId === playerId);
        if (!player) continue;
        // Every other one's callback is lost for ever: only asking the provider can tell.
        if (!(await payAtProvider(shop, player, billingNo, index % 2 === 0 ? 'lost' : '')))
          troubles.push(`the provider knows nothing of ${billingNo}`);
        billingNos.push(billingNo);
        ends.push(
          waitUntilDelivered(shop, player, billingNo).catch((error: Error) => void troubles.push(error.message)),
        );
      }
      if (load.isHurried) await passHalfMinute(shop);
      const confirmed = await Promise.all(placing);
      if (new Set([...confirmed, ...open.map((row) => row.billing_no)]).size !== batch.length)
        troubles.push(`${batch.length} players got other orders than the ${open.length} that were cut short`);
    }
    await Promise.all(ends);
    const verdict = await judge(shop, billingNos);
    return toFinding(
      { ...verdict, doubled: [...verdict.doubled, ...(await findDoubleCharges(shop, billingNos))] },
      billingNos.length,
      `${billingNos.length} orders cut short by ${kills} kills were paid at the provider and delivered, worst ` +
        `wait of a paid order ${(await readLongestWait(shop)).toFixed(1)} s`,
      troubles,
    );
  });
}

async function passHalfMinute(shop: ChaosShop): Promise<void> {
  for (const [name, text] of Object.entries({
    attempt: `update payment_attempt
      set created_at = created_at - interval '30 seconds', next_query_at = next_query_at - interval '30 seconds'
      where state = 'sent'`,
    key: `update idempotency set created_at = created_at - interval '30 seconds' where answer is null`,
  }))
    await query(shop.db, `chaos_half_minute_${name}`, text);
}

/** Makes the provider keep back its next answers; the result waits until it has accepted them all. */
async function holdAnswers(shop: ChaosShop, players: readonly Player[]): Promise<() => Promise<void>> {
  const names = [...new Set(players.map((player) => player.provider))];
  const before = await countPayments(shop, names);
  for (const name of names)
    await control(shop, `/control/${name}/faults`, {
      on: 'create',
      fault: 'timeout',
      times: players.filter((player) => player.provider === name).length,
    });
  return async () => {
    const deadline = performance.now() + 10_000;
    while ((await countPayments(shop, names)) < before + players.length) {
      if (performance.now() > deadline) throw new Error('the provider has not accepted all payments');
      await sleep(20);
    }
  };
}

/** Both simulators show taken money: Adyen's as a payment, Xsolla's as a transaction. */
async function findDoubleCharges(shop: ChaosShop, billingNos: readonly string[]): Promise<string[]> {
  const payments = [...(await listPayments(shop, 'adyen')), ...(await listPayments(shop, 'xsolla'))];
  const charged = payments.filter((one) => one.payment || one.transaction).map((one) => one.reference ?? '');
  return billingNos
    .filter((billingNo) => charged.filter((reference) => reference.startsWith(billingNo)).length > 1)
    .map((billingNo) => `${billingNo} was charged twice`);
}
