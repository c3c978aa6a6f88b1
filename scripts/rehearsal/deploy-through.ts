// Asks through a proxy of deploy/ what it promises: TLS, health, bodies, limits, hashed files, no secret in its log.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, request } from 'undici';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { NGINX_CACHE, type Place, writeCaddy, writeHaproxy, writeNginx } from './deploy-parts.ts';
import { findSecrets, makeSecrets, type Secrets, walkWithSecrets } from './deploy-secrets.ts';
import type { Defer, Shop } from './deploy-shop.ts';
import { type Program, runProgram, startProgram, waitFor } from './processes.ts';
import { startTraffic } from './traffic.ts';

export type Look = (what: string, isWell: boolean, found: string) => void;

export type Proxy = {
  readonly name: string;
  readonly plain: number;
  readonly program: Program;
  readonly fault: string;
  readonly pool: Pool;
  /** Everything that it has written. */
  readonly readLog: () => Promise<string>;
  /** Caddy keeps no files, and limits nothing. */
  readonly isCaddy: boolean;
  readonly secrets: Secrets;
};

const CALLS = [
  { method: 'GET', path: '/util/login/login_config' },
  { method: 'POST', path: '/util/login/auth', body: { login_name: 'nobody', password: 'nothing' } },
] as const;
/** Of the whole path, of its first letters, of all of it, and ways around it that a server might undo. */
const WAYS_TO_HEALTH = [
  '/readyz',
  '/healthz',
  '/%72eadyz',
  '/%68ealthz?x=1',
  '/%68%65%61%6c%74%68%7a',
  '/readyz/',
  '//readyz',
  '/none/../readyz',
  '/./readyz',
  '/READYZ',
  '/%2572eadyz',
];
const LARGEST_BODY = 65_536;

export async function openProxies(place: Place, ca: string, defer: Defer): Promise<Proxy[]> {
  const open = async (
    name: string,
    write: (place: Place, plain: number, tls: number) => Promise<string>,
    commands: { check: (file: string) => string[]; run: (file: string) => string[] },
    logs: string[] = [],
  ): Promise<Proxy> => {
    const [plain, tls] = [await findQuietPort(), await findQuietPort()];
    const file = await write(place, plain, tls);
    // Caddy would keep its own certificates at home.
    const env = { XDG_DATA_HOME: place.folder, XDG_CONFIG_HOME: place.folder };
    const checked = await runProgram(commands.check(file), env);
    const program = startProgram(name, commands.run(file), env);
    defer(program.stop);
    const pool = new Pool(`https://127.0.0.1:${tls}`, { connections: 16, connect: { ca, servername: place.host } });
    defer(() => pool.destroy());
    return {
      name,
      plain,
      program,
      pool,
      fault: checked.code === 0 ? '' : checked.said,
      isCaddy: name === 'Caddy',
      secrets: makeSecrets(),
      readLog: async () => {
        const files = await Promise.all(logs.map((log) => readFile(join(place.folder, log), 'utf8').catch(() => '')));
        return [program.said(), ...files].join('\n');
      },
    };
  };
  // Made by nginx itself, where the file says; that of a shop on this machine is left as it is.
  if (!existsSync(NGINX_CACHE)) defer(() => rm(NGINX_CACHE, { recursive: true, force: true }));
  return [
    await open('HAProxy', writeHaproxy, {
      check: (file) => ['haproxy', '-c', '-f', file],
      run: (file) => ['haproxy', '-db', '-f', file],
    }),
    await open(
      'nginx',
      writeNginx,
      { check: (file) => ['nginx', '-t', '-c', file], run: (file) => ['nginx', '-c', file] },
      ['refill.log', 'refill-error.log'],
    ),
    await open('Caddy', writeCaddy, {
      check: (file) => ['caddy', 'validate', '--adapter', 'caddyfile', '--config', file],
      run: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
    }),
  ];
}

