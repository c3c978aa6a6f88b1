// Does a player wait longer when years of orders are in the tables? The same steady load at each
// size, on one database that grows.
import { orderRoutes } from '#contracts/orders.ts';
import ora from 'ora';
import { withCleanup } from './kit/cleanup.ts';
import { probeDisk, waitForDisk } from './kit/disk.ts';
import { type Goal, median, percentile } from './kit/figures.ts';
import { printGoals, printTable, show } from './kit/print.ts';
import type { Buyer } from './money-path/buyers.ts';
import { type Driver, type DrivenOrder, buy, driveInParallel, driveSteadily } from './money-path/drive.ts';
import { archiveMonths, endWhatIsOver, giveRoomBack, lookAtNight, readKept } from './money-path/age.ts';
import { growTo } from './money-path/grow.ts';
import { type ProviderName, setUp } from './orders.ts';

/** Far below what the machine can do, so that what is measured is waiting for the database and not for each other. */
const RATE = 50;
/** As for `orders`: compiled code, filled caches, and the plans that each connection makes for itself. */
const WARM_UP_SECONDS = 15;
/** Our choice: a shared disk has its pace again some minutes after a quarter of an hour of writing. */
const DISK_TIMEOUT_MS = 300_000;
/** @source docs/benchmarks.md, "Goals" */
const GOALS = {
  pay: { name: 'pay call, p99, times that of an empty table', limit: 1.2, sense: 'at most', unit: '' },
  info: { name: 'getOrderInfo, p99, times that of an empty table', limit: 1.2, sense: 'at most', unit: '' },
  hot: { name: 'an order after retention', limit: 3, sense: 'at most', unit: 'KB' },
  payArchiving: {
    name: 'pay call, p99, while a month is archived, times that without',
    limit: 1.5,
    sense: 'at most',
    unit: '',
  },
  infoArchiving: {
    name: 'getOrderInfo, p99, while a month is archived, times that without',
    limit: 1.5,
    sense: 'at most',
    unit: '',
  },
} satisfies Record<string, Goal>;

type Load = { readonly payMs: number[]; readonly infoMs: number[] };
type Size = { readonly gigabytes: number; readonly orders: number };
/** `kilobytes`: of each order that was written for this size, after retention; null where none was. */
type Measured = Load & Size & { readonly millions: number; readonly kilobytes: number | null };
type Archiving = {
  readonly load: Load;
  readonly seconds: number;
  readonly said: string;
};

