// How many orders a second does one machine take from the pay call to the goods in the game, how long does
// a player wait, and what does it cost the server? Everything over real HTTP and signed, on loopback. Told in
// docs/benchmarks.md.
import { availableParallelism } from 'node:os';
import { Pool } from 'undici';
import { openDb } from '#server/platform/database/db.ts';
import { type Defer, withCleanup } from './kit/cleanup.ts';
import { type Goal, median, percentile, spread } from './kit/figures.ts';
import { predictRate } from './kit/capacity.ts';
import { printGoals, printTable, show } from './kit/print.ts';
import { type BenchShop, startShop } from './kit/shop.ts';
import { resetStatements, printStatements } from './kit/statements.ts';
import { usageOf } from './kit/usage.ts';
import { findFaults } from './money-path/books.ts';
import { makeBuyers } from './money-path/buyers.ts';
import { type Driver, type DrivenOrder, buy, driveInParallel } from './money-path/drive.ts';
import { type Costs, type Round, STEADY_RATE, runRound } from './money-path/round.ts';
import { watchDeliveries } from './money-path/watch-deliveries.ts';

const PROVIDERS = ['adyen', 'xsolla', 'paypal'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

export function isProviderName(name: string): name is ProviderName {
  return (PROVIDERS as readonly string[]).includes(name);
}

export type OrdersOptions = {
  readonly provider: ProviderName;
  readonly players: number;
  /** Of each phase. */
  readonly seconds: number;
  readonly rounds: number;
  readonly profileFolder: string | undefined;
  readonly countsStatements: boolean;
  /** One process serves, another delivers. */
  readonly isSplit: boolean;
};

/**
 * Our choice: so many that none comes to the limit on orders a minute, whatever the number of players; that limit is
 * what an order reads of its account's past.
 */
const ACCOUNTS = 1000;
/** Compiled code and filled caches: after 5 s the first round was still a tenth slower than the others. */
const WARM_UP_SECONDS = 15;

/** Goals for 16 players on two processors shared by everything that takes part. @source docs/benchmarks.md, "Goals" */
const GOALS = {
  delivered: { name: 'orders delivered', limit: 600, sense: 'at least', unit: '/s' },
  deliveredSplit: { name: 'orders delivered, web and worker apart', limit: 400, sense: 'at least', unit: '/s' },
  placed: { name: 'placed over HTTP, of the bare function', limit: 50, sense: 'at least', unit: '%' },
  pay: { name: 'pay call, p99', limit: 50, sense: 'at most', unit: 'ms' },
  steadyMedian: { name: `callback to delivered at ${STEADY_RATE}/s, median`, limit: 15, sense: 'at most', unit: 'ms' },
  steadyTail: { name: `callback to delivered at ${STEADY_RATE}/s, p99`, limit: 50, sense: 'at most', unit: 'ms' },
  fullTail: { name: 'callback to delivered at full load, p99', limit: 100, sense: 'at most', unit: 'ms' },
  cpu: { name: 'server processor time an order', limit: 1, sense: 'at most', unit: 'ms' },
  memory: { name: 'server memory, peak', limit: 250, sense: 'at most', unit: 'MB' },
  growth: { name: 'server memory, growth since the first round', limit: 10, sense: 'at most', unit: '%' },
} satisfies Record<string, Goal>;

/** Answers whether all goals were met and everything added up. */
export function benchOrders(options: OrdersOptions): Promise<boolean> {
  return withCleanup(async (defer) => {
    const started = performance.now();
    const { shop, driver, db, server, memory } = await setUp(defer, options);
    const paid: DrivenOrder[] = [];
    const warmUp = await driveInParallel(
      WARM_UP_SECONDS,
      options.players,
      (buyer) => buy(driver, buyer),
      driver.market.buyers,
    );
    paid.push(...warmUp.orders);
    // A shop has statistics of its tables from its second minute on.
    await db.query('analyze');
    console.log(
      `${options.provider}, ${options.players} players, ${driver.market.buyers.length} accounts, ` +
        `${options.rounds} rounds of ${options.seconds} s; set up and warm after ` +
        `${((performance.now() - started) / 1000).toFixed(0)} s\n`,
    );
    if (options.countsStatements) {
      await resetStatements(db);
      const load = await driveInParallel(
        options.seconds,
        options.players,
        (buyer) => buy(driver, buyer),
        driver.market.buyers,
      );
      paid.push(...load.orders);
      await printStatements(db, load.orders.length);
    }
    const rounds: Round[] = [];
    for (let number = 1; number <= options.rounds; number += 1) {
      const round = await runRound(shop, driver, db, options);
      rounds.push(round);
      paid.push(...round.full.orders, ...round.steady.orders);
      memory.push([`after round ${number}`, memoryOf(shop)]);
    }
    const [first = Number.NaN, last = Number.NaN] = [memory.at(-options.rounds)?.[1], memory.at(-1)?.[1]];
    const peak = memoryOf(shop, 'peakRssMb');
    memory.push(['peak', peak]);
    const faults = await findFaults(
      db,
      driver.simulators,
      paid.map((order) => order.billingNo),
    );
    printRounds(rounds);
    printLatencies(rounds);
    printCosts(rounds);
    console.log(`Server memory, MB: ${memory.map(([when, rss]) => `${show(rss)} ${when}`).join(', ')}.\n`);
    const isMet = judge(rounds, { peak, growth: rounds.length > 1 ? 100 * (last / first - 1) : null }, options.isSplit);
    console.log(
      faults.length === 0
        ? `Checked: ${paid.length} orders delivered (and ` +
            `${rounds.reduce((sum, round) => sum + round.placed.orders.length, 0)} only placed), as many keys at the ` +
            `game, ${4 * paid.length} ledger entries that sum to 0.`
        : `WRONG: ${faults.join('; ')}`,
    );
    await server.close();
    await shop.stopServer();
    return isMet && faults.length === 0;
  });
}

export async function setUp(defer: Defer, options: Omit<OrdersOptions, 'seconds' | 'rounds'>) {
  const shop = await startShop(defer, {
    profileFolder: options.profileFolder,
    countsStatements: options.countsStatements,
    isSplit: options.isSplit,
    serverEnvironment: {
      // The limits of one player; an order takes milliseconds here.
      REFILL_MAX_ORDERS_PER_MINUTE: '60',
      REFILL_MAX_OPEN_ORDERS: '1000',
    },
  });
  const db = openDb(shop.databaseUrl, { max: options.players, onError: () => {} });
  defer(() => db.end());
  const server = new Pool(shop.serverOrigin, { connections: Math.max(64, options.players), pipelining: 1 });
  const watch = watchDeliveries(db);
  defer(async () => {
    await watch.stop();
    await server.destroy();
  });
  const { provider } = options;
  const memory: [string, number][] = [['when ready', memoryOf(shop)]];
  const market = await makeBuyers(db, server, { port: shop.port, provider, count: ACCOUNTS });
  const driver: Driver = { market, server, simulators: shop.simulators, provider, watch };
  memory.push(['after the accounts', memoryOf(shop)]);
  return { shop, driver, db, server, memory };
}

/** Of the largest process: what one machine needs of memory is its sum, what a leak looks like is one. */
function memoryOf(shop: BenchShop, of: 'rssMb' | 'peakRssMb' = 'rssMb'): number {
  return Math.max(...shop.pids.servers.map((pid) => usageOf(pid)[of]));
}

const ratesOf = (round: Round) => ({
  full: round.full.orders.length / round.full.seconds,
  steady: round.steady.orders.length / round.steady.seconds,
  placed: round.placed.orders.length / round.placed.seconds,
  bare: round.barePerSecond,
});

function printRounds(rounds: readonly Round[]): void {
  const rates = rounds.map(ratesOf);
  const columns = [
    (rate: (typeof rates)[number]) => rate.full,
    (rate: (typeof rates)[number]) => rate.steady,
    (rate: (typeof rates)[number]) => rate.placed,
    (rate: (typeof rates)[number]) => rate.bare,
    (rate: (typeof rates)[number]) => (100 * rate.placed) / rate.bare,
    (rate: (typeof rates)[number]) => (100 * rate.full) / rate.bare,
  ];
  const row = (name: string, values: readonly number[]) => [
    name,
    ...values.map((value, column) => `${value.toFixed(0)}${column > 3 ? ' %' : ''}`),
  ];
  printTable(
    ['orders a second', 'whole path', 'steady', 'placed (HTTP)', 'bare place_order', 'placed / bare', 'whole / bare'],
    [
      ...rates.map((rate, index) =>
        row(
          `round ${index + 1}`,
          columns.map((of) => of(rate)),
        ),
      ),
      row(
        'median',
        columns.map((of) => median(rates.map(of))),
      ),
    ],
  );
}

function printLatencies(rounds: readonly Round[]): void {
  const rows: [string, (round: Round) => readonly number[]][] = [
    ['full load: pay call', (round) => round.full.orders.map((order) => order.payMs)],
    ['full load: callback to delivered', (round) => round.full.delays.callbackMs],
    ['full load: paid to delivered', (round) => round.full.delays.paidMs],
    ['full load: whole order, as the driver sees it', (round) => round.full.orders.map((order) => order.wholeMs)],
    [`${STEADY_RATE}/s: pay call`, (round) => round.steady.orders.map((order) => order.payMs)],
    [`${STEADY_RATE}/s: callback to delivered`, (round) => round.steady.delays.callbackMs],
    [`${STEADY_RATE}/s: paid to delivered`, (round) => round.steady.delays.paidMs],
    [
      `${STEADY_RATE}/s: whole order, as the driver sees it`,
      (round) => round.steady.orders.map((order) => order.wholeMs),
    ],
    ['placing alone: pay call', (round) => round.placed.orders.map((order) => order.payMs)],
  ];
  printTable(
    ['milliseconds, all rounds together', 'n', 'median', 'p95', 'p99'],
    rows.map(([name, of]) => {
      const { n, p50, p95, p99 } = spread(rounds.flatMap(of));
      return [name, String(n), show(p50), show(p95), show(p99)];
    }),
  );
}

function printCosts(rounds: readonly Round[]): void {
  const names = ['server', 'postgres', 'driver', 'others'] as const;
  const row = (name: string, of: (round: Round) => Costs) => [
    name,
    ...names.map((part) => show(median(rounds.map((round) => of(round)[part])))),
  ];
  printTable(
    ['processor ms an order, median', 'server', 'PostgreSQL', 'driver and simulators', 'rest of machine'],
    [
      row('full load', (round) => round.full.costs),
      row(`${STEADY_RATE}/s`, (round) => round.steady.costs),
      row('placing alone', (round) => round.placed.costs),
    ],
  );
  const yardstick = median(rounds.map((round) => round.yardstickUs));
  console.log(`Yardstick: one prepared query cost the driver ${show(yardstick)} us of processor time.`);
  const taken = median(
    rounds.map(({ full }) => (full.costs.others * full.orders.length) / (full.seconds * 1000 * availableParallelism())),
  );
  console.log(
    `Others took ${show(taken * 100)} % of the processors at full ` +
      `load${taken > 0.1 ? ': the goals cannot be judged by this run' : ''}.`,
  );
  printModel(rounds);
}

/** Compares the model of docs/scaling.md with the figures that it was made for. */
function printModel(rounds: readonly Round[]): void {
  const sentences = (['full', 'placed'] as const).map((phase) => {
    const predicted = median(rounds.map((round) => predictRate(availableParallelism(), round[phase].costs)));
    const measured = median(rounds.map((round) => ratesOf(round)[phase]));
    return (
      `${phase === 'full' ? 'whole path' : 'placing alone'} ${predicted.toFixed(0)}/s, measured ` +
      `${(measured / predicted).toFixed(2)} of it`
    );
  });
  console.log(`The model of docs/scaling.md says: ${sentences.join('; ')}.\n`);
}

/** Each figure is the median of the rounds' own figures: one disturbed round does not decide. */
function judge(rounds: readonly Round[], memory: { peak: number; growth: number | null }, isSplit: boolean): boolean {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  return printGoals([
    { goal: isSplit ? GOALS.deliveredSplit : GOALS.delivered, value: of((round) => ratesOf(round).full) },
    { goal: GOALS.placed, value: of((round) => (100 * ratesOf(round).placed) / ratesOf(round).bare) },
    {
      goal: GOALS.pay,
      value: of((round) =>
        percentile(
          round.full.orders.map((order) => order.payMs),
          99,
        ),
      ),
    },
    { goal: GOALS.steadyMedian, value: of((round) => median(round.steady.delays.callbackMs)) },
    { goal: GOALS.steadyTail, value: of((round) => percentile(round.steady.delays.callbackMs, 99)) },
    { goal: GOALS.fullTail, value: of((round) => percentile(round.full.delays.callbackMs, 99)) },
    { goal: GOALS.cpu, value: of((round) => round.full.costs.server) },
    { goal: GOALS.memory, value: memory.peak },
    // One round has nothing to grow from.
    ...(memory.growth === null ? [] : [{ goal: GOALS.growth, value: memory.growth }]),
  ]);
}
