// Goods as a table: what goes out comes back as it was, and what is changed in it is changed in the file and nowhere
// else.
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '#cli/test-run.ts';

const project = join(import.meta.dirname, '..', '..');
const fixture = join(project, 'testing', 'fixtures', 'configuration');
const GAME = 'games/quest/game.yaml';
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-goods-'));
  await cp(fixture, root, { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const goods = (...args: string[]) => runCommand(['goods', ...args, '--shop', root], {});
const gameText = () => readFile(join(root, GAME), 'utf8');

async function importText(text: string, ...args: string[]) {
  await writeFile(join(root, 'sheet.csv'), text);
  return goods('import', join(root, 'sheet.csv'), '--game', 'quest', ...args);
}

test('exports a line a price point; the first of a product says what it is', async () => {
  const { code, out } = await goods('export', '--game', 'quest');
  expect(code).toBe(0);
  expect(out.trimEnd().split('\n')).toEqual([
    'product_id,shelf,sort,tier,art,amount,name,is_coupon,is_special,stock,beta,country,currency,price,list_price,from',
    'quest_60,gems,10,1,pack-1,60,60 Gems,,,,,,USD,0.99,1.99,',
    'quest_60,,,,,,,,,,,,EUR,0.99,,',
    'quest_60,,,,,,,,,,,,JPY,160,,',
    'quest_60,,,,,,,,,,,DE,EUR,0.89,,',
    'quest_week,gems,20,2,item-pack,,Weekly pack,,,100,,,USD,2.99,,',
    'quest_week,,,,,,,,,,,,EUR,2.99,,',
  ]);
  expect(JSON.parse((await goods('export', '--game', 'quest', '--format', 'json')).out)).toMatchObject({
    game: 'quest',
    goods: [{ product_id: 'quest_60', currency: 'USD', price: '0.99' }, {}, {}, { country: 'DE' }, {}, {}],
  });
});

test('an export keeps marks of direction in a name, for it is read in again', async () => {
  await writeFile(join(root, GAME), (await gameText()).replace('60 Gems', String.raw`"\u2067\u05d0\u2069 Gems"`));
  const { out } = await goods('export', '--game', 'quest');
  expect(out).toContain('\u2067\u05d0\u2069 Gems');
  expect((await importText(out, '--complete')).out).toContain('nothing was changed');
  expect((await goods('export', '--game', 'quest', '--format', 'json')).out).toContain('\\u2067\u05d0\\u2069 Gems');
});

test.each(['emberfall', 'starlane', 'pocket-pitch', 'quest'])(
  'an export of %s that is imported changes no byte, also as a whole table',
  async (game) => {
    if (game !== 'quest') await cp(join(project, 'games', game), join(root, 'games', game), { recursive: true });
    const file = join(root, 'games', game, 'game.yaml');
    const before = await readFile(file, 'utf8');
    const { out } = await goods('export', '--game', game);
    await writeFile(join(root, 'sheet.csv'), out);
    const run = await goods('import', join(root, 'sheet.csv'), '--game', game, '--complete');
    expect(run).toEqual({
      code: 0,
      out: `games/${game}/game.yaml says the same already: nothing was changed.\n`,
      err: '',
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  },
);

test('changes what the table names, in its place, and leaves comments and all else', async () => {
  const before = await gameText();
  const run = await importText(
    [
      'product_id,country,currency,price,list_price',
      'quest_60,,USD,1.09,-',
      'quest_60,FR,EUR,0.95,',
      'quest_week,,USD,2.990,3.99',
      'quest_week,,GBP,2.59,',
    ].join('\r\n'),
  );
  expect(run.err).toBe('');
  expect(run.out).toBe(
    [
      '~ game quest product quest_60: price.USD 0.99 -> 1.09',
      '+ game quest product quest_60: price in.FR.currency EUR',
      '+ game quest product quest_60: price in.FR.amount 0.95',
      '- game quest product quest_60: list price.USD 1.99',
      '+ game quest product quest_week: price.GBP 2.59',
      '+ game quest product quest_week: list price.USD 3.99',
      `${GAME} is changed; look at it by \`refill plan\`.`,
      '',
    ].join('\n'),
  );
  expect(await gameText()).toBe(
    before
      .replace("prices: { USD: '0.99', EUR", "prices: { USD: '1.09', EUR")
      .replace("    listPrices: { USD: '1.99' }\n", '')
      .replace("amount: '0.89' }\n", "amount: '0.89' }\n      FR: { currency: EUR, amount: '0.95' }\n")
      .replace("EUR: '2.99' }\n", "EUR: '2.99', GBP: '2.59' }\n    listPrices: { USD: '3.99' }\n"),
  );
});

test('keeps one price a line where the file has it so', async () => {
  const file = join(root, GAME);
  const before = (await gameText()).replace(
    "prices: { USD: '2.99', EUR: '2.99' }",
    "prices:\n      {\n        USD: '2.99', # as in the store\n        EUR: '2.99',\n      }",
  );
  await writeFile(file, before);
  await importText('product_id,currency,price\nquest_week,EUR,2.79\nquest_week,GBP,2.59\n');
  expect(await gameText()).toBe(
    before.replace("        EUR: '2.99',\n", "        EUR: '2.79',\n        GBP: '2.59',\n"),
  );
});

test('a new product, a field that changes and one that goes', async () => {
  const before = await gameText();
  const table = (await goods('export', '--game', 'quest')).out
    .replace('Weekly pack,,,100', 'Weekly pack,true,,-')
    .replace('from\n', 'from,name_de\n')
    .concat(
      'quest_320,gems,30,2,pack-2,320,"Yes: 320, at once",,true,,,,USD,4.99,,,Alle\nquest_320,,,,,,,,,,,,EUR,4.99,,\n',
    );
  expect((await importText(table)).err).toBe('');
  expect(await gameText()).toBe(
    before.replace(
      '    stock: 100\n',
      `    isCoupon: true
  - id: quest_320
    name: { en: 'Yes: 320, at once', de: Alle }
    shelf: gems
    sort: 30
    art: pack-2
    tier: 2
    amount: 320
    prices: { USD: '4.99', EUR: '4.99' }
    isSpecial: true
`,
    ),
  );
  // And with a whole table what it does not name goes.
  expect((await importText((await goods('export', '--game', 'quest')).out, '--complete')).out).toContain('nothing');
  const bare = 'product_id,currency,price\nquest_60,USD,0.99\nquest_60,EUR,0.99\n';
  expect((await importText(bare, '--complete')).err).toBe('');
  expect(await gameText()).toMatch(/prices: \{ USD: '0\.99', EUR: '0\.99' \}\nevents:/);
});

test('prices with a date: into the file, out of it and back, changed and taken away', async () => {
  const before = await gameText();
  const head = 'product_id,country,currency,price,list_price,from\n';
  const dated = `${head}quest_60,,USD,0.79,0.99,2026-12-24T00:00:00Z\nquest_60,DE,EUR,0.69,,2026-12-24T01:00+01:00\nquest_60,,USD,0.99,,2027-01-07T00:00:00Z\n`;
  const run = await importText(dated);
  expect(run.err).toBe('');
  expect(run.out).toContain('+ game quest product quest_60: from 2026-12-24T00:00:00Z.price.USD 0.79\n');
  const changes = `    priceChanges:
      - { from: '2026-12-24T00:00:00Z', prices: { USD: '0.79' }, listPrices: { USD: '0.99' }, countryPrices: { DE: { currency: EUR, amount: '0.69' } } }
      - { from: '2027-01-07T00:00:00Z', prices: { USD: '0.99' } }
`;
  const withChanges = before.replace("amount: '0.89' }\n", `amount: '0.89' }\n${changes}`);
  expect(await gameText()).toBe(withChanges);
  const exported = (await goods('export', '--game', 'quest')).out;
  expect((await importText(exported, '--complete')).out).toContain('nothing was changed');

  await importText(`${head}quest_60,,USD,-,,2027-01-07T00:00:00Z\nquest_60,,USD,0.75,,2026-12-24T00:00:00Z\n`);
  expect(await gameText()).toBe(
    withChanges
      .replace("      - { from: '2027-01-07T00:00:00Z', prices: { USD: '0.99' } }\n", '')
      .replace('0.79', '0.75'),
  );
  await importText(
    exported
      .split('\n')
      .filter((line) => !line.includes('2026-12-24') && !line.includes('2027'))
      .join('\n'),
    '--complete',
  );
  expect(await gameText()).toBe(before);
  expect((await importText(`${head}quest_60,,USD,0.79,,2026-12-24\n`)).err).toMatch(
    /sheet\.csv:2: from: "2026-12-24" is no moment/,
  );
});

test('the wide form has a column a price, comes back as it was, and changes what it names', async () => {
  const { out } = await goods('export', '--game', 'quest', '--wide');
  expect(out.trimEnd().split('\n')).toEqual([
    'product_id,shelf,sort,tier,art,amount,name,is_coupon,is_special,stock,beta,from,eur,jpy,usd,usd list,de eur',
    'quest_60,gems,10,1,pack-1,60,60 Gems,,,,,,0.99,160,0.99,1.99,0.89',
    'quest_week,gems,20,2,item-pack,,Weekly pack,,,100,,,2.99,,2.99,,',
  ]);
  expect((await importText(out, '--complete')).out).toContain('nothing was changed');
  const before = await gameText();
  const changed = await importText('product_id,USD,DE\nquest_60,1.09,0.95\nquest_week,,2.79\n');
  expect(changed).toMatchObject({ code: 0, err: '' });
  expect(await gameText()).not.toBe(before);
  const long = (await goods('export', '--game', 'quest')).out;
  expect(long).toContain(',USD,1.09,1.99,');
  expect(long).toContain('quest_60,,,,,,,,,,,DE,EUR,0.95,,');
  expect(long).toContain('quest_week,,,,,,,,,,,DE,EUR,2.79,,');
  expect(long).toContain('USD,2.99');
});

test.each([
  ['a price in both forms', 'product_id,USD,currency,price\nquest_60,1,EUR,1\n', 'give prices in one form'],
  ['a country without one currency', 'product_id,BR\nquest_60,1\n', 'write e.g. "br EUR"'],
  ['a price that is none, under its column', 'product_id,USD\nquest_60,much\n', 'sheet.csv:2: USD: "much" is not'],
  ['a currency that is none', 'product_id,UUU\nquest_60,1\n', 'is no column'],
])('the wide form refuses %s', async (_, text, words) => {
  const before = await gameText();
  const { code, err } = await importText(text);
  expect(code).toBe(1);
  expect(err.toLowerCase()).toContain(words.toLowerCase());
  expect(await gameText()).toBe(before);
});

test('a table as German spreadsheets write it: sep=, semicolons and decimal commas, said once', async () => {
  const text = 'sep=;\r\nproduct_id;currency;price\r\nquest_60;USD;1,09\r\nquest_60;EUR;1,19\r\n';
  expect(await importText(text)).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^[^\n]*decimal comma[^\n]*\n?$/),
  });
  const { out } = await goods('export', '--game', 'quest');
  expect(out).toContain('USD,1.09');
  expect(out).toContain('EUR,1.19');
  const mixed = await importText('sep=;\nproduct_id;currency;price\nquest_60;USD;1.09\nquest_60;EUR;1,19\n');
  expect(mixed).toMatchObject({ code: 1, err: expect.stringContaining('sheet.csv:4: price: "1,19" has a comma') });
});

test('a table that is not UTF-8 is refused with its line, and a written one opens in Excel', async () => {
  await writeFile(join(root, 'sheet.csv'), Buffer.from('product_id,name\nquest_60,P\u00e9pites\n', 'latin1'));
  const before = await gameText();
  const refused = await goods('import', join(root, 'sheet.csv'), '--game', 'quest');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('sheet.csv:2: has bytes that are not UTF-8') });
  expect(await gameText()).toBe(before);
  await goods('export', '--game', 'quest', '--out', join(root, 'out.csv'));
  const written = await readFile(join(root, 'out.csv'));
  expect([...written.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect((await goods('import', join(root, 'out.csv'), '--game', 'quest')).out).toContain('nothing was changed');
});

test('a product with prices by country alone is noted, for offers and list prices need one by currency', async () => {
  const text =
    'product_id,country,currency,price\nquest_week,,USD,-\nquest_week,,EUR,-\nquest_week,DE,EUR,2.99\nquest_week,US,USD,2.99\n';
  const { err } = await importText(text);
  expect(err).toContain('"quest_week" has prices by country alone');
});

test('tells every cell that cannot be, with its line and column, and writes nothing', async () => {
  const before = await gameText();
  const run = await importText(
    [
      'product_id;shelf;sort;country;currency;price;list_price',
      'quest_60;;;;USD;1,09;',
      'quest_60;gem;;;EUR;0;',
      ';;;;EUR;1.00;',
      'quest_60;;;XX;EUR;1.00;',
      'quest_60;;;DE;EUR;1.00;2.00',
      'quest_60;;;;YEN;1.00;',
      'quest_60;;;;JPY;1.50;',
      'quest_week;;;;EUR;2.99;',
      'quest_week;;;;EUR;2.79;',
      'quest_new;;x;;EUR;2.79;',
    ].join('\n'),
  );
  expect(run).toMatchObject({ code: 1, out: '' });
  expect(run.err.trimEnd().split('\n')).toEqual([
    'sheet.csv:2: price: "1,09" has a comma; write 1.09',
    'sheet.csv:3: shelf: "gem" is no shelf of the game; known are gems',
    'sheet.csv:3: price: "0" gives the product away; write a price above zero',
    'sheet.csv:4: product_id: is empty; every row names its product',
    expect.stringMatching(/^sheet\.csv:5: country: "XX" is no country/),
    expect.stringMatching(/^sheet\.csv:6: list_price: stands beside the price of a country/),
    expect.stringMatching(/^sheet\.csv:7: currency: "YEN" is not a currency code/),
    expect.stringMatching(/^sheet\.csv:8: price: "1\.50" has more decimals than JPY knows/),
    'sheet.csv:10: price: "quest_week" has this price in line 9 already; keep one of the rows',
    'sheet.csv:11: sort: "x" is not a whole number; write e.g. 10',
    'sheet.csv:11: shelf: is empty, but "quest_new" is new; fill it in',
    'sheet.csv:11: tier: is empty, but "quest_new" is new; fill it in',
    'sheet.csv:11: art: is empty, but "quest_new" is new; fill it in',
    '13 faults: nothing was written.',
  ]);
  expect(await gameText()).toBe(before);
});

test.each([
  [
    'a column that is none',
    'product_id,prise\nquest_60,1',
    /^sheet\.csv:1: prise: is no column; did you mean "price"\?/,
  ],
  [
    'an amount with its currency',
    'product_id,currency,price\nquest_60,EUR,0.999 EUR',
    /^sheet\.csv:2: price: "0\.999 EUR" has more than an amount; write the amount alone, e\.g\. 4\.99, and the code /,
  ],
  [
    'an amount with more decimals than there are',
    'product_id,currency,price\nquest_60,EUR,0.999',
    /^sheet\.csv:2: price: "0\.999" has more decimals than EUR knows \(2\); round it, e\.g\. to 1\.00\n/,
  ],
  [
    'an amount that is too large',
    'product_id,currency,price\nquest_60,EUR,99999999999999',
    /^sheet\.csv:2: price: "99999999999999" is too large; 12 digits before the point are the most\n/,
  ],
  [
    'a separator too many at the end of a line',
    'product_id,currency,price\nquest_60,EUR,0.99,',
    /^sheet\.csv:2: has 4 cells, but the head 3; take away the separators at its end\n/,
  ],
  [
    'a cell with a separator',
    'product_id,currency,price\nquest_60,EUR,1,099.00',
    /^sheet\.csv:2: has 4 cells, but the head 3; quote a cell /,
  ],
  [
    'a separator too many at the end of the head',
    'product_id,currency,price,\nquest_60,EUR,0.99,',
    /^sheet\.csv:1: has no name for column 4; name it, or take away the separator\n/,
  ],
  ['a quote that does not end', 'product_id,price\n"quest_60,1', /^sheet\.csv:\d: .*correct the quotes/],
  [
    'what the checks of the files refuse',
    'product_id,currency,price\nquest_week,EUR,-\n',
    /^games\/quest\/game\.yaml:\d+: goods\[quest_week\]\.prices\.EUR: has no price, but brand \w+ charges EUR/,
  ],
  [
    'a list price that is not above the price',
    'product_id,currency,list_price\nquest_60,USD,0.50\n',
    /goods\[quest_60\]\.listPrices\.USD: "0\.50" is not above the price/,
  ],
])('refuses %s', async (_, text, sentence) => {
  const before = await gameText();
  const run = await importText(text);
  expect(run.code).toBe(1);
  expect(run.err).toMatch(sentence);
  expect(await gameText()).toBe(before);
});

test('tries a table out without writing, and knows no game that is none', async () => {
  const before = await gameText();
  const run = await importText('product_id,currency,price\nquest_60,USD,1.09\n', '--dry-run');
  expect(run.out).toMatch(/0\.99 -> 1\.09\ngames\/quest\/game\.yaml would be changed\.\n$/);
  expect(await gameText()).toBe(before);
  expect(await goods('export', '--game', '../quest')).toMatchObject({ code: 1 });
});

test('a file that cannot be written is told with its name, and nothing is left beside it', async () => {
  const before = await gameText();
  // The draft beside the file, on a disk that is full.
  await symlink('/dev/full', join(root, `${GAME}.${process.pid}`));
  const { code, err } = await importText('product_id,currency,price\nquest_60,EUR,1.29');
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^games\/quest\/game\.yaml:1: cannot be written \(E\w+\); .+\n1 fault: nothing was /),
  });
  expect(await gameText()).toBe(before);
  expect(await readdir(join(root, 'games', 'quest'))).toEqual(['assets', 'game.yaml']);
});
