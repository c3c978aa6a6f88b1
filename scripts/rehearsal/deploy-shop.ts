// The shop of a rehearsal: an external PostgreSQL with the accounts of production, PgBouncer, two replicas, a worker.
import { randomBytes } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { projectRoot } from '#scripts/run-tool.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { forkPostgres } from '#scripts/start/start-postgres.ts';
import { type Place, writePgbouncer } from './deploy-parts.ts';
import { type Program, startProgram, waitFor } from './processes.ts';

export const REFILL = [process.execPath, join(projectRoot, 'cli/main.ts')];

export type Defer = (undo: () => Promise<unknown>) => void;

export type RehearsedDatabase = { url: string; ownerUrl: string; appUrl: string };

/** A server of its own, as one on another machine would be: over TCP, with the accounts of roles.sql. */
export async function openDatabase(folder: string, defer: Defer): Promise<RehearsedDatabase> {
  const server = await forkPostgres({ dataDir: join(folder, 'postgres'), temporary: true });
  defer(server.stop);
  const password = randomBytes(16).toString('hex');
  const roles = await readFile(join(projectRoot, 'deploy/postgres/roles.sql'), 'utf8');
  await runSql(server.url, roles);
  for (const role of ['refill_owner', 'refill_app'])
    await runSql(server.url, `alter role ${role} password '${password}'`);
  const as = (username: string) => Object.assign(new URL(server.url), { username, password }).href;
  return { url: server.url, ownerUrl: as('refill_owner'), appUrl: as('refill_app') };
}

export async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** The line of userlist.txt, by the statement of docs/production.md. */
async function readUserlist(url: string): Promise<string> {
  const page = await readFile(join(projectRoot, 'docs/production.md'), 'utf8');
  const statement = /"(select format\(.* from pg_authid .*)" > \/etc\/pgbouncer\/userlist\.txt/.exec(page)?.[1];
  if (statement === undefined) throw new Error('docs/production.md does not say how userlist.txt is written');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Within double quotes a shell takes the backslashes away.
    const { rows } = await client.query<{ format: string }>(statement.replaceAll('\\"', '"'));
    return rows[0]?.format ?? '';
  } finally {
    await client.end();
  }
}

export async function openPooler(folder: string, database: RehearsedDatabase, defer: Defer) {
  const port = await findQuietPort();
  const to = new URL(database.url);
  const { file, preparesStatements } = await writePgbouncer(folder, port, to, await readUserlist(database.url));
  // It refuses to be root.
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : [];
  const program = startProgram('pgbouncer', ['pgbouncer', ...user, file], {});
  defer(program.stop);
  const url = Object.assign(new URL(database.appUrl), { port: String(port), pathname: '/refill' }).href;
  await waitFor('PgBouncer', async () => (await runSql(url, 'select 1'), true), program);
  return { url, preparesStatements };
}

/** Somebody works through the pooler with a search_path of their own, on more connections than the shop has. */
export async function disturbPooler(url: string): Promise<void> {
  const clients = Array.from({ length: 45 }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  await Promise.all(clients.map((client) => client.query("begin; set search_path = 'elsewhere'; commit")));
  await Promise.all(clients.map((client) => client.end()));
}

/** A folder as an operator would have it: a live shop takes none of the program's own. */
export async function copyShop(folder: string): Promise<string> {
  const shop = join(folder, 'shop');
  for (const part of ['brands', 'games', 'channels'])
    await cp(join(projectRoot, part), join(shop, part), { recursive: true });
  return shop;
}

/** Nothing lies behind the addresses; the secrets are as good as real ones. @param shop see copyShop */
export function liveSettings(shop: string): Record<string, string> {
  const games = ['STARLANE', 'EMBERFALL', 'POCKET_PITCH'];
  return {
    REFILL_ENVIRONMENT: 'live',
    REFILL_SHOP: shop,
    NODE_ENV: 'production',
    REFILL_WALLET_LIVE_CREDIT_KEY: randomBytes(24).toString('base64url'),
    REFILL_CARD_LIVE_PEPPER: randomBytes(24).toString('base64url'),
    ...Object.fromEntries(
      games.flatMap((game) => [
        [`REFILL_GAME_${game}_LIVE_URL`, 'https://game.publisher.example/refill'],
        [`REFILL_GAME_${game}_LIVE_SECRETS`, `whsec_${randomBytes(24).toString('base64')}`],
      ]),
    ),
  };
}

export type Shop = {
  replicas: Program[];
  worker: Program;
  /** The worker's. */
  operatorPort: number;
  /** @param release folder of the program that comes in its place */
  replace: (index: number, release: string) => Promise<{ code: number | null; ms: number }>;
};

/** @param release folder of the program that both replicas run first */
export async function openShop(
  place: Place,
  settings: Record<string, string>,
  release: string,
  defer: Defer,
): Promise<Shop> {
  const healthPort = await findQuietPort();
  const isReady = async (port: number) => (await request(`http://127.0.0.1:${port}/readyz`)).statusCode === 200;
  const open = async (name: string, port: number, own: Record<string, string>, root = projectRoot) => {
    const role = name === 'worker' ? 'worker' : 'web';
    const command = [process.execPath, join(root, 'cli/main.ts'), 'serve', '--role', role];
    const program = startProgram(name, command, { ...settings, ...own });
    defer(program.stop);
    await waitFor(name, () => isReady(port), program);
    return program;
  };
  const openReplica = (index: number, root: string) => {
    const port = place.replicas[index] ?? 0;
    // As the image has it: proxies come by IPv4.
    return open(`replica ${index + 1}`, port, { PORT: String(port), REFILL_HOST: '::' }, root);
  };
  const replicas = [await openReplica(0, release), await openReplica(1, release)];
  return {
    replicas,
    operatorPort: healthPort,
    worker: await open('worker', healthPort, { REFILL_OPERATOR_PORT: String(healthPort) }),
    replace: async (index, root) => {
      const ended = await replicas[index]?.stop();
      replicas[index] = await openReplica(index, root);
      // Until the proxy has looked twice.
      await sleep(3000);
      return ended ?? { code: null, ms: 0 };
    },
  };
}
