// How many orders a second does a database that Citus spreads over nodes take, beside a plain one on the same
// processors, and what does each way to another node cost? Both sides run in turn: a shop on the cluster, and one on a
// database of its own of the coordinator's PostgreSQL, which is the same program with the same settings.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type ClusterNode, listNodes, readCounters } from '#chaos/kit/citus.ts';
import { runSql } from '#chaos/kit/cluster.ts';
import { createOnCluster, dropOnCluster } from '#testing/cluster.ts';
import { distributeAll } from '#testing/cluster-template.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { type Defer, withCleanup } from './kit/cleanup.ts';
import { type Goal, median, spread } from './kit/figures.ts';
import { type Hop, measureHops } from './kit/hops.ts';
import { printGoals, printTable, show } from './kit/print.ts';
import { type BenchShop, startShop } from './kit/shop.ts';
import { resetStatements, printStatements } from './kit/statements.ts';
import { parentOf, treeCpuMs } from './kit/usage.ts';
import { findFaults } from './money-path/books.ts';
import { makeBuyers } from './money-path/buyers.ts';
import { type DrivenOrder, type Driver, buy, driveInParallel } from './money-path/drive.ts';
import { type Costs, costsOf, readCosts } from './money-path/round.ts';
import { watchGrants } from './money-path/watch-grants.ts';
import type { ProviderName } from './orders.ts';

export type ClusterOptions = {
  /** A database of the coordinator that knows the workers. */
  readonly cluster: string;
  readonly provider: ProviderName;
  readonly players: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly countsStatements: boolean;
};

/** @source docs/scaling.md: below that a cluster of a few nodes carries less than one machine */
const GOALS = {
  share: { name: 'delivered on the cluster, of plain PostgreSQL', limit: 0.4, sense: 'at least', unit: '' },
  multi: { name: 'statements over several shards an order', limit: 1, sense: 'at most', unit: '' },
} satisfies Record<string, Goal>;

/** Our choice: with 16 players each waits some dozens of orders for its next one: none meets a limit a minute. */
const ACCOUNTS = 600;
const WARM_UP_SECONDS = 8;
const IDLE_MS = 5_000;
const TIMEOUT_MS = 60_000;

type Side = {
  readonly name: string;
  readonly url: string;
  readonly db: Db;
  readonly shop: BenchShop;
  readonly driver: Driver;
};
type Counted = { readonly single: number; readonly multi: number };
type Turn = {
  readonly orders: readonly DrivenOrder[];
  readonly perSecond: number;
  readonly costs: Costs;
  readonly counted: Counted;
};

/** Answers whether the goals were met and everything added up. */
export function benchCluster(options: ClusterOptions): Promise<boolean> {
  return withCleanup(async (defer) => {
    const nodes = await listNodes(options.cluster);
    if (nodes.length < 2) throw new RangeError('--cluster is no coordinator that knows a worker.');
    const pids = await Promise.all(nodes.map(findPostmaster));
    const spreadSide = await openSide(defer, 'cluster', await createSpread(defer, options.cluster), pids, options);
    const plainSide = await openSide(defer, 'plain', await createPlain(defer, options.cluster), pids, options);
    const sides = [spreadSide, plainSide];
    const paid = new Map<Side, DrivenOrder[]>(sides.map((side) => [side, []]));
    for (const side of sides) {
      const warm = await drive(side, WARM_UP_SECONDS, options.players);
      paid.get(side)?.push(...warm.orders);
      await side.db.query('analyze');
    }
    const idle = await countIdle(spreadSide);
    console.log(
      `${options.provider}, ${options.players} players, ${ACCOUNTS} accounts, ${options.rounds} rounds of ` +
        `${options.seconds} s a side, ${nodes.length} nodes; ${await describePostgres(spreadSide.db)}\n`,
    );
    const turns = new Map<Side, Turn[]>(sides.map((side) => [side, []]));
    for (let round = 0; round < options.rounds; round += 1) {
      // The sides change places, so that any drift of the machine falls on both.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const turn = await drive(side, options.seconds, options.players);
        turns.get(side)?.push(turn);
        paid.get(side)?.push(...turn.orders);
      }
    }
    if (options.countsStatements) paid.get(spreadSide)?.push(...(await tellStatements(spreadSide, options)));
    const [onCluster = [], onPlain = []] = sides.map((side) => turns.get(side));
    printTurns(onCluster, onPlain);
    const perOrder = printCounted(onCluster, idle);
    await printHops(sides, pids);
    const share = median(onCluster.map((turn, index) => turn.perSecond / (onPlain[index]?.perSecond ?? Number.NaN)));
    const isMet = printGoals([
      { goal: GOALS.share, value: share },
      { goal: GOALS.multi, value: perOrder },
    ]);
    const faults = await findAllFaults(sides, paid);
    console.log(faults.length === 0 ? 'Checked: the books of both sides.' : `WRONG: ${faults.join('; ')}`);
    for (const side of sides) await side.shop.stopServer();
    return isMet && faults.length === 0;
  });
}

