// Tests a plan's lines about prices, jumps that somebody has to accept, and the way back to an earlier revision.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GameId } from '#kernel/ids.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { createEmptyDatabase, openTestDatabase } from '#testing/database.ts';
import { runCommand } from './test-run.ts';

const fixture = join(import.meta.dirname, '..', 'testing', 'fixtures', 'configuration');
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let root: string;

beforeAll(async () => {
  database = await openTestDatabase(2);
  root = await mkdtemp(join(tmpdir(), 'refill-prices-'));
  await cp(fixture, root, { recursive: true });
  const applied = await run(['apply']);
  if (applied.code !== 0) throw new Error(applied.err);
});
afterAll(async () => {
  await database.drop();
  await rm(root, { recursive: true });
});

const run = (args: string[], answer?: boolean) =>
  runCommand([...args, '--shop', root], { DATABASE_URL: database.url }, answer);

async function edit(from: string, to: string, file = 'games/quest/game.yaml'): Promise<void> {
  const text = await readFile(join(root, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(root, file), text.replace(from, to));
}

const priceNow = async () =>
  (await loadConfiguration(database.db)).productOf('quest' as GameId, 'quest_week')?.prices.get('USD')?.amountMinor;

test('a plan tells prices by country, with their moments', async () => {
  await edit("USD: '2.99'", "USD: '2.49'");
  await edit(
    '    limit: {',
    "    priceChanges: [{ from: '2999-01-01T00:00:00Z', prices: { EUR: '3.49' } }]\n    limit: {",
  );
  const plan = await run(['plan']);
  expect(plan.code).toBe(2);
  expect(plan.out.split('\n')).toEqual(
    expect.arrayContaining([
      '~ game quest product quest_week: price.USD 2.99 -> 2.49',
      '+ game quest product quest_week: from 2999-01-01T00:00:00Z.price.EUR 3.49',
      'Prices: 2 change by product and country.',
      '  quest quest_week 2.99 -> 2.49 USD (-16.7 %) in US',
      '  quest quest_week 2.99 -> 3.49 EUR (+16.7 %) in DE, from 2999-01-01T00:00:00Z',
    ]),
  );
});

test.each([
  [['--missing-texts', '--prices'], '--missing-texts and --prices: choose one of them.'],
  [['--prices', '--json', '--format', 'csv'], '--json and --format "csv": choose one of them.'],
  [['--format', 'csv'], '--format "csv": it is a form of --prices.'],
])('plan %j is refused: one would be answered in place of the other', async (options, sentence) => {
  expect(await run(['plan', ...options])).toEqual({ code: 1, out: '', err: `refill: ${sentence}\n` });
});

test('all of them as a table, for a spreadsheet and for a program', async () => {
  const csv = await run(['plan', '--prices', '--format', 'csv']);
  expect(csv.out.trimEnd().split('\n')).toEqual([
    'game,product,country,before,after,currency,percent,from',
    'quest,quest_week,DE,2.99,3.49,EUR,16.7,2999-01-01T00:00:00Z',
    'quest,quest_week,US,2.99,2.49,USD,-16.7,',
  ]);
  expect((await run(['plan', '--prices'])).out).toMatch(/quest +quest_week +US +2\.99 +2\.49 +USD +-16\.7 +-/);
  expect(JSON.parse((await run(['plan', '--json'])).out)).toMatchObject({
    prices: [
      { country: 'DE', from: '2999-01-01T00:00:00Z' },
      { country: 'US', from: null, is_jump: false },
    ],
  });
  expect(await run(['apply'])).toMatchObject({ code: 0, err: '' });
  expect(await priceNow()).toBe(249);
});

test('a slip of the decimal point is applied only by who accepts it', async () => {
  await edit("USD: '2.49'", "USD: '24.90'");
  const sentence =
    /^games\/quest\/game\.yaml:\d+: goods\[quest_week\]\.prices\.USD: 2\.49 -> 24\.90 USD \(\+900 %\) in US is a jump/m;
  expect(await run(['plan'])).toMatchObject({ code: 2, err: expect.stringMatching(/^warning: games\/quest/) });
  expect(await run(['apply'])).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
  expect(await priceNow()).toBe(249);
  expect(await run(['apply', '--accept-price-jumps'])).toMatchObject({ code: 0 });
  expect(await priceNow()).toBe(2490);
});

test('revisions are listed and shown, and a rollback is shown, asked for and kept as a revision', async () => {
  const list = await run(['revisions']);
  expect(list.out).toMatch(
    /^REVISION +APPLIED +BY +FILES +CHANGED\n3 .* kept +~ game quest product quest_week: price\.USD 2\.49 -> 24\.90\n2 /,
  );
  expect((await run(['revisions', 'show', '2'])).out).toContain('price.USD 2.99 -> 2.49');

  expect(await run(['rollback', '2'])).toMatchObject({ code: 3, err: expect.stringMatching(/--yes/) });
  expect(await run(['rollback', '2'], false)).toMatchObject({ code: 3 });
  expect(await priceNow()).toBe(2490);
  const back = await run(['rollback', '2'], true);
  expect(back).toMatchObject({ code: 0, err: '' });
  expect(back.out).toMatch(
    /~ game quest product quest_week: price\.USD 24\.90 -> 2\.49\n[^]*Applied as revision 4;[^]*refill revisions show 4 --out/,
  );
  expect(await priceNow()).toBe(249);
  expect((await run(['revisions', '--limit', '1'])).out).toMatch(/4 .*rolled back to revision 2 \(and 1 more\)/);
  expect((await run(['rollback', '2', '--yes'])).out).toMatch(/nothing to roll back/);
});

test('a database without tables is told so, and has none after an apply of files with a fault', async () => {
  const empty = await createEmptyDatabase();
  const runThere = (args: string[]) => runCommand([...args, '--shop', root], { DATABASE_URL: empty.url });
  for (const args of [['revisions'], ['rollback', '1', '--yes']])
    expect(await runThere(args)).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no tables of Refill: run apply first'),
    });
  await edit("USD: '24.90'", "USD: 'much'");
  expect(await runThere(['apply'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/1 fault: nothing was written/),
  });
  await edit("USD: 'much'", "USD: '24.90'");
  const after = await runThere(['revisions']);
  await empty.drop();
  expect(after.err).toContain('has no tables of Refill: run apply first');
});

