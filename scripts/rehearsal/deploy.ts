// npm run rehearsal -- deploy: what docs/production.md describes, on this machine, with the files of deploy/. One
// external PostgreSQL with the two accounts, PgBouncer, two replicas and a worker, Prometheus with the alert rules,
// HAProxy, nginx and Caddy with TLS in front; then both replicas are replaced by another release under load, and a backup
// is brought back.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { buildIfStale } from '#scripts/build.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { lookWithPrometheus } from './deploy-prometheus.ts';
import { openToAll, type Place, verifyUnits, writeCertificate } from './deploy-parts.ts';
import { buildFormerRelease, copyRelease } from './deploy-releases.ts';
import {
  type Defer,
  copyShop,
  disturbPooler,
  liveSettings,
  openDatabase,
  openPooler,
  openShop,
  REFILL,
  type RehearsedDatabase,
  runSql,
} from './deploy-shop.ts';
import { lookAtLimits, lookThrough, type Look, openProxies, replaceUnderLoad, walkThrough } from './deploy-through.ts';
import { runProgram } from './processes.ts';

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

async function rehearse(folder: string, look: Look, defer: Defer): Promise<void> {
  const units = await verifyUnits(folder);
  look('systemd units', units === '', units || 'systemd-analyze verify has nothing against them');
  await buildIfStale();
  const former = await buildFormerRelease(folder);
  const coming = await copyRelease(former, folder);
  look('other releases', true, 'two, none of whose files has the name of one of this checkout');
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
  const shop = await openShop(place, app, former, defer);
  look('two replicas and a worker as refill_app', true, 'ready, through PgBouncer; the worker on its port of health');

  const { rules, series, tests } = await lookWithPrometheus(folder, shop.operatorPort, defer);
  const ill = rules.filter(({ health }) => health !== 'ok').map(({ lastError, name }) => `${name}: ${lastError}`);
  look(
    'Prometheus',
    series > 0 && rules.length > 0 && ill.length === 0,
    `${series} series of the worker, ${rules.length} rules evaluated, their tests: ${tests}`.concat(...ill),
  );

  const proxies = await openProxies(place, await writeCertificate(place), defer);
  // Each release is new to the replica that is still to be replaced, and the last one is a way back.
  const releases = [projectRoot, coming, former];
  for (const [index, proxy] of proxies.entries()) {
    look(`${proxy.name} takes its file`, proxy.fault === '', proxy.fault || 'checked and started');
    await lookThrough(proxy, place, look);
    await replaceUnderLoad(proxy, place, shop, releases[index] ?? projectRoot, look);
    await walkThrough(proxy, place, 'of a shop that runs', look);
  }
  await disturbPooler(pooler.url);
  const headers = { host: HOST, 'x-forwarded-proto': 'https' };
  const page = await request(`http://127.0.0.1:${place.replicas[0]}/`, { headers });
  await page.body.dump();
  look('a search_path set through PgBouncer', page.statusCode === 200, `the next page answers ${page.statusCode}`);
  for (const proxy of proxies) await lookAtLimits(proxy, place, look);
  for (const replica of shop.replicas) await replica.stop();
  for (const proxy of proxies) await walkThrough(proxy, place, 'of replicas that are away', look);
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
