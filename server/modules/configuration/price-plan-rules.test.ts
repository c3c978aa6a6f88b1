import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { GoodsEntry } from '#contracts/game-file.ts';
import { checkGame } from './checks/check-game-rules.ts';
import { buildConfiguration, type ConfigurationFiles } from './configuration.ts';
import { readFiles } from './files/read-files.ts';
import { instantOf, listPriceMoments, pricesAt } from './types/price-change-types.ts';
import { explainJumps, listPriceEffects } from './price-plan-rules.ts';

const NOW = Date.UTC(2026, 10, 23);
const DECEMBER = '2026-12-01T00:00:00Z';
const JANUARY = '2027-01-01T09:00+09:00';
let fixture: ConfigurationFiles;

beforeAll(async () => {
  const read = await readFiles(join(import.meta.dirname, '..', '..', '..', 'testing', 'fixtures', 'configuration'));
  if (!read.ok) throw new Error(read.faults.map((fault) => fault.sentence).join('\n'));
  fixture = read.files;
});

function changed(change: (goods: GoodsEntry[], files: ReturnType<typeof copy>) => void): ConfigurationFiles {
  const files = copy();
  change(files.games.get('quest')!.goods, files);
  return files;
}

function copy() {
  const { brands, games, ...rest } = structuredClone(fixture) as ConfigurationFiles;
  return { brands: new Map(brands), games: new Map(games), ...rest };
}

const effects = (after: ConfigurationFiles, before = fixture) =>
  listPriceEffects(before, after, NOW).map(({ product, country, before: old, after: next, percent, from }) =>
    [
      product,
      country,
      old ? `${old.amount} ${old.currency}` : '-',
      next ? `${next.amount} ${next.currency}` : '-',
      percent ?? '',
      from === null ? 'now' : new Date(from).toISOString(),
    ].join(' '),
  );

test('a price by currency is told for each country that is charged in it, and has no price of its own', () => {
  const after = changed((goods) => {
    for (const one of goods) one.prices.EUR = '2.49';
  });
  expect(effects(after)).toEqual(['quest_week DE 2.99 EUR 2.49 EUR -16.7 now']);
});

test('goods that come and go, and a country whose currency changes', () => {
  const after = changed((goods, files) => {
    goods.pop();
    files.brands.get('alpha')!.regions.useuro!.countries[1]!.currency = 'EUR';
  });
  expect(effects(after)).toEqual([
    'quest_60 US 0.99 USD 0.99 EUR  now',
    'quest_week DE 2.99 EUR -  now',
    'quest_week US 2.99 USD -  now',
  ]);
  expect(effects(fixture, after).slice(1)).toEqual(['quest_week DE - 2.99 EUR  now', 'quest_week US - 2.99 USD  now']);
});

test('a change with a date is told with its moment, and once', () => {
  const after = changed(([first]) => {
    first!.priceChanges = [
      { from: DECEMBER, prices: { USD: '1.09' } },
      { from: JANUARY, countryPrices: { DE: { currency: 'EUR', amount: '0.95' } } },
    ];
  });
  expect(effects(after)).toEqual([
    'quest_60 DE 0.89 EUR 0.95 EUR 6.7 2027-01-01T00:00:00.000Z',
    'quest_60 US 0.99 USD 1.09 USD 10.1 2026-12-01T00:00:00.000Z',
  ]);
  expect(effects(after, after)).toEqual([]);
});

test('slips of a decimal point are jumps, told once, at the line that makes them', () => {
  const after = changed(([first, second]) => {
    first!.prices.USD = '0.01';
    second!.prices = { USD: '299.00', EUR: '1.50' };
    second!.priceChanges = [{ from: DECEMBER, prices: { EUR: '0.15' } }];
  });
  const found = explainJumps(listPriceEffects(fixture, after, NOW), after);
  expect(found.map(({ at, reason }) => [at.join('.'), reason.replace(/ in .*/, '')])).toEqual([
    ['goods.0.prices.USD', '0.99 -> 0.01 USD (-99 %)'],
    ['goods.1.priceChanges.0.prices.EUR', '1.50 -> 0.15 EUR (-90 %)'],
    ['goods.1.prices.USD', '2.99 -> 299.00 USD (+9900 %)'],
  ]);
});

test('at every instant a product has one price in a currency, the same for whoever asks then', () => {
  const product: GoodsEntry = {
    ...fixture.games.get('quest')!.goods[0]!,
    priceChanges: [
      { from: DECEMBER, prices: { USD: '0.79' }, listPrices: { USD: '0.99' } },
      { from: JANUARY, prices: { USD: '1.09' } },
    ],
  };
  const files = changed((goods) => void (goods[0] = product));
  const moments = listPriceMoments([product]);
  expect(moments).toEqual([DECEMBER, JANUARY].map(instantOf));
  let follower = buildConfiguration(files, 1, NOW);
  for (const moment of [NOW, ...moments.flatMap((one) => [one - 1, one, one + 1]), moments[0]! - 1]) {
    follower = follower.at(moment);
    const found = follower.productOf('quest' as never, 'quest_60')!;
    const fresh = buildConfiguration(files, 1, moment).productOf('quest' as never, 'quest_60')!;
    expect(found.prices).toEqual(fresh.prices);
    expect(found.listPrices).toEqual(fresh.listPrices);
    const { from, until } = found.pricesHold;
    expect(from === null || from <= moment).toBe(true);
    expect(until === null || moment < until).toBe(true);
    expect(follower.at(moment)).toBe(follower);
  }
  const shown = (at: number) => [pricesAt(product, at).prices.USD, pricesAt(product, at).listPrices?.USD];
  expect([NOW, ...moments].map(shown)).toEqual([
    ['0.99', '1.99'],
    ['0.79', '0.99'],
    ['1.09', undefined],
  ]);
});

test.each([
  [
    'out of order',
    [
      { from: JANUARY, prices: { USD: '1' } },
      { from: DECEMBER, prices: { USD: '1' } },
    ],
    /is not behind/,
  ],
  [
    'twice',
    [
      { from: JANUARY, prices: { USD: '1' } },
      { from: '2027-01-01T00:00Z', prices: { USD: '1' } },
    ],
    /is not behind/,
  ],
  ['of a day that never comes', [{ from: '2026-02-30T00:00:00Z', prices: { USD: '1' } }], /is no moment/],
  ['of no day', [{ from: '2026-13-01T00:00:00Z', prices: { USD: '1' } }], /is no moment/],
  ['of nothing', [{ from: JANUARY }], /changes nothing/],
  ['with a list price below', [{ from: JANUARY, listPrices: { USD: '0.50' } }], /is not above the price "0\.99"/],
  ['that gives away', [{ from: JANUARY, prices: { USD: '0' } }], /gives the product away/],
])('refuses changes %s', (_, priceChanges, reason) => {
  const game = changed(([first]) => (first!.priceChanges = priceChanges)).games.get('quest')!;
  const found = checkGame('quest', game, new Map()).filter(({ at }) => at.includes('priceChanges'));
  expect(found).toHaveLength(1);
  expect(found[0]!.reason).toMatch(reason);
});
