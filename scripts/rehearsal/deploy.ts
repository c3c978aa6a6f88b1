// npm run rehearsal -- deploy: what docs/production.md describes, on this machine, with the files of deploy/. One
// external PostgreSQL with the two accounts, PgBouncer, two replicas and a worker, Prometheus with the alert rules,
// nginx and HAProxy with TLS in front; then both replicas are replaced under load, and a backup is brought back.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, request } from 'undici';
import { buildIfStale } from '#scripts/build.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { lookWithPrometheus } from './deploy-prometheus.ts';
import {
  NGINX_CACHE,
  openToAll,
  type Place,
  verifyUnits,
  writeCertificate,
  writeHaproxy,
  writeNginx,
} from './deploy-parts.ts';
import {
  type Defer,
  copyShop,
  liveSettings,
  openDatabase,
  openPooler,
  openShop,
  REFILL,
  type RehearsedDatabase,
  runSql,
  type Shop,
} from './deploy-shop.ts';
import { type Program, runProgram, startProgram, waitFor } from './processes.ts';
import { startTraffic } from './traffic.ts';

const NEEDED = {
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  caddy: 'caddy',
  promtool: 'prometheus',
};
const HOST = 'pay.watt.example';
/** Longer than a balancer that looks each second needs. */
const NOTICE_SECONDS = 3;

const CALLS = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/util/login/login_config' },
  { method: 'POST', path: '/util/login/auth', body: { login_name: 'nobody', password: 'nothing' } },
] as const;

/** @returns whether everything was as the documents say */
export async function rehearseDeploy(): Promise<boolean> {
  const undos: (() => Promise<unknown>)[] = [];
  const faults: string[] = [];
  const began = Date.now();
  const look = (what: string, isWell: boolean, found: string): void => {
    if (!isWell) faults.push(what);
    const seconds = String(Math.round((Date.now() - began) / 1000));
    console.log(`${seconds.padStart(4)} s  ${isWell ? 'ok   ' : 'FAULT'}  ${what}: ${found}`);
  };
  try {
    await requirePrograms();
    const folder = await mkdtemp(join(tmpdir(), 'refill-deploy-'));
    undos.push(() => rm(folder, { recursive: true, force: true }));
    await openToAll(folder);
    await rehearse(folder, look, (undo) => undos.push(undo));
  } catch (error) {
    look('the rehearsal', false, (error as Error).message);
  } finally {
    for (const undo of undos.toReversed()) await undo().catch((error: unknown) => console.error(error));
  }
  console.log(faults.length === 0 ? 'All of deploy/ works.' : `Not well: ${faults.join(', ')}.`);
  return faults.length === 0;
}

type Look = (what: string, isWell: boolean, found: string) => void;

async function rehearse(folder: string, look: Look, defer: Defer): Promise<void> {
  const units = await verifyUnits(folder);
  look('systemd units', units === '', units || 'systemd-analyze verify has nothing against them');
  const caddyfile = join(projectRoot, 'deploy/caddy/Caddyfile');
  const caddy = await runProgram(['caddy', 'validate', '--adapter', 'caddyfile', '--config', caddyfile]);
  look('Caddy takes its file', caddy.code === 0, lastLine(caddy.said));
  await buildIfStale();
  const place: Place = { folder, host: HOST, replicas: [await findQuietPort(), await findQuietPort()] };

  const database = await openDatabase(folder, defer);
  const settings = liveSettings(await copyShop(folder));
  const owner = { ...settings, DATABASE_URL: database.ownerUrl };
  const applied = await runProgram([...REFILL, 'apply'], owner);
  if (applied.code !== 0) throw new Error(`refill apply as refill_owner: ${applied.said}`);
  look('refill apply as refill_owner', true, lastLine(applied.said));

  const pooler = await openPooler(folder, database, defer);
  look(
    'PgBouncer, transaction mode',
    true,
    pooler.preparesStatements ? 'prepared statements' : 'older than 1.21: REFILL_PREPARED_STATEMENTS=off',
  );
  const app = {
    ...settings,
    DATABASE_URL: pooler.url,
    REFILL_PREPARED_STATEMENTS: pooler.preparesStatements ? 'on' : 'off',
    REFILL_TRUSTED_PROXIES: '127.0.0.1',
    REFILL_STOP_NOTICE: String(NOTICE_SECONDS),
    REFILL_POOL: '4',
    REFILL_LOG: 'warn',
  };
  const shop = await openShop(place, app, defer);
  look('two replicas and a worker as refill_app', true, 'ready, through PgBouncer; the worker on its port of health');

  const { rules, series, tests } = await lookWithPrometheus(folder, shop.operatorPort, defer);
  const ill = rules.filter(({ health }) => health !== 'ok').map(({ lastError, name }) => `${name}: ${lastError}`);
  look(
    'Prometheus',
    series > 0 && rules.length > 0 && ill.length === 0,
    `${series} series of the worker, ${rules.length} rules evaluated, their tests: ${tests}`.concat(...ill),
  );

  const ca = await writeCertificate(place);
  for (const proxy of [await openHaproxy(place, defer), await openNginx(place, defer)]) {
    look(`${proxy.name} takes its file`, proxy.fault === '', proxy.fault || 'checked and started');
    await lookThrough(proxy, ca, place, shop, look, defer);
  }
  const worker = await shop.worker.stop();
  look('a worker that is told to end', worker.code === 0, `ended with ${worker.code} after ${worker.ms} ms`);
  await rehearseBackup(folder, database, settings, look);
}

