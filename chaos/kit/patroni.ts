// Three PostgreSQL servers under Patroni with etcd, as an operator would run them on three machines;
// here on loopback, with the programs of this machine or of a Debian in a folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Defer } from '#bench/kit/cleanup.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import type { Account } from '#server/platform/database/embedded-postgres-account.ts';
import { type Cluster, runSql } from './cluster.ts';
import type { PatroniPrograms } from './patroni-programs.ts';
import { type Proxy, startProxy } from '../proxy.ts';

/** Seconds: a leader that is not heard of for this long is replaced. @source docs/reliability.md, test 20 */
export const TTL_SECONDS = 20;
/**
 * @source https://patroni.readthedocs.io/en/latest/replication_modes.html#synchronous-mode:
 * loop_wait + 2 * retry_timeout <= ttl
 */
const LOOP_SECONDS = 5;
const RETRY_SECONDS = 5;
/** Our choice, as a load balancer would ask `GET /primary`. */
const CHECK_MS = 500;
const READY_SECONDS = 90;
const NODES = 3;
/** Each way between two of them: the next town, as in test 19. */
const WIRE_MS = 20;

type Node = {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly api: number;
  /** The others reach it through this proxy. */
  readonly wire: Proxy;
  agent: ChildProcess | null;
};

/**
 * `kill` takes the leader, agent first; `start` brings back what was killed; `leader` is what the last check
 * said, null when there is none.
 */
export type PatroniCluster = Cluster & {
  leader(): number | null;
  /** Resolves when there is a leader and `standbys` others follow it, one of them synchronously. */
  waitUntilWell(standbys: number): Promise<void>;
};

/** @param root a folder that the account of PostgreSQL may enter, and that the programs can see */
export async function startPatroni(defer: Defer, root: string, programs: PatroniPrograms): Promise<PatroniCluster> {
  const { account } = programs;
  const password = randomBytes(18).toString('base64url');
  const etcd = await startEtcd(defer, root, programs);
  const nodes: Node[] = [];
  for (let n = 1; n <= NODES; n += 1) {
    const folder = await makeOwnFolder(join(root, `node-${n}`), account);
    const port = await findQuietPort();
    const wire = await startProxy(defer, () => [port]);
    const node: Node = { name: `node${n}`, folder, port, api: await findQuietPort(), wire, agent: null };
    nodes.push(node);
    await writeFile(join(folder, 'patroni.json'), JSON.stringify(configOf(node, etcd, password, programs)), {
      mode: 0o644,
    });
  }
  const startAgent = (node: Node) => {
    node.wire.setFault({ kind: 'latency', ms: WIRE_MS });
    const config = programs.pathOf(join(node.folder, 'patroni.json'));
    node.agent = launch(programs, programs.patroni, [config], join(node.folder, 'log'));
  };
  defer(() => Promise.all(nodes.map((node) => stopNode(node))));
  for (const node of nodes) startAgent(node);

  let leader: Node | null = null;
  let isOver = false;
  const checking = (async () => {
    while (!isOver) {
      const answers = await Promise.all(nodes.map(isPrimary));
      leader = nodes.find((_, index) => answers[index]) ?? null;
      await sleep(CHECK_MS);
    }
  })();
  defer(async () => {
    isOver = true;
    await checking;
  });
  const balancer = await startProxy(defer, () => (leader ? [leader.port] : []));
  const urlOf = (port: number, database: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;

  async function waitUntilWell(standbys: number): Promise<void> {
    const deadline = performance.now() + READY_SECONDS * 1000;
    for (;;) {
      const following = leader
        ? await runSql(
            urlOf(leader.port, 'postgres'),
            `select sync_state from pg_stat_replication where state = 'streaming'`,
          ).catch(() => [])
        : [];
      if (following.length >= standbys && following.some((row) => row.sync_state === 'sync')) return;
      if (performance.now() > deadline)
        throw new Error(`Patroni: ${following.length} standbys after ${READY_SECONDS} s`);
      await sleep(200);
    }
  }
  await waitUntilWell(NODES - 1);
  await runSql(urlOf(balancer.port, 'postgres'), 'create database refill');
  return {
    dataDir: root,
    port: balancer.port,
    url: urlOf(balancer.port, 'refill'),
    leader: () => leader?.port ?? null,
    waitUntilWell,
    kill: async () => {
      if (leader) await killNode(leader);
    },
    stop: async () => void (await Promise.all(nodes.map(stopNode))),
    start: async () => {
      for (const node of nodes) if (!node.agent) startAgent(node);
    },
  };
}

/**
 * The question a load balancer asks. @source
 * https://patroni.readthedocs.io/en/latest/rest_api.html#health-check-endpoints
 */
async function isPrimary(node: Node): Promise<boolean> {
  const asked = request(`http://127.0.0.1:${node.api}/primary`, { headersTimeout: 2000, bodyTimeout: 2000 });
  return asked.then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode === 200;
    },
    () => false,
  );
}

