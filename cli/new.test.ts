// `refill new`: what it writes is a whole shop, its own and nobody else's, and its game server keeps the contract.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { openTestDatabase } from '#testing/database.ts';
import { type Run, runCommand } from './test-run.ts';

const project = resolve(import.meta.dirname, '..');
let scratch: string;
let shop: string;
let made: Run;

const write = (...args: string[]) => runCommand(['new', ...args], {});

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'refill-new-'));
  shop = join(scratch, 'fjord');
  made = await write(shop, '--game', 'skald', '--name', 'Fjord & Sons');
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test('writes a shop whose files have no fault, and of an empty database makes that shop alone', async () => {
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain(`in ${shop}: brand fjord, game skald.`);
  const database = await openTestDatabase(2);
  try {
    const onto = { DATABASE_URL: database.url };
    const plan = await runCommand(['plan', '--shop', shop, '--json'], onto);
    expect(JSON.parse(plan.out)).toMatchObject({ ok: true, warnings: [] });
    expect(await runCommand(['apply', '--shop', shop], onto)).toMatchObject({ code: 0 });
    const applied = await loadConfiguration(database.db);
    expect([...applied.brands.keys()]).toEqual(['fjord']);
    expect([...applied.games.keys()]).toEqual(['skald']);
    expect([...new Set(applied.channels.map(({ file }) => file.provider))]).toEqual(['adyen', 'paypal']);
    expect(applied.brands.get('fjord' as never)?.file.name).toBe('Fjord & Sons');
    // Every product has a picture that was made.
    expect([...applied.games.get('skald' as never)!.products.values()].filter((one) => !one.file.picture)).toEqual([]);
  } finally {
    await database.drop();
  }
});

test.each(['/proc/foo-shop', '/proc/zz/shop-x'])(
  'ends with a sentence where no folder can be made: %s',
  async (folder) => {
    const { code, err } = await write(folder);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^refill: The folder "\/proc\/\S+" cannot be written \(E\w+: .+\): name .+\.\n$/),
    });
  },
);

test('leaves no word of the template unfilled, and depends on the product beside it', async () => {
  const read = (path: string) => readFile(join(shop, path), 'utf8');
  const paths = ['package.json', 'README.md', '.env.example', 'brands/fjord/brand.yaml', 'games/skald/game.yaml'];
  for (const path of paths) expect([path, /@[a-z-]+@/i.exec(await read(path))]).toEqual([path, null]);
  const { dependencies } = JSON.parse(await read('package.json')) as { dependencies: { refill: string } };
  expect(dependencies.refill).toBe(`file:${relative(shop, project)}`);
  // The machine's own Node may be older than what runs TypeScript.
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  const { bin } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  for (const script of Object.values(scripts)) expect(Object.keys(bin)).toContain(script.split(' ')[0]);
  const secret = (await read('game-server/secret')).trim();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await read('.env')).toContain(`#REFILL_GAME_SKALD_DEMO_SECRETS=${secret}\n`);
  expect(await read('.env.example')).not.toContain(secret);
  expect(await read('.gitignore')).toMatch(/^\.env$[^]*^game-server\/secret$/m);
});

