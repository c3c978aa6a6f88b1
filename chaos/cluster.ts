// The shop on a database that Citus spreads over a coordinator and its workers (docs/distributed.md): the numbered
// tests, worlds and the model, crashes of every part while orders flow, a shard that moves meanwhile, and what each
// order costs in statements over several shards.
import { setTimeout as sleep } from 'node:timers/promises';
import { createShopDatabase } from '#testing/database.ts';
import { createClusterTemplate } from '#testing/cluster-template.ts';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { buyForSure, buyMany } from './kit/buy.ts';
import { addOutcomes, type ChaosContext, type ChaosTest, FLAWLESS, type Outcome, type Size } from './kit/chaos-test.ts';
import { type ClusterNode, crashNode, listNodes, moveShard, readCounters, waitForPrepared } from './kit/citus.ts';
import { type Cluster, runSql } from './kit/cluster.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { makePlayers } from './kit/players.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { judge } from './kit/verdict.ts';
import { modelCheck } from './model-check.ts';
import { NUMBERED } from './numbered/all.ts';
import { seeds } from './seeds.ts';

type Load = { readonly orders: number; readonly crashes: number; readonly players: number };
const LOADS: Record<Size, Load> = {
  short: { orders: 120, crashes: 4, players: 8 },
  full: { orders: 1000, crashes: 12, players: 16 },
};

export const cluster: ChaosTest = {
  number: '44',
  name: 'cluster',
  about: 'three nodes of Citus: numbered tests, crashes of server, coordinator and workers, a shard that moves',
  load: (size) => `${LOADS[size].orders} orders, ${LOADS[size].crashes} crashes`,
  run: async (size, context) => {
    const address = context.options['cluster'] ?? process.env['REFILL_TEST_CLUSTER'];
    if (!address) return { ...FLAWLESS, notRun: 'it needs the coordinator of a Citus cluster: --cluster <address>' };
    const why = await findFault(address);
    if (why !== null) return { ...FLAWLESS, notRun: why };
    // Databases of tests are made on it from here on.
    process.env['REFILL_TEST_CLUSTER'] = address;
    const template = await createClusterTemplate(address);
    try {
      const wanted = new RegExp(context.options['only'] ?? '.');
      const outcomes = wanted.test('numbered') ? await runNumbered(context, template.url) : [];
      const load = LOADS[size];
      const parts = Object.entries({ statements: countStatements, crashes: crashAll, moving: moveWhileSelling });
      for (const [name, part] of parts) {
        if (!wanted.test(name)) continue;
        const { result, ...outcome } = await part(load, template.url);
        context.say(`      ${result}`);
        outcomes.push(outcome);
      }
      return addOutcomes(outcomes);
    } finally {
      // A fault of this must not hide the one that ended the test.
      await template.drop().catch((error: Error) => context.say(`      the template stays: ${error.message}`));
      delete process.env['REFILL_TEST_CLUSTER'];
    }
  },
};

/** Null: the address is a coordinator with workers. */
async function findFault(address: string): Promise<string | null> {
  return runSql(address, 'select count(*)::integer as workers from pg_dist_node where shouldhaveshards').then(
    ([row]) => (Number(row?.['workers']) > 0 ? null : `${new URL(address).host} knows no worker`),
    (error: Error) => `${new URL(address).host} is no coordinator that answers: ${error.message}`,
  );
}

/** Our choice: a world takes ten times as long here as on one server. */
const WORLDS = '4';

/**
 * The numbered tests, worlds drawn from a number and the model, each in its short form: what is asked is whether they
 * hold here, not how much they bear.
 */
async function runNumbered(context: ChaosContext, template: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const tests = [seeds, modelCheck, ...NUMBERED];
  const options = { ...context.options, seeds: context.options['seeds'] ?? WORLDS };
  for (const test of tests) {
    const outcome = await test
      .run('short', { ...context, options, template: async () => template })
      .catch((error: Error): Outcome => ({ ...FLAWLESS, faults: [`${error.stack}`] }));
    const name = (line: string): string => `${test.number} ${test.name}: ${line}`;
    outcomes.push({
      ...outcome,
      faults: outcome.faults.map(name),
      lost: outcome.lost.map(name),
      doubled: outcome.doubled.map(name),
      breaches: outcome.breaches.map(name),
    });
  }
  const failed = outcomes.filter((one) =>
    [one.lost, one.doubled, one.breaches, one.faults].some((list) => list.length > 0),
  );
  context.say(
    `      ${tests.length} tests in their short form (the numbered ones, ${options.seeds} worlds, the model), ` +
      `${failed.length} failed`,
  );
  return outcomes;
}

