// Test 41: one database, more and more processes: the same end, and what is counted, ended or opened at one of them
// holds at all.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import { encodeCredential } from '#contracts/credentials.ts';
import { CODES } from '#contracts/errors.ts';
import type { Envelope } from '#contracts/envelope.ts';
import { type Defer, withCleanup } from '#bench/kit/cleanup.ts';
import { lookAtConnections } from '#cli/doctor/look-at-connections.ts';
import { localDemoHost } from '#server/modules/configuration/configuration.ts';
import { BRAND } from '#bench/money-path/buyers.ts';
import { openDb } from '#server/platform/database/db.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { keepsPreparedStatements } from '#scripts/rehearsal/deploy-parts.ts';
import { runProgram, startProgram, waitFor } from '#scripts/rehearsal/processes.ts';
import { buyForSure, buyMany } from './kit/buy.ts';
import { createCluster } from './kit/cluster.ts';
import { type Finding, tellNotRun, toFinding } from './kit/finding.ts';
import { logIn, makePlayers } from './kit/players.ts';
import { type ChaosShop, makeFolder, type Slot, startChaosShop } from './kit/shop.ts';
import { judge, type Verdict } from './kit/verdict.ts';

type Stage = { readonly web: number; readonly workers: number; readonly isPooled: boolean };
export type ProcessLoad = { readonly stages: readonly Stage[]; readonly orders: number; readonly players: number };

/** Tries of a minute, all processes together. */
const LOGINS = 40;

export function runManyProcesses(load: ProcessLoad): Promise<Finding> {
  return withCleanup(async () => {
    const missing = await findMissing();
    if (missing) return tellNotRun(missing);
    const all: Verdict = { lost: [], doubled: [], breaches: [] };
    const figures: string[] = [];
    const troubles: string[] = [];
    for (const stage of load.stages) {
      const { verdict, figure, faults } = await withCleanup((deferStage) => runStage(deferStage, stage, load));
      for (const kind of ['lost', 'doubled', 'breaches'] as const) (all[kind] as string[]).push(...verdict[kind]);
      const name = `${stage.web} web, ${stage.workers} worker${stage.isPooled ? ', PgBouncer and Valkey' : ''}`;
      figures.push(`${name}: ${figure}`);
      troubles.push(...faults.map((fault) => `${name}: ${fault}`));
    }
    return toFinding(all, load.orders * load.stages.length, figures.join('; '), troubles);
  });
}

async function findMissing(): Promise<string | null> {
  const pooler = await runProgram(['pgbouncer', '--version']);
  return pooler.code === 0 && (await findValkey()) !== null
    ? null
    : 'it needs PgBouncer and Valkey or Redis (Debian: apt-get install pgbouncer valkey-server, or redis-server)';
}

async function findValkey(): Promise<string | null> {
  for (const name of ['valkey-server', 'redis-server'])
    if ((await runProgram([name, '--version'])).code === 0) return name;
  return null;
}

async function runStage(defer: Defer, stage: Stage, load: ProcessLoad) {
  const { web, workers, isPooled } = stage;
  const folder = await makeFolder(defer);
  const postgres = await createCluster(defer, folder.postgres);
  const pooler = isPooled ? await startPooler(defer, folder.root, new URL(postgres.url)) : null;
  const valkey = isPooled ? await startValkey(defer, folder.root) : null;
  const shop = await startChaosShop(defer, {
    servers: web + workers,
    postgres,
    poolerPort: pooler?.port,
    environment: (slot) => ({
      REFILL_ROLE: slot < web ? 'web' : 'worker',
      REFILL_LOGINS_PER_MINUTE: String(LOGINS),
      ...(pooler && !pooler.preparesStatements && { REFILL_PREPARED_STATEMENTS: 'off' }),
      ...(valkey && { REDIS_URL: valkey.url }),
    }),
  });
  const faults: string[] = [];
  const players = await makePlayers(shop, load.players);
  const begun = performance.now();
  const { billingNos, troubles } = await buyMany(load.orders, players, (player) => buyForSure(shop, player));
  const seconds = (performance.now() - begun) / 1000;
  faults.push(...troubles);
  const slots = shop.slots.slice(0, web);
  faults.push(...(await checkBudget(defer, shop, web + workers, pooler)));
  faults.push(...(await checkSession(defer, shop, slots)), ...(await checkLogins(defer, slots)));
  if (valkey) {
    // While it is away each process counts by itself, and nobody waits.
    await valkey.stop();
    const without = await countLogins(defer, slots, LOGINS * web + 20);
    if (without.allowed > LOGINS * web)
      faults.push(`without Valkey ${without.allowed} logins of ${LOGINS * web} were let through`);
    if (without.failed > 0) faults.push(`without Valkey ${without.failed} logins failed`);
  }
  // Many wrong passwords are told of by design.
  const isOurs = (line: string) => !line.includes('"alert":"login_failures"');
  for (const slot of shop.slots) faults.push(...slot.troubles.filter(isOurs).slice(0, 2));
  return {
    verdict: await judge(shop, billingNos),
    figure: `${billingNos.length} delivered in ${seconds.toFixed(1)} s`,
    faults,
  };
}