test('its deployment files are those of deploy/ with its own names, and lead to files that are there', async () => {
  const paths = await readdir(join(shop, 'deploy'), { recursive: true });
  for (const path of ['fjord-web@.service', 'fjord-worker.service', 'fjord-backup.service', 'fjord-backup.timer'])
    expect(paths).toContain(`systemd/${path}`);
  expect(paths).toEqual(expect.arrayContaining(['nginx/fjord.conf', 'haproxy/haproxy.cfg', 'caddy/Caddyfile']));
  const files = paths.filter((path) => /\.[a-z]+$|Caddyfile/.test(path));
  const texts = await Promise.all(files.map((path) => readFile(join(shop, 'deploy', path), 'utf8')));
  for (const text of texts) expect(text).not.toMatch(/STARLANE|example\.com|\/etc\/refill|my-shop|backups\/refill/);
  expect(await readFile(join(shop, 'deploy/refill.env.example'), 'utf8')).toContain('REFILL_GAME_SKALD_LIVE_URL=');
  expect(texts.join('\n')).toContain('Description=Fjord & Sons, worker');
  // Two shops of one machine share the program, and nothing that they keep.
  const web = await readFile(join(shop, 'deploy/systemd/fjord-web@.service'), 'utf8');
  expect(web).toMatch(/^StateDirectory=fjord$/m);
  expect(web).toMatch(/^Environment=REFILL_CALLBACK_RECORD=\/var\/lib\/fjord\/callbacks$/m);
  const unit = await readFile(join(shop, 'deploy/systemd/fjord-worker.service'), 'utf8');
  expect(unit).toMatch(/^StateDirectory=fjord$[^]*^Environment=REFILL_CALLBACK_RECORD=\/var\/lib\/fjord\/callbacks$/m);
  const compose = parse(await readFile(join(shop, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as {
    name: string;
    services: Record<string, { build?: { context: string }; volumes?: string[] }>;
  };
  expect(compose.name).toBe('fjord');
  const { worker, ...others } = compose.services;
  expect(resolve(shop, 'deploy', worker!.build!.context)).toBe(project);
  // Its .env, passwords and certificates lie beside them.
  const parts = ['brands', 'games', 'channels', 'messages'];
  for (const part of parts) expect(await readdir(join(shop, part))).not.toEqual([]);
  const inShop = worker!.volumes!.filter((one) => one.includes('/shop/'));
  expect(inShop).toEqual(parts.map((part) => `../${part}:/shop/${part}:ro`));
  expect(compose.services['backup']!.volumes).toEqual([...inShop, 'backups:/backups']);
  const mounted = Object.values(others).flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]!));
  // The certificate is the operator's.
  for (const path of mounted.filter((one) => one.startsWith('./') && one !== './tls'))
    expect([path, paths.includes(path.slice(2))]).toEqual([path, true]);
  expect(mounted).toContain('./postgres/roles.sql');
  // Nothing of what is filled in by hand gets into git.
  const ignored = (await readFile(join(shop, '.gitignore'), 'utf8')).split('\n');
  for (const path of ['.env', 'deploy/.env', 'deploy/refill.env', 'deploy/owner.env', 'deploy/tls/'])
    expect(ignored).toContain(path);
  const outOfImage = (await readFile(join(shop, '.dockerignore'), 'utf8')).split('\n');
  for (const path of ['.env', 'deploy', 'game-server']) expect(outOfImage).toContain(path);
  // Every place is explained.
  const readme = await readFile(join(shop, 'README.md'), 'utf8');
  for (const path of new Set(paths.map((one) => (dirname(one) === '.' ? one : `${dirname(one)}/`))))
    expect(readme).toContain(`\`${path}`);
});