async function requirePrograms(): Promise<void> {
  const missing: string[] = [];
  for (const [program, name] of Object.entries(NEEDED))
    if ((await runProgram(['which', program])).code !== 0) missing.push(name);
  if (missing.length === 0) return;
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  if (process.getuid?.() !== 0) throw new Error(`it needs ${missing.join(', ')}: ${command.join(' ')} (as root)`);
  console.log(`Installing ${missing.join(', ')} ...`);
  await runProgram(['apt-get', 'update']);
  const installed = await runProgram(command, { DEBIAN_FRONTEND: 'noninteractive' });
  if (installed.code !== 0) throw new Error(`${command.join(' ')} failed: ${lastLine(installed.said)}`);
}

type Proxy = { name: string; plain: number; tls: number; program: Program; fault: string };

async function openHaproxy(place: Place, defer: Defer): Promise<Proxy> {
  const [plain, tls] = [await findQuietPort(), await findQuietPort()];
  const file = await writeHaproxy(place, plain, tls);
  const checked = await runProgram(['haproxy', '-c', '-f', file]);
  const program = startProgram('haproxy', ['haproxy', '-db', '-f', file], {});
  defer(program.stop);
  return { name: 'HAProxy', plain, tls, program, fault: checked.code === 0 ? '' : checked.said };
}

async function openNginx(place: Place, defer: Defer): Promise<Proxy> {
  const [plain, tls] = [await findQuietPort(), await findQuietPort()];
  const file = await writeNginx(place, plain, tls);
  // Made by nginx itself, where the file says; that of a shop on this machine is left as it is.
  if (!existsSync(NGINX_CACHE)) defer(() => rm(NGINX_CACHE, { recursive: true, force: true }));
  const checked = await runProgram(['nginx', '-t', '-c', file]);
  const program = startProgram('nginx', ['nginx', '-c', file], {});
  defer(program.stop);
  return { name: 'nginx', plain, tls, program, fault: checked.code === 0 ? '' : checked.said };
}

async function lookThrough(
  proxy: Proxy,
  ca: string,
  place: Place,
  shop: Shop,
  look: Look,
  defer: Defer,
): Promise<void> {
  const { name, plain, program, tls } = proxy;
  const pool = new Pool(`https://127.0.0.1:${tls}`, { connections: 16, connect: { ca, servername: place.host } });
  defer(() => pool.destroy());
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await pool.request({ method: 'GET', path, headers: { host: place.host, ...headers } });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  await waitFor(name, async () => (await get('/')).status === 200, program);
  const page = await get('/', { 'x-forwarded-host': 'pay.joynet.example' });
  const hasHsts = page.headers['strict-transport-security'] !== undefined;
  look(`${name}: a page by TLS`, page.status === 200 && hasHsts, `${page.status}, HSTS ${hasHsts ? 'set' : 'MISSING'}`);

  const away = await request(`http://127.0.0.1:${plain}/x?y=1`, { headers: { host: place.host } });
  const to = String(away.headers.location);
  look(
    `${name}: plain http`,
    away.statusCode === 308 && to === `https://${place.host}/x?y=1`,
    `${away.statusCode} to ${to}`,
  );
  const health = await get('/readyz');
  look(`${name}: health stays inside`, health.status === 404, `/readyz answers ${health.status}`);

  const asset = /\/assets\/[\w.-]+\.js/.exec(page.text)?.[0] ?? '/none';
  const [first, second] = [await get(asset), await get(asset)];
  const cacheControl = String(second.headers['cache-control']);
  const hit = second.headers['x-cache'] ?? (second.headers.age === undefined ? 'unknown' : 'HIT');
  look(
    `${name}: a hashed file`,
    first.status === 200 && /immutable/.test(cacheControl) && hit === 'HIT',
    `${cacheControl}; second time: ${hit}`,
  );

  const traffic = startTraffic(pool, place.host, CALLS);
  await sleep(1000);
  const ends = [await shop.replace(0), await shop.replace(1)];
  const { calls, faults, slowestMs } = await traffic.stop();
  const ended = ends.map(({ code, ms }) => `ended with ${code} after ${ms} ms`).join(', ');
  look(
    `${name}: both replicas replaced under load`,
    faults.length === 0 && ends.every(({ code }) => code === 0),
    [`${calls} calls, ${faults.length} failed, slowest ${slowestMs} ms; ${ended}`, ...new Set(faults)]
      .slice(0, 4)
      .join('; '),
  );
}

async function rehearseBackup(
  folder: string,
  database: RehearsedDatabase,
  settings: Record<string, string>,
  look: Look,
): Promise<void> {
  const to = join(folder, 'backups');
  const app = { ...settings, DATABASE_URL: database.appUrl };
  const backup = await runProgram([...REFILL, 'backup', '--to', to, '--json'], app);
  const { file = '', rows = 0, bytes = 0 } = backup.code === 0 ? JSON.parse(backup.said) : {};
  look(
    'refill backup as refill_app',
    backup.code === 0,
    backup.code === 0 ? `${rows} rows, ${bytes} bytes` : backup.said,
  );
  await runSql(database.url, 'create database refill_restored owner refill_owner');
  const inRestored = (url: string) => Object.assign(new URL(url), { pathname: '/refill_restored' }).href;
  await runSql(inRestored(database.url), await readFile(join(projectRoot, 'deploy/postgres/roles.sql'), 'utf8'));
  const owner = { ...settings, DATABASE_URL: inRestored(database.ownerUrl) };
  const restored = await runProgram([...REFILL, 'restore', file], owner);
  look('refill restore as refill_owner', restored.code === 0, lastLine(restored.said));
  const plan = await runProgram([...REFILL, 'plan'], owner);
  look('the restored shop', plan.code === 0, lastLine(plan.said));
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
