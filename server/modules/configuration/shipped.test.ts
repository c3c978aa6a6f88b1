// The files that ship: valid without a warning, priced and payable wherever a brand sells, told
// to editors by fresh schemas.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { priceOf } from '#server/modules/pricing/rules.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import type { Channel, ChannelBounds } from './types/channel-types.ts';
import type { Configuration } from './configuration.ts';
import { type Fault, readConfiguration, writeSchemas } from './service.ts';

const root = join(import.meta.dirname, '..', '..', '..');
let configuration: Configuration;
let warnings: readonly Fault[];

beforeAll(async () => {
  const read = await readConfiguration(root, { providers: shopProviders });
  if (!read.ok) throw new Error(read.faults.map((fault) => fault.sentence).join('\n'));
  ({ configuration, warnings } = read);
});

test('ships files that nothing is to be said against', () => {
  expect(warnings).toEqual([]);
});

// @source specification section 1, "Brand keys"; {product} is the key `product`
const BRANDS =
  'watt dragon ko product ru joynet ssgame joyage acenet acenetJp rhinosTwhk rhinos spotJp rhinosJp rhinosSea brandEn';

test('ships the brands of the specification and three games', () => {
  expect([...configuration.brands.keys()].toSorted()).toEqual(BRANDS.split(' ').toSorted());
  expect([...configuration.games.keys()]).toEqual(['emberfall', 'pocket-pitch', 'starlane']);
  const sizes = [...configuration.games.values()].map((game) => game.products.size);
  expect(sizes.filter((size) => size < 8 || size > 14)).toEqual([]);
});

test('shows no two brands alike', () => {
  const looks = [...configuration.brands.values()].map(({ file }) => `${file.theme} ${JSON.stringify(file.look)}`);
  const promises = [...configuration.brands.values()].map(({ file }) => file.hero.title.en);
  expect(new Set(looks).size).toBe(16);
  expect(new Set(promises).size).toBe(16);
});

test('composes no two landing pages alike: stage, card, and whose picture stands there', () => {
  const pages = [...configuration.brands.values()].map(({ key, file }) => {
    const { stage, card } = file.look;
    return `${stage} ${card} ${file.art.hero ? key : file.games[0]}`;
  });
  expect(new Set(pages).size).toBe(16);
  expect(new Set(pages.map((page) => page.split(' ')[0]))).toEqual(new Set(['poster', 'split', 'ladder', 'carousel']));
  expect(new Set(pages.map((page) => page.split(' ')[1]))).toEqual(new Set(['tile', 'plate', 'ticket']));
});

test('has every text of a brand in every language of the brand', () => {
  const gaps = [...configuration.brands.values()].flatMap(({ key, file }) =>
    file.languages.flatMap((language) =>
      [file.title, file.hero.title, file.hero.text, file.hero.chip]
        .filter((text) => !text?.[language])
        .map(() => `${key} ${language}`),
    ),
  );
  expect(gaps).toEqual([]);
});

