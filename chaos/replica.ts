// Test 43: history, searches and reports are read at a streaming replica that stands still, is gone and comes back:
// what was just bought is always there, what is old says how old, and nobody waits for it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BillingInfo } from '#contracts/orders.ts';
import type { Envelope } from '#contracts/envelope.ts';
import { type Defer, withCleanup } from '#bench/kit/cleanup.ts';
import { runProgram } from '#scripts/rehearsal/processes.ts';
import { buyForSure, buyMany } from './kit/buy.ts';
import { createCluster, createStandby, runSql } from './kit/cluster.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { makePlayers, type Player } from './kit/players.ts';
import { type ChaosShop, makeFolder, startChaosShop } from './kit/shop.ts';
import { judge } from './kit/verdict.ts';

export type ReplicaLoad = { readonly orders: number; readonly players: number };

/** Seconds behind from which on the primary is read. */
const MAX_BEHIND = 20;
/** Above what a history tells of, below MAX_BEHIND. */
const STALE_MS = 8000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

type History = { list: BillingInfo[]; next: string; behind_seconds?: number };

export function readAtReplica(load: ReplicaLoad): Promise<Finding> {
  return withCleanup(async (defer: Defer) => {
    const folder = await makeFolder(defer);
    const primary = await createCluster(defer, folder.postgres);
    const replica = await createStandby(defer, primary, join(folder.root, 'replica'), primary.port);
    const shop = await startChaosShop(defer, {
      postgres: primary,
      environment: () => ({ DATABASE_READ_URL: replica.url, REFILL_REPLICA_MAX_BEHIND: String(MAX_BEHIND) }),
    });
    const faults: string[] = [];
    const expect = (isSo: boolean, sentence: string) => void (isSo || faults.push(sentence));
    const players = await makePlayers(shop, load.players);
    const bought: string[] = [];
    const buy = async (count: number) => {
      const { billingNos, troubles } = await buyMany(count, players, (player) => buyForSure(shop, player));
      bought.push(...billingNos);
      faults.push(...troubles);
    };
    const player = players[0] as Player;
    /** Buys, and looks at once. */
    const findJustBought = async (when: string) => {
      const billingNo = await buyForSure(shop, player);
      bought.push(billingNo);
      const { list } = await readHistory(shop, player, '');
      expect(list[0]?.billing_no === billingNo, `${when}: the order that was just bought is not in the history`);
    };

    await buy(load.orders);
    const before = await addOldOrders(shop, player);
    await sleep(1500);
    const well = await find(shop);
    expect(
      well.behind !== null && well.behind < 5,
      `a replica that follows was read as ${String(well.behind)} s behind`,
    );
    const old = await readHistory(shop, player, before);
    expect(old.list.length > 0 && old.behind_seconds === undefined, 'the old orders are not there, or told as stale');
    await findJustBought('with a replica that follows');
    expect(
      (await doctor(shop)).some((line) => /replica that is \d\.\d s behind/.test(line)),
      'doctor is silent on it',
    );

    await runSql(replica.url, 'select pg_wal_replay_pause()');
    await buy(load.orders);
    await sleep(STALE_MS);
    const stale = await readHistory(shop, player, before);
    const behind = stale.behind_seconds ?? 0;
    expect(behind >= STALE_MS / 1000 && behind <= MAX_BEHIND, `a history ${STALE_MS} ms old says ${behind} s`);
    await findJustBought('with a replica that stands still');
    await sleep(MAX_BEHIND * 1000 - STALE_MS);
    const tooOld = await readHistory(shop, player, before);
    expect(tooOld.list.length > 0 && tooOld.behind_seconds === undefined, 'a replica too far behind was read');
    expect((await find(shop)).behind === null, 'a search was read at a replica too far behind');
    expect(
      (await doctor(shop)).some((line) => /further behind than 20 s/.test(line)),
      'doctor does not say how far',
    );

    await resumeReplay(replica.url);
    await sleep(3000);
    expect((await find(shop)).behind !== null, 'a replica that follows again is not read');

    await replica.kill();
    const began = performance.now();
    const without = await readHistory(shop, player, before);
    const waited = performance.now() - began;
    expect(without.list.length > 0 && without.behind_seconds === undefined, 'without its replica the history is empty');
    expect(waited < 5000, `without its replica the history took ${Math.round(waited)} ms`);
    await findJustBought('without a replica');
    // They are no real orders, and the books would say so.
    await removeOldOrders(shop);
    const books = await runCli(shop, 'invariants', '--json');
    expect(books.code === 0, `the look at the books ended with ${books.code} without the replica`);
    expect(
      (await doctor(shop)).some((line) => /leads to no database/.test(line)),
      'doctor does not see it is gone',
    );
    await replica.start();
    await sleep(3000);
    const again = JSON.parse((await runCli(shop, 'invariants', '--json')).said) as { behind_seconds: number | null };
    expect(again.behind_seconds !== null, 'the look at all books was not made at the replica');

    const figures = `told ${behind} s of ${STALE_MS / 1000} s; without a replica answered in ${Math.round(waited)} ms`;
    return toFinding(await judge(shop, bought), bought.length, figures, faults);
  });
}

