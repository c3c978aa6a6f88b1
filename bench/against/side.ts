// One of two commits that are compared: a shop of the checkout that the first argument names, with the load of
// that checkout's own bench. It stays up and plays one short slice whenever it is told to, so that both commits can be
// measured seconds after one another.
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { withCleanup as WithCleanup } from '../kit/cleanup.ts';
import { treeCpuMs, usageOf } from '../kit/usage.ts';
import type * as books from '../money-path/books.ts';
import type * as drives from '../money-path/drive.ts';
import type { setUp as SetUp } from '../orders.ts';
import type { Ask, Ready, Slice } from './slices.ts';

// Commit 306c096 has these as well, by the same names; `pids.postgres` is a number there.
type Bench = { readonly setUp: typeof SetUp };
type Drives = Pick<typeof drives, 'buy' | 'driveInParallel' | 'driveSteadily'>;
type Books = typeof books;
type Cleanup = { readonly withCleanup: typeof WithCleanup };

const [folder = '', provider = '', players = ''] = process.argv.slice(2);
if (!isAbsolute(folder)) throw new Error(`"${folder}" must be the whole path of a checkout.`);
const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, 'bench', file)).href);

const { setUp } = (await load('orders.ts')) as Bench;
const { buy, driveInParallel, driveSteadily } = (await load('money-path/drive.ts')) as Drives;
const { readDelays, findFaults } = (await load('money-path/books.ts')) as Books;
const { withCleanup } = (await load('kit/cleanup.ts')) as Cleanup;

const leave = () => process.kill(process.pid, 'SIGTERM');

await withCleanup(async (defer) => {
  const { shop, driver, db, server } = await setUp(defer, {
    provider: provider as 'adyen',
    players: Number(players),
    profileFolder: undefined,
    countsStatements: false,
    isSplit: false,
  });
  const servers = shop.pids.servers;
  const postgres = [shop.pids.postgres].flat();
  const paid: string[] = [];
  /** Processor milliseconds so far. */
  const used = () => {
    const { user, system } = process.cpuUsage();
    return {
      server: servers.reduce((sum, pid) => sum + usageOf(pid).cpuMs, 0),
      postgres: postgres.reduce((sum, pid) => sum + treeCpuMs(pid), 0),
      driver: (user + system) / 1000,
    };
  };

  const play = async ({ seconds, rate }: Extract<Ask, { do: 'play' }>): Promise<Slice> => {
    const before = used();
    const whole = (buyer: Parameters<typeof buy>[1]) => buy(driver, buyer);
    const { buyers } = driver.market;
    const drive = await (rate === undefined
      ? driveInParallel(seconds, Number(players), whole, buyers)
      : driveSteadily(seconds, rate, whole, buyers));
    const after = used();
    const numbers = drive.orders.map(({ billingNo }) => billingNo);
    paid.push(...numbers);
    return {
      orders: drive.orders.length,
      seconds: drive.seconds,
      payMs: drive.orders.map(({ payMs }) => payMs),
      callbackMs: (await readDelays(db, numbers)).callbackMs,
      usedMs: {
        server: after.server - before.server,
        postgres: after.postgres - before.postgres,
        driver: after.driver - before.driver,
      },
      peakMemoryMb: Math.max(...servers.map((pid) => usageOf(pid).peakRssMb)),
    };
  };

  const asked = (): Promise<Ask> => new Promise((fulfil) => process.once('message', fulfil));
  const say = (answer: Ready | Slice | { faults: string[] }) => process.send?.(answer);
  // The comparing process is gone, so this one leaves too.
  process.once('disconnect', leave);
  say({ isReady: true });
  for (let ask = await asked(); ; ask = await asked()) {
    if (ask.do === 'finish') break;
    if (ask.do === 'analyze') {
      await db.query('analyze');
      say({ isReady: true });
    } else say(await play(ask));
  }
  say({ faults: await findFaults(db, driver.simulators, paid) });
  await server.close();
  await shop.stopServer();
});
process.off('disconnect', leave);
process.disconnect();