async function ask(
  { pool }: Proxy,
  place: Place,
  path: string,
  sent: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string | AsyncIterable<string> } = {},
) {
  const { body = null, headers, method = 'GET' } = sent;
  const all = { host: place.host, ...headers };
  const answer = await pool.request({ method, path, headers: all, body: body as string | null });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

export async function lookThrough(proxy: Proxy, place: Place, look: Look): Promise<void> {
  const { isCaddy, name, plain, program } = proxy;
  await waitFor(name, async () => (await ask(proxy, place, '/')).status === 200, program);
  const page = await ask(proxy, place, '/', { headers: { 'x-forwarded-host': 'pay.joynet.example' } });
  const hasHsts = page.headers['strict-transport-security'] !== undefined;
  look(`${name}: a page by TLS`, page.status === 200 && hasHsts, `${page.status}, HSTS ${hasHsts ? 'set' : 'MISSING'}`);

  const away = await request(`http://127.0.0.1:${plain}/x?y=1`, { headers: { host: place.host } });
  const to = String(away.headers.location);
  look(
    `${name}: plain http`,
    away.statusCode === 308 && to === `https://${place.host}/x?y=1`,
    `${away.statusCode} to ${to}`,
  );

  const ways = await Promise.all(WAYS_TO_HEALTH.map(async (path) => [path, await ask(proxy, place, path)] as const));
  const led = ways.filter(([, { status }]) => status !== 404 && status !== 400).map(([path]) => path);
  look(
    `${name}: health stays inside`,
    led.length === 0,
    `${ways.length} spellings, answered: ${led.join(' ') || 'none'}`,
  );

  const post = (body: string | AsyncIterable<string>) =>
    ask(proxy, place, '/callback/none', { method: 'POST', body }).then(({ status }) => status);
  async function* inPieces(bytes: number) {
    for (let left = bytes; left > 0; left -= 1000) yield 'x'.repeat(Math.min(left, 1000));
  }
  const fits = [await post('x'.repeat(LARGEST_BODY)), await post(inPieces(LARGEST_BODY))];
  // No larger ones: the end of the connection may reach a client that still writes before the answer does.
  const over = [await post('x'.repeat(LARGEST_BODY + 1)), await post(inPieces(LARGEST_BODY + 1000))];
  look(
    `${name}: bodies of ${LARGEST_BODY} bytes at most`,
    fits.every((status) => status === 404) && over.every((status) => status === 413),
    `whole and in pieces ${fits.join(', ')}; larger ${over.join(', ')}`,
  );

  const asset = / (?:src|href)="(\/assets\/[\w.-]+\.js)"/.exec(page.text)?.[1] ?? '/none';
  const [first, second] = [await ask(proxy, place, asset), await ask(proxy, place, asset)];
  const cacheControl = String(second.headers['cache-control']);
  const hit = second.headers['x-cache'] ?? (second.headers.age === undefined ? 'not kept' : 'HIT');
  look(
    `${name}: a hashed file`,
    first.status === 200 && /immutable/.test(cacheControl) && (isCaddy || hit === 'HIT'),
    `${cacheControl}; second time: ${hit}`,
  );
}

/** @param release folder of the program that takes the place of both replicas */
export async function replaceUnderLoad(
  { name, pool }: Proxy,
  place: Place,
  shop: Shop,
  release: string,
  look: Look,
): Promise<void> {
  const traffic = startTraffic(pool, place.host, CALLS);
  await sleep(1000);
  const ends = [await shop.replace(0, release), await shop.replace(1, release)];
  const { calls, dead, faults, pages, releases, slowestMs } = await traffic.stop();
  const ended = ends.map(({ code, ms }) => `ended with ${code} after ${ms} ms`).join(', ');
  const seen = Object.values(releases);
  look(
    `${name}: both replicas replaced by another release under load`,
    dead === 0 && faults.length === 0 && seen.length === 2 && ends.every(({ code }) => code === 0),
    [
      `${pages} pages of ${seen.length} releases (${seen.join(' and ')}), ${dead} dead; ${calls} calls, ` +
        `${faults.length} answers failed in all; slowest ${slowestMs} ms; ${ended}`,
      ...new Set(faults),
    ]
      .slice(0, 4)
      .join('; '),
  );
}

/** The shop's replicas may run, or be away: then a proxy writes errors. */
export async function walkThrough(proxy: Proxy, place: Place, when: string, look: Look): Promise<void> {
  const { name, plain, pool, secrets } = proxy;
  const marker = await walkWithSecrets(pool, place.host, plain, secrets);
  let log = '';
  await waitFor(`the log of ${name}`, async () => (log = await proxy.readLog()).includes(marker));
  const found = findSecrets(log, secrets);
  look(
    `${name}: no secret in its log, ${when}`,
    found.length === 0,
    `${secrets.all.length} secrets sent, ${log.split('\n').length} lines, found: ${found.join(', ') || 'none'}`,
  );
}

/** Last of a proxy: for some seconds after it calls are refused. */
export async function lookAtLimits(proxy: Proxy, place: Place, look: Look): Promise<void> {
  const count = async (path: string, times: number): Promise<{ refused: number; failed: number }> => {
    const statuses: number[] = [];
    const call = async (): Promise<void> => {
      for (let turn = 0; turn < times / 16; turn += 1)
        statuses.push((await ask(proxy, place, `${path}?${proxy.secrets.query}`)).status);
    };
    await Promise.all(Array.from({ length: 16 }, call));
    const countOf = (isIt: (status: number) => boolean) => statuses.filter(isIt).length;
    return { refused: countOf((status) => status === 429), failed: countOf((status) => status >= 500) };
  };
  const calls = await count('/none', 2000);
  const callbacks = await count('/callback/none', 500);
  // Few: a replica looks for an unknown name once a second.
  const files = await count('/assets/none.js', 32);
  const isLimited = proxy.isCaddy ? calls.refused === 0 : calls.refused > 0;
  look(
    `${proxy.name}: limits of one address`,
    isLimited && callbacks.refused + files.refused + calls.failed + callbacks.failed + files.failed === 0,
    `2000 calls, ${calls.refused} refused${proxy.isCaddy ? ' (it can limit none)' : ''}; then 500 callbacks, ` +
      `${callbacks.refused} refused; 32 files, ${files.refused} refused`,
  );
}