test('names every product and gift in English, Chinese, Japanese and Arabic', () => {
  const games = [...configuration.games.values()];
  const named = games.flatMap((game) =>
    [...game.products.values()].flatMap((product) => [product, ...(product.file.gifts ?? [])]),
  );
  const languages = ['en', 'zh-tw', 'ja', 'ar'] as const;
  const gaps = named.flatMap(({ name }) =>
    languages.filter((language) => !name[language]).map((language) => `${name.en} ${language}`),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(gaps).toEqual([]);
});

// @source docs/decisions/0028: at most 2,000 bytes a mark
test('has marks of at most two kilobytes, each with its source and rule', async () => {
  const folder = join(root, 'channels', 'assets');
  const about = await readFile(join(folder, 'README.md'), 'utf8');
  const marks = new Set([...configuration.methods.values()].flatMap(({ mark, networks = [] }) => [mark, ...networks]));
  const sizes = await Promise.all(
    [...marks].map(async (mark) => [mark, (await readFile(join(folder, String(mark)))).length] as const),
  );
  expect(sizes.filter(([, bytes]) => bytes > 2000)).toEqual([]);
  for (const mark of ['visa', 'mastercard', 'jcb', 'paypal', 'pix', 'apple-pay', 'google-pay']) {
    expect(marks).toContain(`${mark}.svg`);
    expect(about).toContain(`\`${mark}.svg\``);
  }
});

test('sells the larger pack for less a unit, in every market', () => {
  const unitsOf = ({ amount = 0, gifts = [] }: { amount?: number; gifts?: { count: number }[] }) =>
    gifts.reduce((sum, { count }) => sum + count, amount);
  const dearer = [...configuration.brands.values()].flatMap((brand) =>
    [...brand.regions].flatMap(([region, { countries }]) =>
      countries.flatMap(({ code: country }) =>
        [...configuration.games.values()].flatMap((game) => {
          const packs = [...game.products.values()]
            .filter(({ file }) => file.amount && (file.gifts ?? []).every(({ isCurrency }) => isCurrency))
            .map((product) => ({
              id: product.id,
              units: unitsOf(product.file),
              minor: priceOf({ brand, region, country, product })?.price.amountMinor ?? 0,
            }))
            .filter(({ minor }) => minor > 0)
            .toSorted((one, other) => one.units - other.units);
          return packs
            .filter(({ units, minor }, at) => at > 0 && minor * packs[at - 1]!.units >= packs[at - 1]!.minor * units)
            .map(({ id }) => `${brand.key} ${region} ${country} ${id}`);
        }),
      ),
    ),
  );
  expect(dearer).toEqual([]);
});

test('gives every brand, region, country, game and product a price and at least two channels that take it', () => {
  const gaps: string[] = [];
  let count = 0;
  for (const brand of configuration.brands.values()) {
    for (const [region, { countries }] of brand.regions) {
      for (const { code: country } of countries) {
        for (const gameId of brand.file.games) {
          const game = [...configuration.games.values()].find(({ id }) => id === gameId);
          for (const product of game?.products.values() ?? []) {
            count += 1;
            const place = `${brand.key} ${region} ${country} ${product.id}`;
            const price = priceOf({ brand, region, country, product })?.price;
            if (!price) {
              gaps.push(`${place}: no price`);
              continue;
            }
            // iOS-only channels do not count: not everybody has that device.
            const payable = brand.channels.filter(
              (channel) =>
                !channel.file.iosOnly &&
                channel.file.icon &&
                channel.file.regions.includes(region) &&
                channel.file.currencies.includes(price.currency) &&
                (channel.file.countries.includes('GLOBAL') || channel.file.countries.includes(country)) &&
                takes(channel, price),
            );
            if (payable.length < 2) gaps.push(`${place}: ${payable.length} channels for ${price.currency}`);
          }
        }
      }
    }
  }
  expect(gaps).toEqual([]);
  expect(count).toBeGreaterThan(2000);
});

/** @source specification section 5: a channel shows when its own bounds, or a sub-channel's, hold the price */
function takes(channel: Channel, price: { amountMinor: number; currency: never | string }): boolean {
  const holds = (bounds: ReadonlyMap<string, ChannelBounds>) => {
    const { min, max } = bounds.get(price.currency) ?? { min: null, max: null };
    return (!min || price.amountMinor >= min.amountMinor) && (!max || price.amountMinor <= max.amountMinor);
  };
  return holds(channel.bounds) && (channel.sub.length === 0 || channel.sub.some((sub) => holds(sub.bounds)));
}

test('offers nothing through PayPal that PayPal does not settle', () => {
  const paypal = configuration.channels.filter(({ file }) => file.provider === 'paypal');
  expect(paypal).not.toEqual([]);
  // @source developer.paypal.com, "Currency codes": KRW, VND, IDR, TRY and RUB are missing there, BRL and
  // MYR are for in-country accounts
  for (const { file } of paypal) {
    expect(file.currencies.filter((code) => ['KRW', 'VND', 'IDR', 'TRY', 'RUB', 'BRL', 'MYR'].includes(code))).toEqual(
      [],
    );
  }
});

test('has fresh schemas; `npm run refill -- schemas` writes them', async () => {
  const names = await readdir(join(root, 'schemas'));
  const found = await Promise.all(
    names.map(async (name) => [name, await readFile(join(root, 'schemas', name), 'utf8')] as const),
  );
  expect(new Map(found)).toEqual(writeSchemas());
});

test('points every file to its schema, for editors', async () => {
  const files = [
    ...[...configuration.brands.keys()].map((key) => [`brands/${key}/brand.yaml`, '../../schemas/brand.schema.json']),
    ...[...configuration.games.keys()].map((id) => [`games/${id}/game.yaml`, '../../schemas/game.schema.json']),
    ['channels/channels.yaml', '../schemas/channels.schema.json'],
  ] as const;
  const first = await Promise.all(
    files.map(async ([file = '']) => [file, (await readFile(join(root, file), 'utf8')).split('\n')[0]]),
  );
  expect(first).toEqual(files.map(([file, schema]) => [file, `# yaml-language-server: $schema=${schema}`]));
});