async function makeOwnFolder(folder: string, account: Account | null): Promise<string> {
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

function launch(programs: PatroniPrograms, program: string, args: string[], logFile: string): ChildProcess {
  const { PATH } = process.env;
  const [first = program, ...rest] = [...programs.prefix, program, ...args];
  const child = spawn(first, rest, {
    // The way into another root needs root's rights, and gives them up itself.
    ...(programs.prefix.length === 0 ? programs.account : {}),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, LC_ALL: 'C.UTF-8' },
  });
  const log = createWriteStream(logFile, { flags: 'a' });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  return child;
}

/** @returns the port for clients */
async function startEtcd(defer: Defer, root: string, programs: PatroniPrograms): Promise<number> {
  const folder = await makeOwnFolder(join(root, 'etcd'), programs.account);
  const [port, peer] = [await findQuietPort(), await findQuietPort()];
  const [client, between] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`];
  const child = launch(
    programs,
    programs.etcd,
    ['--data-dir', programs.pathOf(join(folder, 'data')), '--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', between, '--initial-advertise-peer-urls', between, '--initial-cluster', `default=${between}`],
    join(folder, 'log'),
  ); /* a row a line */ // prettier-ignore
  defer(() => endProcess(child, 'SIGTERM'));
  return port;
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}

async function stopNode(node: Node): Promise<void> {
  // An agent that is told to end ends its PostgreSQL first.
  if (node.agent) await endProcess(node.agent, 'SIGTERM');
  node.agent = null;
}

/**
 * As when its machine burns: nothing more comes over the wire, the agent cannot tell the others, PostgreSQL is gone.
 */
async function killNode(node: Node): Promise<void> {
  const agent = node.agent;
  node.agent = null;
  node.wire.setFault({ kind: 'cut' });
  const pid = Number((await readFile(join(node.folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  if (agent) await endProcess(agent, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
}

/** JSON is YAML. @source https://patroni.readthedocs.io/en/latest/patroni_configuration.html */
function configOf(node: Node, etcd: number, password: string, { postgres, pathOf }: PatroniPrograms): object {
  const at = (port: number) => `127.0.0.1:${port}`;
  const account = (username: string) => ({ username, password });
  return {
    scope: 'refill',
    name: node.name,
    restapi: { listen: at(node.api), connect_address: at(node.api) },
    etcd3: { host: at(etcd) },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: LOOP_SECONDS,
        retry_timeout: RETRY_SECONDS,
        // Nothing is confirmed that only one machine has, not even while only one is left.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { synchronous_commit: 'remote_apply', max_connections: 200 },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: at(node.port),
      connect_address: at(node.wire.port),
      data_dir: pathOf(join(node.folder, 'data')),
      bin_dir: postgres,
      // Not inside the data: pg_rewind stumbles over a socket there.
      parameters: { unix_socket_directories: pathOf(node.folder) },
      // Here, and not only where the first cluster is made: Patroni then writes it before each start.
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      pgpass: pathOf(join(node.folder, 'pgpass')),
      authentication: {
        superuser: account('postgres'),
        replication: account('replicator'),
        rewind: account('rewinder'),
      },
    },
  };
}