/**
 * The replica replays now what waited longer than `max_standby_streaming_delay` (30 s), so it ends at once every
 * statement in its way, this one too (40001).
 */
async function resumeReplay(url: string): Promise<void> {
  for (let left = 10; ; left--) {
    try {
      return void (await runSql(url, 'select pg_wal_replay_resume()'));
    } catch (error) {
      if ((error as { code?: string }).code !== '40001' || left === 0) throw error;
      await sleep(200);
    }
  }
}

/** An order has to be a month old before it is read there: copies of one, with numbers of that time. */
async function addOldOrders(shop: ChaosShop, { playerId }: Player): Promise<string> {
  const { db } = shop;
  const rows = await db.query<{ column: string }>(
    `select attname as column from pg_attribute where attrelid = 'orders'::regclass and attnum > 0
       and not attisdropped and attgenerated = '' and attname not in ('billing_no', 'state', 'created_at')`,
  );
  const columns = rows.rows.map(({ column }) => column).join(', ');
  await db.query(
    `insert into orders (billing_no, state, created_at, ${columns})
     select billing_no_at(now() - make_interval(days => 50 + n)) || substr(billing_no, 11,
       13) || 'X' || n || 'X', 'expired',
       now() - make_interval(days => 50 + n), ${columns}
     from (select * from orders where player_id = $1 limit 1) o cross join generate_series(1, 3) n`,
    [playerId],
  );
  await db.query(
    `insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id,
       amount_minor, currency, state, payable_until)
     select player_id, billing_no, 1, 'adyen', 'c', '{"en":"c"}', '', amount_minor, currency, 'expired', now()
     from orders where player_id = $1 and state = 'expired'`,
    [playerId],
  );
  const { rows: found } = await db.query<{ before: string }>(
    `select billing_no_at(now() - interval '40 days') || '0000000000000000' as before`,
  );
  return found[0]?.before ?? '';
}

async function removeOldOrders({ db }: ChaosShop): Promise<void> {
  await db.query(`delete from payment_attempt where state = 'expired' and channel_key = 'c'`);
  await db.query(`delete from orders where state = 'expired' and created_at < now() - interval '40 days'`);
}

async function readHistory(shop: ChaosShop, { headers }: Player, before: string): Promise<History> {
  const path = `/api/orders/history?limit=5${before === '' ? '' : `&before=${before}`}`;
  const answer = await shop.server.request({ method: 'GET', path, headers });
  const { content } = (await answer.body.json()) as Envelope<History>;
  return content ?? { list: [], next: '' };
}

const runCli = (shop: ChaosShop, ...args: string[]) =>
  runProgram([process.execPath, join(ROOT, 'scripts/run.mjs'), join(ROOT, 'cli/main.ts'), ...args], {
    ...(shop.environment as Record<string, string>),
  });

async function find(shop: ChaosShop): Promise<{ behind: number | null }> {
  const { said } = await runCli(shop, 'order', 'find', '--country', 'US', '--json');
  const json = JSON.parse(said.slice(said.indexOf('{'))) as { behind_seconds: number | null };
  return { behind: json.behind_seconds };
}

async function doctor(shop: ChaosShop): Promise<string[]> {
  const { said } = await runCli(shop, 'doctor', '--json');
  const { looks } = JSON.parse(said.slice(said.indexOf('{'))) as { looks: { name: string; said: string }[] };
  return looks.filter(({ name }) => name === 'DATABASE_READ_URL').map((look) => look.said);
}
