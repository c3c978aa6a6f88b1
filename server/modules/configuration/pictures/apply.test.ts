// Pictures on their way into a database and out of it: applied once, told when they change,
// kept a day, refused by name.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GameId } from '#kernel/ids.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type TestDatabase, openTestDatabase } from '#testing/database.ts';
import { applyConfiguration, createPictureShelf, loadConfiguration, planConfiguration } from '../service.ts';

const fixture = join(import.meta.dirname, '..', '..', '..', '..', 'testing', 'fixtures', 'configuration');
const GAME = 'games/quest/game.yaml';
let database: TestDatabase & { db: Db };
let db: Db;
let root: string;

beforeAll(async () => {
  database = await openTestDatabase(4);
  ({ db } = database);
});
afterAll(() => database.drop());

const draw = (colour: string) =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480" viewBox="0 0 48 48"><circle cx="24" cy="24" ' +
  `r="20" fill="${colour}"/></svg>`;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-pictures-'));
  await cp(fixture, root, { recursive: true });
  const assets = join(root, 'games/quest/assets');
  await mkdir(join(assets, 'goods'), { recursive: true });
  await writeFile(join(assets, 'hero.svg'), draw('#2040a0'));
  await writeFile(join(assets, 'currency.svg'), draw('#c0a020'));
  await writeFile(join(assets, 'goods/quest_60.svg'), draw('#c83a20'));
  await edit(
    'hasAreas: false',
    "art: { hero: hero.svg, heroFocus: '70% 40%', currency: currency.svg }\nhasAreas: false",
  );
  await edit('    art: pack-1', '    picture: goods/quest_60.svg\n    art: pack-1');
  await db.query('truncate configuration, configuration_file, configuration_history, product_stock, picture_file');
  return () => rm(root, { recursive: true });
});

async function edit(from: string, to: string): Promise<void> {
  const text = await readFile(join(root, GAME), 'utf8');
  expect(text).toContain(from);
  await writeFile(
    join(root, GAME),
    text.replace(from, () => to),
  );
}

const hashes = async () =>
  (await db.query<{ hash: string }>('select hash from picture_file order by hash')).rows.map(({ hash }) => hash);
const inUse = async () =>
  (await db.query<{ hash: string }>('select hash from picture_file where unused_since is null')).rows.length;

test('are applied with the files, and products, game and currency carry them', async () => {
  const planned = await planConfiguration(db, root);
  expect(planned.ok && planned.lines.filter((line) => line.includes('picture'))).toEqual([
    expect.stringMatching(/^\+ picture hero games\/quest\/assets\/hero\.svg: new \(1600 x 1600, [\d.]+ kB/),
    expect.stringMatching(/^\+ picture currency games\/quest\/assets\/currency\.svg: new \(192 x 192/),
    expect.stringMatching(/^\+ picture goods games\/quest\/assets\/goods\/quest_60\.svg: new/),
  ]);
  expect(await hashes()).toEqual([]);

  expect(await applyConfiguration(db, root)).toMatchObject({ ok: true, changed: true });
  expect(await hashes()).toHaveLength(12);
  const game = (await loadConfiguration(db)).games.get('quest' as GameId)!;
  expect(game.art.hero).toMatchObject({ width: 1600, focus: '70% 40%' });
  expect(game.art.currency?.avif).toMatch(/ 96w, .+ 192w$/);
  expect(game.products.get('quest_60')?.picture?.webp).toMatch(/^\/pictures\/.{16}\.webp 240w/);
  expect(game.products.get('quest_week')?.picture).toBeNull();
});

test('the same files a second time change nothing, also without the folder of what was made', async () => {
  await applyConfiguration(db, root);
  const before = await hashes();
  expect(await planConfiguration(db, root)).toMatchObject({ ok: true, lines: [] });
  expect(await applyConfiguration(db, root)).toMatchObject({ ok: true, changed: false, revision: 1 });
  expect(await hashes()).toEqual(before);
});

test('another drawing under the same name is told, and the one before stays for a day', async () => {
  await applyConfiguration(db, root);
  await writeFile(join(root, 'games/quest/assets/goods/quest_60.svg'), draw('#108040'));
  const changed = await applyConfiguration(db, root);
  expect(changed.ok && changed.summary).toEqual([
    expect.stringMatching(/^~ picture goods games\/quest\/assets\/goods\/quest_60\.svg: /),
  ]);
  expect(await hashes()).toHaveLength(16);
  expect(await inUse()).toBe(12);

  await db.query("update picture_file set unused_since = unused_since - interval '25 hours'");
  await edit("prices: { USD: '0.99'", "prices: { USD: '0.98'");
  await applyConfiguration(db, root);
  expect(await hashes()).toHaveLength(12);
});

test('what comes back within the day is in use again', async () => {
  await applyConfiguration(db, root);
  await writeFile(join(root, 'games/quest/assets/hero.svg'), draw('#000000'));
  await applyConfiguration(db, root);
  await writeFile(join(root, 'games/quest/assets/hero.svg'), draw('#2040a0'));
  await applyConfiguration(db, root);
  expect(await inUse()).toBe(12);
  expect(await hashes()).toHaveLength(16);
});

test('one that is over budget is refused by name, file and line, and nothing is written', async () => {
  await applyConfiguration(db, root);
  const before = await hashes();
  const noise = sharp({
    create: {
      width: 240,
      height: 240,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  });
  await writeFile(join(root, 'games/quest/assets/goods/loud.png'), await noise.png().toBuffer());
  await edit('goods/quest_60.svg', 'goods/loud.png');
  await edit("prices: { USD: '0.99'", "prices: { USD: '0.97'");
  for (const act of [planConfiguration, applyConfiguration]) {
    const refused = await act(db, root);
    expect(refused.ok).toBe(false);
    const [fault, ...others] = refused.ok ? [] : refused.faults;
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ file: GAME, field: 'goods[quest_60].picture' });
    expect(fault?.sentence).toMatch(
      /game\.yaml:\d+: .+goods\/loud\.png is too heavy: 240 wide it has .+ kB.+budget.+9\.0 kB/,
    );
  }
  expect(await hashes()).toEqual(before);
  expect((await loadConfiguration(db)).revision).toBe(1);
});

test('a file that is not there is told with its line', async () => {
  await edit('goods/quest_60.svg', 'goods/gone.svg');
  const refused = await applyConfiguration(db, root);
  expect(!refused.ok && refused.faults.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/goods\[quest_60\]\.picture: games\/quest\/assets\/goods\/gone\.svg does not exist/),
  ]);
});

test('a shelf asks the database once, and forgets what it has no room for', async () => {
  await applyConfiguration(db, root);
  const [first = '', second = ''] = await hashes();
  let asked = 0;
  const counting = {
    query: (...given: Parameters<Db['query']>) => {
      asked += 1;
      return db.query(...given);
    },
  } as unknown as Db;
  const shelf = createPictureShelf(counting, 10);
  const [one, two] = await Promise.all([shelf.find(first), shelf.find(first)]);
  expect(one?.bytes).toBe(two?.bytes);
  expect(asked).toBe(1);
  // Ten bytes hold no picture: everything is read again.
  await shelf.find(first);
  expect(asked).toBe(2);
  const roomy = createPictureShelf(counting);
  for (const hash of [first, second, first, second]) expect(await roomy.find(hash)).not.toBeNull();
  expect(asked).toBe(4);
  expect(await roomy.find('nothing-like-this')).toBeNull();
});
