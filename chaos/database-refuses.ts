// Test 22: the database is there but takes nothing: read-only, no connection left, no space left on its
// disk. The shop refuses at once, makes no half orders, and takes orders again as soon as the database does.
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { CODES } from '#contracts/errors.ts';
import { type Defer, withCleanup } from '#bench/kit/cleanup.ts';
import { percentile } from '#bench/kit/figures.ts';
import { type Placed, buyForSure, buyMany, callPay, nextBody } from './kit/buy.ts';
import { type Cluster, createCluster, runSql } from './kit/cluster.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { measureHealing } from './kit/health.ts';
import { type Player, makePlayers } from './kit/players.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { judge } from './kit/verdict.ts';

const run = promisify(execFile);

/** @source docs/reliability.md, test 22 */
const HEALED_SECONDS = 5;
const REFUSED_MS = 1000;

/** Spoils the database; the result is how it is made well again. */
type Spoil = () => Promise<() => Promise<void>>;

export function refuseWrites(load: { seconds: number; orders: number; players: number }): Promise<Finding> {
  return withCleanup(async (defer) => {
    const disk = await makeSmallDisk(defer);
    const shop = await startChaosShop(defer, disk ? { postgres: disk.cluster } : {});
    const players = await makePlayers(shop, load.players);
    const faults: string[] = [];
    const figures: string[] = [];
    const bought: string[] = [];
    const ways: Record<string, Spoil> = {
      'read-only': () => makeReadOnly(shop),
      'no connection left': () => takeAllConnections(shop),
      ...(disk ? { 'disk full': disk.fill } : {}),
    };
    for (const [name, spoil] of Object.entries(ways)) {
      const before = await buyMany(load.orders, players, (player) => buyForSure(shop, player));
      bought.push(...before.billingNos);
      faults.push(...before.troubles);
      const heal = await spoil();
      const answers = await hammer(shop, players, load.seconds);
      await heal();
      const healed = await measureHealing(shop, players);
      const refused = answers.filter((answer) => answer.status === CODES.unavailable.http);
      const odd = answers.find((answer) => !refused.includes(answer) && !isTaken(answer));
      const p99 = percentile(
        refused.map((answer) => answer.ms),
        99,
      );
      if (odd) faults.push(`${name}: an answer of status ${odd.status}, code ${odd.code}`);
      if (refused.length === 0) faults.push(`${name}: nothing was refused`);
      if (p99 > REFUSED_MS) faults.push(`${name}: refusals took ${p99.toFixed(0)} ms (p99)`);
      if (healed > HEALED_SECONDS) faults.push(`${name}: healed after ${healed.toFixed(1)} s`);
      figures.push(`${name}: ${refused.length} refused within ${p99.toFixed(0)} ms, healed in ${healed.toFixed(1)} s`);
    }
    if (!disk) figures.push('disk full: not tried, only root may mount a small disk');
    return toFinding(await judge(shop, bought), bought.length, figures.join('; '), faults);
  });
}

const isTaken = ({ code }: Placed): boolean => code === CODES.success.code || code === CODES.repeatOrder.code;

async function hammer(shop: ChaosShop, players: readonly Player[], seconds: number): Promise<Placed[]> {
  const answers: Placed[] = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    players.map(async (player) => {
      while (performance.now() < until) {
        answers.push(await callPay(shop, player, nextBody(player), `refused-${Math.random()}`));
        await sleep(50);
      }
    }),
  );
  return answers;
}

/** Makes the database read-only, as a managed one does before its disk is full, and as a demoted primary is. */
async function makeReadOnly(shop: ChaosShop): Promise<() => Promise<void>> {
  const set = (value: string) =>
    runSql(
      shop.postgres.url,
      'set default_transaction_read_only = off',
      `alter system set default_transaction_read_only = ${value}`,
      'select pg_reload_conf()',
    );
  await set('on');
  await sleep(200);
  return async () => void (await set('off'));
}

/** Others have taken every connection there is, and the shop's own are broken. */
async function takeAllConnections(shop: ChaosShop): Promise<() => Promise<void>> {
  const clients: pg.Client[] = [];
  const take = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: shop.postgres.url, connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    const isIn = await client.connect().then(
      () => true,
      () => false,
    );
    if (isIn) clients.push(client);
    return isIn;
  };
  await take();
  shop.links.database.setFault({ kind: 'refuse' });
  shop.links.database.breakAll();
  await sleep(200);
  while ((await Promise.all(Array.from({ length: 10 }, take))).some(Boolean));
  shop.links.database.setFault({ kind: 'pass' });
  return async () => void (await Promise.all(clients.map((client) => client.end().catch(() => undefined))));
}

/** A PostgreSQL on a disk of its own that can be filled to the last byte; null where it cannot be mounted. */
async function makeSmallDisk(defer: Defer): Promise<{ cluster: Cluster; fill: Spoil } | null> {
  const mount = await mkdtemp(join(tmpdir(), 'refill-chaos-disk-'));
  defer(() => rm(mount, { recursive: true, force: true }));
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', mount]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return null;
  defer(() => run('umount', [mount]));
  await chmod(mount, 0o711);
  const cluster = await createCluster(defer, join(mount, 'postgres'));
  const ballast = join(mount, 'ballast');
  return {
    cluster,
    fill: async () => {
      const file = createWriteStream(ballast);
      const filled = new Promise<void>((resolve) => file.once('error', () => resolve()));
      const block = Buffer.alloc(1 << 20);
      const write = (): void => void file.write(block, (error) => error ?? write());
      write();
      await filled;
      file.destroy();
      return () => rm(ballast, { force: true });
    },
  };
}