async function createSpread(defer: Defer, cluster: string): Promise<string> {
  const name = `refill_bench_${randomBytes(4).toString('hex')}`;
  defer(() => dropOnCluster(cluster, name));
  await createOnCluster(cluster, name);
  const url = atDatabase(cluster, name);
  await migrate(url);
  await distributeAll(url);
  await runSql(url, `alter database ${name} set citus.enable_stat_counters = on`);
  return url;
}

async function createPlain(defer: Defer, cluster: string): Promise<string> {
  const name = `refill_plain_${randomBytes(4).toString('hex')}`;
  defer(() => runSql(cluster, `drop database if exists ${name} with (force)`));
  await runSql(cluster, `create database ${name}`);
  return atDatabase(cluster, name);
}

function atDatabase(cluster: string, name: string): string {
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}

async function findPostmaster({ url }: ClusterNode): Promise<number> {
  const [row] = await runSql(url, `select pid from pg_stat_activity where backend_type = 'checkpointer'`);
  return parentOf(Number(row?.['pid']));
}

async function openSide(
  defer: Defer,
  name: string,
  url: string,
  pids: readonly number[],
  { players, provider }: ClusterOptions,
): Promise<Side> {
  const watch = watchGrants();
  const shop = await startShop(defer, {
    database: { url, pids },
    onGrant: watch.granted,
    serverEnvironment: { REFILL_MAX_ORDERS_PER_MINUTE: '60', REFILL_MAX_OPEN_ORDERS: '1000' },
  });
  const db = openDb(url, { max: 4, onError: () => undefined });
  defer(() => db.end());
  const server = new Pool(shop.serverOrigin, { connections: Math.max(64, players), pipelining: 1 });
  defer(() => server.destroy());
  const market = await makeBuyers(db, server, { port: shop.port, provider, count: ACCOUNTS });
  return { name, url, db, shop, driver: { market, server, simulators: shop.simulators, provider, watch } };
}

/** Until the goods are in the game and the books say so too. */
async function drive(side: Side, seconds: number, players: number): Promise<Turn> {
  const { db, driver, shop } = side;
  const isSpread = side.name === 'cluster';
  const [before, counted] = [readCosts(shop), isSpread ? await readCounters(side.url) : null];
  const began = performance.now();
  const done = await driveInParallel(seconds, players, (buyer) => buy(driver, buyer), driver.market.buyers);
  await waitForBooks(db);
  const took = (performance.now() - began) / 1000;
  const after = isSpread ? await readCounters(side.url) : null;
  return {
    orders: done.orders,
    perSecond: done.orders.length / took,
    costs: costsOf(before, readCosts(shop), done.orders.length),
    counted: {
      single: ((after?.single ?? 0) - (counted?.single ?? 0)) / done.orders.length,
      multi: ((after?.multi ?? 0) - (counted?.multi ?? 0)) / done.orders.length,
    },
  };
}

async function waitForBooks(db: Db): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { rows } = await db.query<{ left: number }>(
      "select count(*)::integer as left from orders where state in ('paid', 'delivering')",
    );
    if (rows[0]?.left === 0) return;
    if (performance.now() > deadline) throw new Error(`${rows[0]?.left} orders did not come to their end`);
    await sleep(20);
  }
}

/** Measures the search for due work, per second: it must not depend on the number of orders. */
async function countIdle({ url }: Side): Promise<Counted> {
  const before = await readCounters(url);
  await sleep(IDLE_MS);
  const after = await readCounters(url);
  const seconds = IDLE_MS / 1000;
  return { single: (after.single - before.single) / seconds, multi: (after.multi - before.multi) / seconds };
}