async function openShop(
  defer: Parameters<typeof startChaosShop>[0],
  template: string,
): Promise<{ shop: ChaosShop; url: string; nodes: ClusterNode[] }> {
  const { url, drop } = await createShopDatabase(template);
  defer(drop);
  const refuse = async (): Promise<never> => {
    throw new Error('a node of a cluster is crashed, not stopped');
  };
  const postgres: Cluster = {
    dataDir: '',
    url,
    port: Number(new URL(url).port),
    kill: refuse,
    stop: refuse,
    start: refuse,
  };
  return { shop: await startChaosShop(defer, { postgres }), url, nodes: await listNodes(url) };
}

/** Server, coordinator and each worker in turn, at random moments. */
function crashAll(load: Load, template: string): Promise<Finding> {
  return withCleanup(async (defer) => {
    const { shop, url, nodes } = await openShop(defer, template);
    const players = await makePlayers(shop, load.players);
    let begun = 0;
    const buying = buyMany(
      load.orders,
      players,
      (player) => buyForSure(shop, player),
      (count) => void (begun = count),
    );
    const [server] = shop.slots;
    const away: number[] = [];
    for (let crash = 1; crash <= load.crashes; crash += 1) {
      while (begun < (load.orders * crash) / (load.crashes + 1)) await sleep(2);
      await sleep(Math.random() * 50);
      const node = nodes[crash % (nodes.length + 1)];
      if (node) {
        away.push(await crashNode(node));
      } else {
        await server?.kill();
        await server?.start();
      }
    }
    const { billingNos, troubles } = await buying;
    if (billingNos.length !== load.orders)
      troubles.push(`${billingNos.length} of ${load.orders} orders came to their end`);
    if (!(await waitForPrepared(url, nodes))) troubles.push('a transaction stays half committed');
    const verdict = await judge(shop, billingNos);
    const parts = ['the server', ...nodes.map(({ name }) => name)].join(', ');
    return toFinding(
      verdict,
      billingNos.length,
      `${billingNos.length} delivered over ${load.crashes} crashes in turn of ${parts}; a node was away for ` +
        `${Math.max(...away).toFixed(1)} s at most`,
      troubles,
    );
  });
}

/** A shard of every table moves to another node while orders flow. */
function moveWhileSelling(load: Load, template: string): Promise<Finding> {
  return withCleanup(async (defer) => {
    const { shop, url } = await openShop(defer, template);
    const players = await makePlayers(shop, load.players);
    let begun = 0;
    const buying = buyMany(
      load.orders,
      players,
      (player) => buyForSure(shop, player),
      (count) => void (begun = count),
    );
    while (begun < load.orders / 4) await sleep(2);
    const moved = await moveShard(url, 'player');
    const during = begun;
    const { billingNos, troubles } = await buying;
    if (billingNos.length !== load.orders)
      troubles.push(`${billingNos.length} of ${load.orders} orders came to their end`);
    const verdict = await judge(shop, billingNos);
    return toFinding(
      verdict,
      billingNos.length,
      `${moved}, while ${during - Math.floor(load.orders / 4)} orders began`,
      troubles,
    );
  });
}

/** Our choice: long enough for every loop that looks for due work to come round several times. */
const IDLE_MS = 10_000;

/** How many statements over several shards an order costs, besides those of looking for due work. */
function countStatements(load: Load, template: string): Promise<Finding> {
  return withCleanup(async (defer) => {
    const { shop, url } = await openShop(defer, template);
    await runSql(url, `alter database ${new URL(url).pathname.slice(1)} set citus.enable_stat_counters = on`);
    await shop.slots[0]?.stop();
    await shop.slots[0]?.start();
    const players = await makePlayers(shop, load.players);
    const idle = await countWhile(url, () => sleep(IDLE_MS));
    let bought: Awaited<ReturnType<typeof buyMany>> = { billingNos: [], troubles: [] };
    const busy = await countWhile(url, async () => {
      bought = await buyMany(load.orders, players, (player) => buyForSure(shop, player));
    });
    const { billingNos, troubles } = bought;
    const ofLooking = (idle.multi / idle.seconds) * busy.seconds;
    const perOrder = { multi: (busy.multi - ofLooking) / billingNos.length, single: busy.single / billingNos.length };
    if (perOrder.multi > 1) troubles.push(`an order costs ${perOrder.multi.toFixed(2)} statements over several shards`);
    const verdict = await judge(shop, billingNos);
    return toFinding(
      verdict,
      billingNos.length,
      `an order: ${perOrder.single.toFixed(1)} statements to one shard, ` +
        `${Math.max(0, perOrder.multi).toFixed(2)} to several; looking for due work: ` +
        `${(idle.multi / idle.seconds).toFixed(1)} a second`,
      troubles,
    );
  });
}

type Spent = { readonly single: number; readonly multi: number; readonly seconds: number };

async function countWhile(url: string, act: () => Promise<unknown>): Promise<Spent> {
  const before = await readCounters(url);
  const began = performance.now();
  await act();
  const after = await readCounters(url);
  return {
    single: after.single - before.single,
    multi: after.multi - before.multi,
    seconds: (performance.now() - began) / 1000,
  };
}