export function benchGrowth(options: {
  provider: ProviderName;
  players: number;
  seconds: number;
  millions: readonly number[];
}): Promise<boolean> {
  return withCleanup(async (defer) => {
    const idleDisk = await probeDisk();
    const { driver, db, shop, server } = await setUp(defer, {
      ...options,
      profileFolder: undefined,
      countsStatements: false,
      isSplit: false,
    });
    /** The server anew and warm, by the same calls each time: else a size pays for what the one before did. */
    const freshly = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await shop.stopServer();
      const result = await work();
      await shop.startServer();
      return result;
    };
    const warmUp = () =>
      driveInParallel(WARM_UP_SECONDS, options.players, (buyer) => buyAndLook(driver, buyer), driver.market.buyers);
    const measured: Measured[] = [];
    let size = 0;
    if (options.millions[0] === 0) await freshly(async () => undefined);
    for (const millions of options.millions) {
      const wanted = Math.round(millions * 1e6);
      let kilobytes: number | null = null;
      if (wanted > size) {
        const started = performance.now();
        const spinner = ora(`writing ${millions} million orders`).start();
        await freshly(async () => {
          // Free room that earlier orders left is given back, so that it does not count as the new ones' size.
          await giveRoomBack(shop.databaseUrl);
          const before = await readSize(db);
          await growTo(db, shop.databaseUrl, { from: size, to: wanted }, await readKept(db), (step) => {
            spinner.text = `writing ${millions} million orders: ${step}`;
          });
          await endWhatIsOver(db);
          const after = await readSize(db);
          kilobytes = kilobytesOfOrder(after, before);
          const took = ((performance.now() - started) / 60_000).toFixed(1);
          spinner.succeed(
            `${millions} million orders as retention leaves them, written in ${took} min: ${kilobytes.toFixed(2)} KB ` +
              `an order (${await listRoom(db, after.orders)})`,
          );
        });
        size = wanted;
        // The disk still flushes earlier writes, which are no part of the measurement.
        const calm = ora('waiting until the disk has calmed down').start();
        const disk = await waitForDisk(idleDisk, DISK_TIMEOUT_MS);
        calm.succeed(
          `a page is on the disk after ${disk.toFixed(1)} ms (p99; ${idleDisk.toFixed(1)} before anything was written)`,
        );
      }
      await warmUp();
      measured.push({ millions, kilobytes, ...(await readSize(db)), ...(await measure(driver, options.seconds)) });
    }
    printSizes(measured);
    const largest = measured.at(-1);
    const isMet = report(measured, largest && largest.millions > 0 ? await archive() : null);
    await server.close();
    await shop.stopServer();
    return isMet;

    /** Archives the oldest month under the same load, on the day after a night's look at all books. */
    async function archive(): Promise<Archiving> {
      const started = performance.now();
      const looking = ora('looking at all books, as a worker does each night').start();
      await freshly(() => lookAtNight(db));
      looking.succeed(
        `all books were looked at in ${((performance.now() - started) / 60_000).toFixed(1)} min, unpaced`,
      );
      await warmUp();
      const load: Load = { payMs: [], infoMs: [] };
      const month = archiveMonths(defer, shop.databaseUrl, monthAfterOldest());
      let isOver = false;
      const over = month.finally(() => (isOver = true)).catch(() => undefined);
      for (let slice = 0; !isOver; slice += 1) {
        const { infoMs, payMs } = await measure(driver, SLICE_SECONDS, slice * RATE * SLICE_SECONDS);
        load.payMs.push(...payMs);
        load.infoMs.push(...infoMs);
      }
      await over;
      return { load, ...(await month) };
    }
  });
}

/** Our choice: so long at most is measured beyond the end of the archiving. */
const SLICE_SECONDS = 1;

/** The grown months are the 24 before this one: the oldest of them is archived. */
function monthAfterOldest(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 23, 1)).toISOString().slice(0, 7);
}

/** @param first whose turn it is: an account that bought each second would come to its limit of a minute */
async function measure(driver: Driver, seconds: number, first = 0): Promise<Load> {
  const { buyers } = driver.market;
  const turn = first % buyers.length;
  const infoMs: number[] = [];
  const order = (buyer: Buyer) => buyAndLook(driver, buyer, (ms) => infoMs.push(ms));
  const { orders } = await driveSteadily(seconds, RATE, order, [...buyers.slice(turn), ...buyers.slice(0, turn)]);
  return { payMs: orders.map(({ payMs }) => payMs), infoMs };
}

async function buyAndLook(driver: Driver, buyer: Buyer, onLook?: (ms: number) => void): Promise<DrivenOrder> {
  const order = await buy(driver, buyer);
  const ms = await look(driver, buyer, order.billingNo);
  onLook?.(ms);
  return order;
}

async function look(driver: Driver, buyer: Buyer, billingNo: string): Promise<number> {
  const started = performance.now();
  const answer = await driver.server.request({
    method: 'GET',
    path: `${orderRoutes.getOrderInfo.path}?billing_no=${billingNo}&simple=1`,
    headers: { ...buyer.headers },
  });
  const { code } = (await answer.body.json()) as { code: number };
  if (code !== 1) throw new Error(`getOrderInfo answered ${code}`);
  return performance.now() - started;
}