/** Compares `refill doctor` with the real connections: it counts every process, and tells a pooler from PostgreSQL. */
async function checkBudget(
  defer: Defer,
  { environment }: ChaosShop,
  processes: number,
  pooler: { preparesStatements: boolean } | null,
): Promise<string[]> {
  const preparesStatements = pooler?.preparesStatements ?? true;
  const db = openDb(environment['DATABASE_URL'] ?? '', { max: 1, onError: () => undefined, preparesStatements });
  defer(() => db.end());
  const { said } = await lookAtConnections(db, { poolSize: 12 });
  const isRight =
    said.includes(`of ${processes} processes of the shop`) && said.includes('to a pooler') === (pooler !== null);
  return isRight ? [] : [`doctor says of ${processes} processes: connections ${said}`];
}

/** A session that one process opens or ends is open or ended at all of them. */
async function checkSession(defer: Defer, shop: ChaosShop, slots: readonly Slot[]): Promise<string[]> {
  const { headers } = await logIn(shop, `many-${randomUUID().slice(0, 8)}`, hostOf(shop.front.port));
  const statuses = async () => {
    const codes: number[] = [];
    for (const slot of slots) codes.push((await call(defer, slot, 'GET', '/util/login/get_user_info', headers)).code);
    return codes;
  };
  const open = await statuses();
  const [first] = slots;
  if (first) await call(defer, first, 'POST', '/util/login/logout', headers, {});
  const ended = await statuses();
  return [
    ...(open.every((code) => code === CODES.success.code) ? [] : [`a session was not open everywhere: ${open.join()}`]),
    ...(ended.includes(CODES.success.code) ? [`a session that ended was open: ${ended.join()}`] : []),
  ];
}

/** As many logins as one process would let through, however many there are. */
async function checkLogins(defer: Defer, slots: readonly Slot[]): Promise<string[]> {
  const { allowed, failed } = await countLogins(defer, slots, LOGINS + 20);
  if (failed > 0) return [`${failed} logins failed`];
  return allowed === LOGINS ? [] : [`${allowed} logins of ${LOGINS} were let through`];
}

async function countLogins(defer: Defer, slots: readonly Slot[], count: number) {
  let [allowed, failed] = [0, 0];
  for (let n = 0; n < count; n += 1) {
    const slot = slots[n % slots.length];
    if (!slot) continue;
    // Another account each time: it is the address that is counted.
    const body = {
      username: encodeCredential(`nobody-${randomUUID()}`, 'abc'),
      password: encodeCredential('wrong', 'abc'),
      client_id: '70021',
    };
    const { status, code } = await call(defer, slot, 'POST', '/util/login/auth', { host: hostOf(slot.port) }, body);
    if (status === 0 || status >= 500) failed += 1;
    else if (code === CODES.wrongCredentials.code) allowed += 1;
    else if (code !== CODES.tooManyAttempts.code) failed += 1;
  }
  return { allowed, failed };
}

const hostOf = (port: number): string => `${localDemoHost(BRAND)}:${port}`;

const pools = new WeakMap<Slot, Pool>();

async function call(
  defer: Defer,
  slot: Slot,
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<{ status: number; code: number }> {
  let pool = pools.get(slot);
  if (!pool) {
    const made = new Pool(`http://127.0.0.1:${slot.port}`, { headersTimeout: 10_000 });
    pools.set(slot, (pool = made));
    defer(() => made.destroy());
  }
  const answer = await pool.request({
    method,
    path,
    headers: { 'content-type': 'application/json', 'x-refill': '1', 'sec-fetch-site': 'same-origin', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { code } = (await answer.body.json()) as Envelope<unknown>;
  return { status: answer.statusCode, code };
}

/** In transaction mode, with fewer connections than the processes want. */
async function startPooler(defer: Defer, folder: string, database: URL) {
  const port = await findQuietPort();
  const preparesStatements = await keepsPreparedStatements();
  const file = join(folder, 'pgbouncer.ini');
  const name = decodeURIComponent(database.pathname.slice(1));
  await writeFile(
    file,
    `[databases]
${name} = host=${database.hostname} port=${database.port} dbname=${name} user=${decodeURIComponent(database.username)} password=${decodeURIComponent(database.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
unix_socket_dir =
pool_mode = transaction
${preparesStatements ? 'max_prepared_statements = 200' : ''}
default_pool_size = 16
max_client_conn = 500
ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout
`,
  );
  const program = startProgram('PgBouncer', ['pgbouncer', ...asOther(), file], {});
  defer(() => program.stop());
  await waitFor('PgBouncer', async () => program.said().includes('process up'), program);
  return { port, preparesStatements };
}

/** PgBouncer does not run as root. */
const asOther = (): string[] => (process.getuid?.() === 0 ? ['-u', 'nobody'] : []);

async function startValkey(defer: Defer, folder: string) {
  const port = await findQuietPort();
  const name = (await findValkey()) ?? 'valkey-server';
  const program = startProgram(
    'Valkey',
    [name, '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, '--daemonize', 'no'],
    {},
  );
  let isOver = false;
  const stop = async () => {
    if (!isOver) await program.stop();
    isOver = true;
  };
  defer(stop);
  await waitFor('Valkey', async () => program.said().includes('eady to accept connections'), program);
  return { url: `redis://127.0.0.1:${port}`, stop };
}
