// Test 20: Patroni replaces a leader whose machine has burned (agent and PostgreSQL, kill -9), with
// nobody's help. Nothing that was
// confirmed is lost; the shop says 503 and when to come back, and takes orders again soon
// after the new leader is there.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CODES } from '#contracts/errors.ts';
import { orderRoutes } from '#contracts/orders.ts';
import { type Defer, withCleanup } from '#bench/kit/cleanup.ts';
import { type Finding, tellNotRun } from './kit/finding.ts';
import { TTL_SECONDS, startPatroni } from './kit/patroni.ts';
import { findPatroni } from './kit/patroni-programs.ts';
import { type Player, makePlayers } from './kit/players.ts';
import { type ChaosShop, makeFolder, startChaosShop } from './kit/shop.ts';
import { startBuying } from './kit/told.ts';

/** @source docs/reliability.md, test 20 */
const BACK_SECONDS = 30;
/** Payment status polling finds a payment after 90 s at the latest, should all its callbacks have met the outage. */
const TIMEOUT_MS = 150_000;

/** @param debian a folder with a Debian of its own; undefined for the programs of this machine */
export function replaceLeader(
  load: { failovers: number; clients: number; seconds: number },
  debian: string | undefined,
): Promise<Finding> {
  return withCleanup(async (defer) => {
    const programs = await findPatroni(debian);
    if (typeof programs === 'string') return tellNotRun(programs);
    const root = programs.home === null ? (await makeFolder(defer)).root : await makeFolderIn(defer, programs.home);
    const postgres = await startPatroni(defer, root, programs);
    const databasePorts = () => [postgres.leader()].filter((port) => port !== null);
    const shop = await startChaosShop(defer, { postgres, databasePorts });
    const players = await makePlayers(shop, load.clients, { providers: ['adyen'] });
    const buying = startBuying(defer, shop, players, TIMEOUT_MS);
    const outagesMs: number[] = [];
    const faults: string[] = [];
    let refused = 0;
    for (let turn = 1; turn <= load.failovers; turn += 1) {
      await sleep(load.seconds * 1000);
      const [player] = players;
      const looking = player && look(shop, player);
      const old = postgres.leader();
      const died = performance.now();
      await postgres.kill();
      while (postgres.leader() === old || postgres.leader() === null) {
        if (performance.now() - died > TIMEOUT_MS) throw new Error('there is no new leader');
        await sleep(20);
      }
      outagesMs.push(await buying.waitForOrder(died, performance.now()));
      const looks = await looking?.stop();
      refused += looks?.refused ?? 0;
      faults.push(...(looks?.faults ?? []));
      await postgres.start();
      await postgres.waitUntilWell(2);
    }
    if (refused === 0) faults.push('nobody was refused: nothing was down');
    const longest = Math.max(...outagesMs) / 1000;
    if (longest > BACK_SECONDS) faults.push(`no order was taken for ${longest.toFixed(1)} s`);
    const found = await buying.judge(`Patroni, ttl ${TTL_SECONDS} s, ${load.failovers} leaders killed`, outagesMs);
    const result = `${found.result}; ${refused} looks refused meanwhile, each 503 with Retry-After`;
    return { ...found, faults: [...found.faults, ...faults], result };
  });
}

async function makeFolderIn(defer: Defer, home: string): Promise<string> {
  const folder = await mkdtemp(join(home, 'patroni-'));
  defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  // The account of PostgreSQL passes through.
  await chmod(folder, 0o711);
  return folder;
}

/** Looks at a page that needs the database, all the time: it is there, or it is told when to come back. */
function look(shop: ChaosShop, player: Player): { stop(): Promise<{ refused: number; faults: string[] }> } {
  let isOver = false;
  let refused = 0;
  const faults = new Set<string>();
  const looking = (async () => {
    while (!isOver) {
      const answer = await shop.server.request({
        method: 'GET',
        path: orderRoutes.history.path,
        headers: player.headers,
      });
      await answer.body.dump();
      const { statusCode, headers } = answer;
      if (statusCode === CODES.unavailable.http) {
        refused += 1;
        if (!headers['retry-after']) faults.add('a 503 without Retry-After');
      } else if (statusCode !== 200) faults.add(`an answer of status ${statusCode}`);
      await sleep(50);
    }
  })().catch((error: Error) => void faults.add(`the shop did not answer: ${error.message}`));
  return {
    stop: async () => {
      isOver = true;
      await looking;
      return { refused, faults: [...faults] };
    },
  };
}