async function readSize(db: Parameters<typeof growTo>[0]): Promise<Size> {
  const { rows } = await db.query<{ bytes: string; orders: string }>(
    `select pg_database_size(current_database()) as bytes, (select count(*) from orders) as orders`,
  );
  return { gigabytes: Number(rows[0]?.bytes) / 1e9, orders: Number(rows[0]?.orders) };
}

/** Which tables hold what an order takes, months together: rows and indexes apart, in KB an order. */
async function listRoom(db: Parameters<typeof growTo>[0], orders: number): Promise<string> {
  const { rows } = await db.query<{ name: string; rows: string; indexes: string }>(
    `select coalesce(p.relname, c.relname) as name, sum(pg_table_size(c.oid)) as rows,
       sum(pg_indexes_size(c.oid)) as indexes
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     group by 1 order by sum(pg_total_relation_size(c.oid)) desc limit 8`,
  );
  const kilobytes = (bytes: string) => (Number(bytes) / 1e3 / orders).toFixed(2);
  return rows.map((row) => `${row.name} ${kilobytes(row.rows)} + ${kilobytes(row.indexes)}`).join(', ');
}

/** Tells whether it stalls now and then, or is slow all the time. @param payMs in their order, RATE a second */
function describeSeconds(payMs: readonly number[]): string {
  const worst = Array.from({ length: Math.ceil(payMs.length / RATE) }, (_, second) =>
    Math.max(...payMs.slice(second * RATE, (second + 1) * RATE)).toFixed(0),
  );
  return `Slowest pay call of each second, ms: ${worst.join(' ')}`;
}

/** Of all tables and indexes. */
const kilobytesOfOrder = (after: Size, before: Size): number =>
  ((after.gigabytes - before.gigabytes) * 1e6) / (after.orders - before.orders);

/** At once: archiving a month of ten million orders takes hours. */
function printSizes(measured: readonly Measured[]): void {
  printTable(
    [
      'orders in the table',
      'database GB',
      'KB an order',
      'pay median',
      'pay p99',
      'getOrderInfo median',
      'getOrderInfo p99',
    ],
    measured.map(({ millions, payMs, infoMs, gigabytes, kilobytes }) => [
      `${millions} million`,
      show(gigabytes),
      kilobytes === null ? '' : show(kilobytes, 'KB'),
      ...[median(payMs), percentile(payMs, 99), median(infoMs), percentile(infoMs, 99)].map((value) =>
        show(value, 'ms'),
      ),
    ]),
  );
  for (const { millions, payMs } of measured) console.log(`${millions} million. ${describeSeconds(payMs)}\n`);
}

function report(measured: readonly Measured[], archiving: Archiving | null): boolean {
  const [first, last] = [measured[0], measured.at(-1)];
  if (!first || !last || first === last) return true;
  const times = (load: Load, base: Load, of: keyof Load) => percentile(load[of], 99) / percentile(base[of], 99);
  if (archiving) {
    const { load, said, seconds } = archiving;
    const [pay, info] = [percentile(load.payMs, 99), percentile(load.infoMs, 99)];
    console.log(
      `While a month was archived (${seconds.toFixed(1)} s, ${load.payMs.length} orders): pay p99 ` +
        `${show(pay, 'ms')}, getOrderInfo p99 ${show(info, 'ms')}. ${said}\n` +
        `${describeSeconds(load.payMs)}\n`,
    );
  }
  return printGoals([
    { goal: GOALS.pay, value: percentile(last.payMs, 99) / percentile(first.payMs, 99) },
    { goal: GOALS.info, value: percentile(last.infoMs, 99) / percentile(first.infoMs, 99) },
    ...(last.kilobytes === null ? [] : [{ goal: GOALS.hot, value: last.kilobytes }]),
    ...(archiving
      ? [
          { goal: GOALS.payArchiving, value: times(archiving.load, last, 'payMs') },
          { goal: GOALS.infoArchiving, value: times(archiving.load, last, 'infoMs') },
        ]
      : []),
  ]);
}