test('is a repository of its own, which takes no file that a walk lets a reader write', async () => {
  const git = (...args: string[]) => spawnSync('git', ['-C', shop, ...args], { encoding: 'utf8' });
  expect(git('rev-parse', '--show-toplevel').stdout.trim()).toBe(shop);
  expect(made.out).toContain('\n  git add -A && git commit -m "Begin the shop"\n');
  const pages = ['walks/game-engineer', 'walks/publisher', 'prices', 'operating', 'adding-a-brand'];
  const texts = await Promise.all(pages.map((page) => readFile(join(project, `docs/${page}.md`), 'utf8')));
  const written = texts.flatMap((text) =>
    [...text.matchAll(/(?: > |--out |--password-file )([a-z][\w-]*(?:\.\w+)?)(?=\s|`)/g)].map(([, file = '']) => file),
  );
  expect(written).toEqual(expect.arrayContaining(['password', 'prices.csv', 'cards.csv', 'person.json']));
  expect(written.filter((file) => git('check-ignore', '--quiet', file).status !== 0)).toEqual([]);
  for (const secret of ['.env', 'game-server/secret']) expect(git('check-ignore', secret).status).toBe(0);
});

test('stays a part of the repository that it lies in', async () => {
  const repository = join(scratch, 'many');
  spawnSync('git', ['init', '--quiet', repository]);
  expect(await write(join(repository, 'tarn'))).toMatchObject({ code: 0, err: '' });
  expect(await readdir(join(repository, 'tarn'))).not.toContain('.git');
});

test.each([
  [
    'a folder that holds something',
    async () => [shop],
    /^.*fjord is not empty \(.+\): name a new folder\. Nothing was written\.$/,
  ],
  [
    'a file',
    async () => {
      await writeFile(join(scratch, 'file'), '');
      return [join(scratch, 'file')];
    },
    /file is a file: name a folder\.$/,
  ],
  ['a folder inside the product', async () => [join(project, 'my-shop')], /lies inside Refill itself/],
  [
    'a brand of capitals',
    async () => [join(scratch, 'a1'), '--brand', 'Big Co'],
    /--brand "Big Co": a brand's key is 2 to 30 small letters/,
  ],
  ['a folder whose name is no key', async () => [join(scratch, '42')], /the folder's name gives "42".*give --brand\.$/],
  ['a brand that reads like a try-out', async () => [join(scratch, 'a2'), '--brand', 'my-demo'], /must not contain it/],
  ['a game of a path', async () => [join(scratch, 'a3'), '--game', '../up'], /--game "\.\.\/up": a game's id is/],
  ['a name with a quote', async () => [join(scratch, 'a4'), '--name', "Bob's"], /--name "Bob's": at most 40 letters/],
])('refuses %s in one sentence', async (_, args, sentence) => {
  const run = await write(...(await args()));
  expect(run).toMatchObject({ code: 1, out: '' });
  expect(run.err.trim()).toMatch(sentence);
  expect(run.err.trim().split('\n')).toHaveLength(1);
});

test('the key of a folder with marks on its letters is made of the letters', async () => {
  expect((await write(join(scratch, 'Café Ünïcode'))).out).toContain(': brand cafe-unicode, game my-game.');
});

test('takes a fresh clone that holds nothing but .git', async () => {
  await mkdir(join(scratch, 'cloned', '.git'), { recursive: true });
  expect(await write(join(scratch, 'cloned'))).toMatchObject({ code: 0, err: '' });
});

const SAMPLES = {
  TypeScript: [process.execPath, 'node/server.ts'],
  Python: ['python3', 'python/server.py'],
} as const;
/** Languages that this machine has. */
const languages = (Object.keys(SAMPLES) as (keyof typeof SAMPLES)[]).filter(
  (language) => spawnSync(SAMPLES[language][0], ['--version']).status === 0,
);

test.each(
  languages.flatMap((language) =>
    (
      [
        [{ PORT: 'abc' }, /^PORT is "abc": it must be a number from 0 to 65535\.$/],
        [{ GAME_SECRETS: 'whsec_short' }, /^GAME_SECRETS holds no secret: it must be whsec_ and /],
        [{ GAME_DATA: '/dev/null/x' }, /^\/dev\/null\/x cannot hold the game's database \(.+\): name another /],
        [{ PORT: 'taken' }, /^Port \d+ is in use: end the other program, or choose another one, e\.g\. PORT=9400\.$/],
      ] as const
    ).map(([variables, sentence]) => [language, variables, sentence] as const),
  ),
)('the sample game server in %s with %j ends with one sentence', async (language, variables, sentence) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const [program, file] = SAMPLES[language];
  const port = String((other.address() as AddressInfo).port);
  const given = 'PORT' in variables && variables.PORT === 'taken' ? { PORT: port } : variables;
  const data = await mkdtemp(join(scratch, 'game-'));
  const { status, stderr, stdout } = spawnSync(program, [join(shop, 'game-server', file)], {
    env: { ...process.env, PORT: '0', GAME_DATA: data, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1', ...given },
    encoding: 'utf8',
    timeout: 20_000,
  });
  other.close();
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(sentence)]);
});

test.each(languages)('the sample game server in %s without its secret says where it belongs', async (language) => {
  const copy = await mkdtemp(join(scratch, 'no-secret-'));
  await cp(join(shop, 'game-server'), copy, { recursive: true });
  await rm(join(copy, 'secret'));
  const [program, file] = SAMPLES[language];
  const { status, stderr } = spawnSync(program, [join(copy, file)], {
    env: { ...process.env, PORT: '0', GAME_SECRETS: '', NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' },
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(status).toBe(1);
  expect(stderr.trim()).toMatch(/^\S+\/secret cannot be read \(.+\): put the secret of the shop there, or set /);
});

test.each(languages)('the sample game server in %s keeps the contract', async (language) => {
  const [program, file] = SAMPLES[language];
  const game = spawn(program, [join(shop, 'game-server', file)], {
    env: { ...process.env, PORT: '0', GAME_DATA: await mkdtemp(join(scratch, 'game-')), NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const url = await addressOf(game);
    await writeFile(join(scratch, 'password'), 'refill-demo');
    const check = await runCommand(
      [
        '--shop',
        shop,
        'game',
        'check',
        'skald',
        '--url',
        url,
        '--secret-file',
        join(shop, 'game-server', 'secret'),
        '--user',
        '1001',
        '--username',
        'kestrel',
        '--password-file',
        join(scratch, 'password'),
        '--json',
      ],
      {},
    );
    const { ok, cases } = JSON.parse(check.out) as { ok: boolean; cases: { name: string; outcome: string }[] };
    expect(cases.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
    expect(cases.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThan(40);
    expect(ok).toBe(true);
  } finally {
    game.kill();
    await once(game, 'exit');
  }
});

/** Of the line that the game server prints once it listens. */
async function addressOf(game: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: game.stdout! })) {
    const address = /http:\S+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error('the game server ended without an address');
}