test('files of a revision make the database of today out of a folder', async () => {
  const out = join(root, 'out');
  expect((await run(['revisions', 'show', '4', '--out', out])).out).toContain('games/quest/game.yaml');
  expect((await run(['revisions', 'show', '4', '--out', out])).err).toMatch(/is not empty/);
  for (const path of ['brands/alpha', 'brands/beta', 'games/quest', 'channels'])
    await cp(join(root, path, 'assets'), join(out, path, 'assets'), { recursive: true });
  const plan = await runCommand(['plan', '--shop', out], { DATABASE_URL: database.url });
  expect(plan).toMatchObject({ code: 0 });
});

test('a rollback is refused when today finds a fault, a picture is lost, or the files are not kept', async () => {
  await edit('icon: icon.svg', 'icon: other.svg', 'games/quest/game.yaml');
  await cp(join(root, 'games/quest/assets/icon.svg'), join(root, 'games/quest/assets/other.svg'));
  await cp(join(root, 'games/quest/assets/icon-plain.svg'), join(root, 'games/quest/assets/other-plain.svg'));
  await edit("USD: '24.90'", "USD: '2.49'");
  expect((await run(['apply'])).err).toBe('');
  await rm(join(root, 'games/quest/assets/icon.svg'));
  expect(await run(['rollback', '4', '--yes'])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^revision 4: games\/quest\/game\.yaml:\d+: .*icon\.svg/),
  });
  await database.db.query('update configuration_history set files = null where revision = 1');
  expect(await run(['rollback', '1', '--yes'])).toMatchObject({ code: 3, err: expect.stringMatching(/not kept/) });
  expect(await run(['rollback', '99', '--yes'])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/no revision 99/),
  });
});