function printTurns(onCluster: readonly Turn[], onPlain: readonly Turn[]): void {
  const rate = (turns: readonly Turn[]) => turns.map(({ perSecond }) => show(perSecond)).join(', ');
  console.log(`Delivered a second, round by round: cluster ${rate(onCluster)}; plain ${rate(onPlain)}.\n`);
  const rows: [string, (turns: readonly Turn[]) => number][] = [
    ['orders delivered a second', (turns) => median(turns.map(({ perSecond }) => perSecond))],
    ['server, processor ms an order', (turns) => median(turns.map(({ costs }) => costs.server))],
    ['PostgreSQL, all nodes, processor ms an order', (turns) => median(turns.map(({ costs }) => costs.postgres))],
    ['driver and simulators, processor ms an order', (turns) => median(turns.map(({ costs }) => costs.driver))],
    ['rest of the machine, processor ms an order', (turns) => median(turns.map(({ costs }) => costs.others))],
    ['pay call, median ms', (turns) => spread(turns.flatMap(({ orders }) => orders.map((one) => one.payMs))).p50],
    ['pay call, p99 ms', (turns) => spread(turns.flatMap(({ orders }) => orders.map((one) => one.payMs))).p99],
    ['whole order, median ms', (turns) => spread(turns.flatMap(({ orders }) => orders.map((o) => o.wholeMs))).p50],
    ['whole order, p99 ms', (turns) => spread(turns.flatMap(({ orders }) => orders.map((o) => o.wholeMs))).p99],
  ];
  printTable(
    ['median of the rounds', 'plain', 'cluster', 'cluster / plain'],
    rows.map(([name, of]) => [name, show(of(onPlain)), show(of(onCluster)), (of(onCluster) / of(onPlain)).toFixed(2)]),
  );
}

/** @returns statements over several shards an order, without looking for due work */
function printCounted(onCluster: readonly Turn[], idle: Counted): number {
  const of = (figure: (turn: Turn) => number) => median(onCluster.map(figure));
  const without = of(({ counted, perSecond }) => Math.max(0, counted.multi - idle.multi / perSecond));
  console.log(
    `An order sent ${show(of(({ counted }) => counted.single))} statements to one shard and ` +
      `${show(of(({ counted }) => counted.multi))} to several; ${show(without)} of them without looking for due work, ` +
      `which alone took ${show(idle.multi)} over several shards a second.\n`,
  );
  return without;
}

async function printHops(sides: readonly Side[], pids: readonly number[]): Promise<void> {
  const cpuMs = () => pids.reduce((sum, pid) => sum + treeCpuMs(pid), 0);
  const measured: Hop[][] = [];
  for (const { db } of sides) measured.push(await measureHops(db, cpuMs));
  const [onCluster = [], onPlain = []] = measured;
  printTable(
    ['one statement alone', 'plain: ms', 'cluster: ms', 'plain: PostgreSQL ms', 'cluster: PostgreSQL ms'],
    onCluster.map(({ name, ms, postgresMs }, index) => [
      name,
      show(onPlain[index]?.ms ?? Number.NaN),
      show(ms),
      show(onPlain[index]?.postgresMs ?? Number.NaN),
      show(postgresMs),
    ]),
  );
}

/** Of the coordinator, which plans them all; only where the nodes were started with the counting library. */
async function tellStatements(side: Side, options: ClusterOptions): Promise<readonly DrivenOrder[]> {
  const { rows } = await side.db.query<{ shared_preload_libraries: string }>('show shared_preload_libraries');
  if (!rows[0]?.shared_preload_libraries.includes('pg_stat_statements')) {
    console.log('Statements are not told: pg_stat_statements is not in shared_preload_libraries of the coordinator.\n');
    return [];
  }
  await side.db.query('create extension if not exists pg_stat_statements');
  await resetStatements(side.db);
  const turn = await drive(side, options.seconds, options.players);
  await printStatements(side.db, turn.orders.length);
  return turn.orders;
}

async function findAllFaults(
  sides: readonly Side[],
  paid: ReadonlyMap<Side, readonly DrivenOrder[]>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const side of sides) {
    const numbers = (paid.get(side) ?? []).map(({ billingNo }) => billingNo);
    const found = await findFaults(side.db, side.driver.simulators, numbers);
    faults.push(...found.map((fault) => `${side.name}: ${fault}`));
  }
  return faults;
}

async function describePostgres(db: Db): Promise<string> {
  const { rows } = await db.query<{ version: string; citus: string }>(
    `select current_setting('server_version') as version, (select extversion from pg_extension where extname = 'citus') as citus`,
  );
  return `PostgreSQL ${rows[0]?.version.split(' ')[0]}, Citus ${rows[0]?.citus}, both sides on the same server program`;
}
