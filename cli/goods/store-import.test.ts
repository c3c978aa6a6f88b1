// Price exports of app stores, in the shape in which Google Play Console and App Store Connect write them.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '#cli/test-run.ts';

const fixtures = join(import.meta.dirname, '..', '..', 'testing', 'fixtures');
const PLAY = join(fixtures, 'stores', 'google-play.csv');
const APPLE = join(fixtures, 'stores', 'app-store.csv');
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-stores-'));
  await cp(join(fixtures, 'configuration'), root, { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const importFile = (file: string, ...args: string[]) =>
  runCommand(['goods', 'import', file, '--game', 'quest', '--shop', root, ...args], {});
const gameText = () => readFile(join(root, 'games/quest/game.yaml'), 'utf8');

async function importText(text: string, ...args: string[]) {
  await writeFile(join(root, 'store.csv'), text);
  return importFile(join(root, 'store.csv'), ...args);
}

test('Google Play: prices in millionths by country, where the game is sold, of products that it has', async () => {
  const before = await gameText();
  const run = await importFile(PLAY, '--from', 'google-play', '--map', 'com.quest.game.weekly=quest_week');
  expect(run.code).toBe(0);
  expect(run.err.trimEnd().split('\n')).toEqual([
    'skipped: 2 products without prices by country (auto fill or a pricing template): com.quest.game.starter, ' +
      'com.quest.game.template',
    'skipped: 1 products that are not published: com.quest.game.old',
    'skipped: 2 countries that no brand of the game sells in: JP, BR',
    'skipped: 1 products that the game does not have (name them by --map): com.quest.game.other',
  ]);
  expect(run.out.trimEnd().split('\n')).toEqual([
    '~ game quest product quest_60: price.USD 0.99 -> 1.09',
    '~ game quest product quest_60: price.EUR 0.99 -> 1.19',
    '~ game quest product quest_60: price in.DE.amount 0.89 -> 1.19',
    '~ game quest product quest_week: price.USD 2.99 -> 3.49',
    '~ game quest product quest_week: price.EUR 2.99 -> 3.49',
    'games/quest/game.yaml is changed; look at it by `refill plan`.',
  ]);
  expect(await gameText()).toBe(
    before
      .replace("USD: '0.99', EUR: '0.99'", "USD: '1.09', EUR: '1.19'")
      .replace("amount: '0.89'", "amount: '1.19'")
      .replace("USD: '2.99', EUR: '2.99'", "USD: '3.49', EUR: '3.49'"),
  );
});

test('App Store: territories by name or three letters, in the currency that is charged there', async () => {
  const run = await importFile(APPLE, '--from', 'app-store', '--product', 'quest_week');
  expect(run).toMatchObject({ code: 0, out: expect.stringContaining('quest_week: price.USD 2.99 -> 1.29\n') });
  expect(run.out).toContain('quest_week: price.EUR 2.99 -> 1.49\n');
  expect(run.err.trimEnd().split('\n')).toEqual([
    'skipped: 1 territories that are no country of ISO 3166-1: Kosovo',
    'skipped: 2 countries that no brand of the game sells in: CN, GB',
  ]);
  const dollars = 'Countries or Regions,Currency Code,Price\nGermany,USD,1.29\nUSA,USD,1.29\n';
  expect((await importText(dollars, '--from', 'app-store', '--product', 'quest_week', '--dry-run')).err).toBe(
    'skipped: 1 prices in another currency than is charged there: DE USD\n',
  );
});

test('countries of one currency with several amounts: the usual one by currency, the others by country', async () => {
  const path = join(root, 'brands/alpha/brand.yaml');
  const brand = await readFile(path, 'utf8');
  await writeFile(path, brand.replace('- { code: DE }', '- { code: DE }\n      - { code: FR }\n      - { code: IT }'));
  const text = 'Product ID,Price\nquest_week,DE; 3490000; FR; 3490000; IT; 3990000; US; 2990000\n';
  expect((await importText(text, '--from', 'google-play')).out.split('\n').slice(0, 3)).toEqual([
    '~ game quest product quest_week: price.EUR 2.99 -> 3.49',
    '+ game quest product quest_week: price in.IT.currency EUR',
    '+ game quest product quest_week: price in.IT.amount 3.99',
  ]);
});

test.each([
  [
    'a price that is no pair',
    'Product ID,Price\nquest_60,US; 990000; DE\n',
    'store.csv:2: price: "US; 990000; DE" is not country and price by turns',
  ],
  [
    'a price in units',
    'Product ID,Price\nquest_60,US; 0.99\n',
    'store.csv:2: price: "US; 0.99" is not a country and a price in millionths',
  ],
  [
    'a part of a cent',
    'Product ID,Price\nquest_60,US; 990001\n',
    'store.csv:2: price: 990001 millionths is no price in USD for US',
  ],
  ['a file of something else', 'a,b\n1,2\n', 'store.csv:1: product id: is missing in the head'],
  ['nothing that can be taken', 'Product ID,Price\nother,US; 990000\n', 'store.csv:1: none of its prices can be taken'],
])('refuses %s, and writes nothing', async (_, text, sentence) => {
  const before = await gameText();
  const run = await importText(text, '--from', 'google-play');
  expect(run.code).toBe(1);
  expect(run.err).toContain(sentence);
  expect(await gameText()).toBe(before);
});

test.each([
  [['--from', 'steam'], /must be google-play or app-store/],
  [['--from', 'app-store'], /say which by --product/],
  [['--from', 'google-play', '--map', 'a=none'], /--map "none": the game has quest_60/],
  [['--from', 'google-play', '--currency', 'DE'], /write e\.g\. BG=EUR/],
  [['--from', 'google-play', '--complete'], /--complete is for a table of your own/],
])('an option that does not fit: %j', async (args, sentence) => {
  expect(await importFile(PLAY, ...args)).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
});

test("what Google Play charges in another currency than the shop is not taken for the shop's", async () => {
  const run = await importText(
    'Product ID,Price\nquest_week,US; 3490000; DE; 3490000\n',
    '--from',
    'google-play',
    '--currency',
    'DE=USD',
  );
  expect(run.err).toBe('skipped: 1 prices in another currency than is charged there: DE USD\n');
  expect(run.out).not.toContain('EUR');
});
