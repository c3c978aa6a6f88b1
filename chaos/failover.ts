// Test 19: the primary dies (kill -9, and its wire with it) under load, its standby is promoted, the shop goes on there. With a
// synchronous standby nothing that was confirmed is lost. The same with an asynchronous one shows what the setting is for: its losses are
// what it is run for, so they are told and not counted.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '#server/platform/db.ts';
import { type Defer, withCleanup } from '#bench/kit/cleanup.ts';
import { percentile } from '#bench/kit/figures.ts';
import { nextBody, payAtProvider, placeForSure, waitUntilDelivered } from './kit/buy.ts';
import { type Cluster, createCluster, createStandby, runSql } from './kit/cluster.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { type Player, makePlayers } from './kit/players.ts';
import { type ChaosShop, makeFolder, startChaosShop } from './kit/shop.ts';
import { judge, readGame } from './kit/verdict.ts';
import { type Proxy, startProxy } from './proxy.ts';

export type FailoverLoad = {
  readonly isSynchronous: boolean;
  readonly failovers: number;
  readonly clients: number;
  /** Of load before each failover. */
  readonly seconds: number;
};

/** Each way between primary and standby: the next town. Equal in both runs. */
const WIRE_MS = 20;
/** Our choice: callbacks that were refused are sent again after 2, 5 and 10 s; what is not delivered by then never will be. */
const PATIENCE_MS = 45_000;

type Pair = { readonly primary: Cluster; readonly standby: Cluster; readonly wire: Proxy };

/** What the shop has told somebody: a player about an order, a player about goods. */
type Told = { readonly confirmed: Set<string>; readonly delivered: Set<string>; lastAt: number };

export function failOver(load: FailoverLoad): Promise<Finding> {
  return withCleanup(async (defer) => {
    const { root } = await makeFolder(defer);
    let primary = await createCluster(defer, join(root, 'server-0'));
    await runSql(primary.url, `alter system set wal_keep_size = '512MB'`, 'select pg_reload_conf()');
    const shop = await startChaosShop(defer, { postgres: primary, databasePorts: () => [primary.port] });
    const players = await makePlayers(shop, load.clients, { providers: ['adyen'] });
    let pair = await addStandby(defer, primary, join(root, 'server-1'), load.isSynchronous);

    const told: Told = { confirmed: new Set(), delivered: new Set(), lastAt: performance.now() };
    const control = { isOver: false };
    const gone: string[] = [];
    const playing = Promise.all(players.map((player) => play(shop, player, told, control, gone)));
    const outages: number[] = [];
    for (let turn = 1; turn <= load.failovers; turn += 1) {
      await sleep(load.seconds * 1000 + Math.random() * 300);
      const died = performance.now();
      primary = await promote(pair);
      const promoted = performance.now();
      while (told.lastAt < promoted) {
        if (performance.now() - died > PATIENCE_MS) throw new Error('no order was taken after a failover');
        await sleep(5);
      }
      outages.push((performance.now() - died) / 1000);
      if (turn < load.failovers)
        pair = await addStandby(defer, primary, join(root, `server-${turn + 1}`), load.isSynchronous);
    }
    control.isOver = true;
    await playing;
    return judgeFailovers(shop, load, told, gone, outages);
  });
}

/** Order after order, each paid and delivered; whoever waits too long for one says so and goes on. */
async function play(
  shop: ChaosShop,
  player: Player,
  told: Told,
  control: { isOver: boolean },
  gone: string[],
): Promise<void> {
  while (!control.isOver) {
    const billingNo = await placeForSure(shop, player, randomUUID(), nextBody(player));
    told.confirmed.add(billingNo);
    told.lastAt = performance.now();
    if (!(await payAtProvider(shop, player, billingNo))) {
      gone.push(`${billingNo} was confirmed and can not be paid`);
      continue;
    }
    await waitUntilDelivered(shop, player, billingNo, PATIENCE_MS, true).then(
      () => told.delivered.add(billingNo),
      (error: Error) => gone.push(error.message),
    );
  }
}

async function judgeFailovers(
  shop: ChaosShop,
  load: FailoverLoad,
  told: Told,
  gone: readonly string[],
  outages: readonly number[],
): Promise<Finding> {
  const rows = await query<{ billing_no: string; state: string }>(
    shop.db,
    'chaos_survivors',
    'select billing_no, state from orders',
  );
  const survivors = new Map(rows.map((row) => [row.billing_no, row.state]));
  const lostOrders = [...told.confirmed].filter((billingNo) => !survivors.has(billingNo));
  const lostGoods = [...told.delivered].filter((billingNo) => survivors.get(billingNo) !== 'delivered');
  const goods = `${told.delivered.size} delivered, ${lostGoods.length} of them forgotten`;
  const result = `${load.isSynchronous ? 'synchronous' : 'asynchronous'} standby, ${load.failovers} failovers: ${told.confirmed.size} orders confirmed, ${lostOrders.length} of them gone; ${goods}; an order taken again after ${percentile(outages, 50).toFixed(1)} s (median), ${percentile(outages, 100).toFixed(1)} s (longest)`;
  if (told.delivered.size === 0) throw new Error('nothing was delivered');
  const { keys } = await readGame(shop);
  const verdict = await judge(shop, [...told.delivered]);
  // Goods of an order that was lost are told as lost below, not as given for nothing.
  const doubled = keys.length === new Set(keys).size ? [] : ['the game holds a key twice'];
  const lost = [...new Set([...lostOrders.map((one) => `${one} was confirmed and is gone`), ...gone, ...verdict.lost])];
  if (load.isSynchronous) return toFinding({ ...verdict, doubled, lost }, told.confirmed.size, result);
  const shown = lost.length > 0 ? `${lost.length} promises broken, as expected` : 'none broken this time';
  return toFinding({ ...verdict, doubled, lost: [] }, told.confirmed.size, `${result}; ${shown}`);
}

async function addStandby(defer: Defer, primary: Cluster, dataDir: string, isSynchronous: boolean): Promise<Pair> {
  const wire = await startProxy(defer, () => [primary.port]);
  wire.setFault({ kind: 'latency', ms: WIRE_MS });
  const standby = await createStandby(defer, primary, dataDir, wire.port);
  if (isSynchronous)
    await runSql(
      primary.url,
      // On the database, because the server's command line would overrule the file.
      'alter database refill set synchronous_commit = remote_apply',
      `alter system set synchronous_standby_names = '*'`,
      'select pg_reload_conf()',
      // Connections take up the setting of their database when they are made.
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'refill' and application_name <> 'refill owner' and pid <> pg_backend_pid()`,
    );
  const wanted = isSynchronous ? 'sync' : 'async';
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const rows = await runSql(primary.url, 'select state, sync_state from pg_stat_replication');
    if (rows.some((row) => row.state === 'streaming' && row.sync_state === wanted)) break;
    if (performance.now() > deadline) throw new Error('the standby does not follow');
    await sleep(50);
  }
  return { primary, standby, wire };
}

/** As when the machine of the primary burns: nothing more comes over the wire, nobody is asked. */
async function promote({ primary, standby, wire }: Pair): Promise<Cluster> {
  wire.setFault({ kind: 'cut' });
  await primary.kill();
  await runSql(standby.url, 'select pg_promote(true, 30)');
  return standby;
}
