// Test 19: the primary dies (kill -9, and its wire with it) under load, its standby is promoted,
// the shop goes on there. With a
// synchronous standby nothing that was confirmed is lost. The same with an asynchronous one shows what the
// setting is for: its losses are what it is run for, so they are told and not counted.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Defer, withCleanup } from '#bench/kit/cleanup.ts';
import { type Cluster, createCluster, createStandby, runSql } from './kit/cluster.ts';
import type { Finding } from './kit/finding.ts';
import { makePlayers } from './kit/players.ts';
import { makeFolder, startChaosShop } from './kit/shop.ts';
import { startBuying } from './kit/told.ts';
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
/**
 * Our choice: callbacks that were refused are sent again after 2, 5 and 10 s; what is not
 * delivered by then never will be.
 */
const TIMEOUT_MS = 45_000;

type Pair = { readonly primary: Cluster; readonly standby: Cluster; readonly wire: Proxy };

export function failOver(load: FailoverLoad): Promise<Finding> {
  return withCleanup(async (defer) => {
    const { root } = await makeFolder(defer);
    let primary = await createCluster(defer, join(root, 'server-0'));
    await runSql(primary.url, `alter system set wal_keep_size = '512MB'`, 'select pg_reload_conf()');
    const shop = await startChaosShop(defer, { postgres: primary, databasePorts: () => [primary.port] });
    const players = await makePlayers(shop, load.clients, { providers: ['adyen'] });
    let pair = await addStandby(defer, primary, join(root, 'server-1'), load.isSynchronous);

    const buying = startBuying(defer, shop, players, TIMEOUT_MS);
    const outagesMs: number[] = [];
    for (let turn = 1; turn <= load.failovers; turn += 1) {
      await sleep(load.seconds * 1000 + Math.random() * 300);
      const died = performance.now();
      primary = await promote(pair);
      outagesMs.push(await buying.waitForOrder(died, performance.now()));
      if (turn < load.failovers)
        pair = await addStandby(defer, primary, join(root, `server-${turn + 1}`), load.isSynchronous);
    }
    const found = await buying.judge(
      `${load.isSynchronous ? 'synchronous' : 'asynchronous'} standby, ${load.failovers} failovers`,
      outagesMs,
    );
    if (load.isSynchronous) return found;
    const shown = found.lost.length > 0 ? `${found.lost.length} promises broken, as expected` : 'none broken this time';
    return { ...found, lost: [], result: `${found.result}; ${shown}` };
  });
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
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = 'refill' and application_name <> 'refill owner' and pid <> pg_backend_pid()`,
    );
  const wanted = isSynchronous ? 'sync' : 'async';
  const deadline = performance.now() + TIMEOUT_MS;
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
