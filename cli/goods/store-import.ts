// Price exports of app stores, read for `refill goods import --from`.
import { readFileSync } from 'node:fs';
import type { Currency } from '#kernel/money.ts';
import { isCurrency } from '#kernel/money.ts';
import type { Country } from '#kernel/regions.ts';
import {
  type Configuration,
  type CsvLine,
  type GameText,
  readAppStore,
  readCsv,
  readGooglePlay,
  type StoreTake,
  takeStorePrices,
} from '#server/modules/configuration/service.ts';
import { requireUtf8 } from '#cli/read-text.ts';
import { InputFault } from '#cli/terminal.ts';

export const STORES = ['google-play', 'app-store'] as const;
export type StoreOptions = { from?: string; product?: string; map?: readonly string[]; currency?: readonly string[] };

/** @throws InputFault for options that do not fit the store */
export function takeStoreFile(
  options: StoreOptions,
  game: GameText & { readonly id: string },
  configuration: Configuration,
  lines: readonly CsvLine[],
): StoreTake {
  const { from, product } = options;
  if (!STORES.some((store) => store === from))
    throw new InputFault(`--from "${from}": it must be ${STORES.join(' or ')}.`);
  const isApple = from === 'app-store';
  if (isApple && !product)
    throw new InputFault('A file of App Store Connect is of one product and does not name it: say which by --product.');
  if (!isApple && product)
    throw new InputFault('--product is for --from app-store: a file of Google Play names its products.');
  const known = new Set(game.body.goods.map(({ id }) => id));
  if (isApple && !known.has(product ?? ''))
    throw new InputFault(`--product "${product}": the game has ${[...known].join(', ')}.`);
  const file = isApple ? readAppStore(lines, product ?? '') : readGooglePlay(lines);
  const names = readMap(options.map ?? []);
  for (const id of names.values())
    if (!known.has(id)) throw new InputFault(`--map "${id}": the game has ${[...known].join(', ')}.`);
  // Store ids are often the product's behind the name of the app: com.publisher.game.gems_100.
  const productOf = (storeId: string) =>
    [names.get(storeId), storeId, storeId.split('.').at(-1)].find((id) => id !== undefined && known.has(id));
  return takeStorePrices(
    file,
    game.body,
    listMarkets(configuration, game.id),
    productOf,
    readCurrencies(options.currency ?? []),
  );
}

/** Countries in which brands sell a game, with the currency that each brand charges there. */
export function listMarkets(configuration: Configuration, gameId: string): { country: Country; currency: Currency }[] {
  return [...configuration.brands.values()]
    .filter((brand) => brand.file.games.includes(gameId))
    .flatMap((brand) => [...brand.regions.values()].flatMap(({ countries }) => countries))
    .map(({ code, currency }) => ({ country: code, currency }));
}

/** `store id=product id`, or a CSV file of such pairs. */
function readMap(given: readonly string[]): Map<string, string> {
  return new Map(
    given.flatMap((one): [string, string][] => {
      const pair = /^([^=]+)=([^=]+)$/.exec(one);
      if (pair) return [[pair[1] ?? '', pair[2] ?? '']];
      const csv = readCsv(readText(one));
      if (!csv.ok) throw new InputFault(`${one}:${csv.line}: ${csv.reason}`);
      return csv.lines.map(({ line, cells: [storeId = '', id = '', ...rest] }): [string, string] => {
        if (storeId === '' || id === '' || rest.length > 0)
          throw new InputFault(
            `${one}:${line}: is no pair of store id and product id; write e.g. com.game.gems_100,gems_100`,
          );
        return [storeId, id];
      });
    }),
  );
}

function readText(path: string): string {
  try {
    return requireUtf8(path, readFileSync(path));
  } catch (error) {
    if (error instanceof InputFault) throw error;
    throw new InputFault(`--map "${path}": write store-id=product-id, or the path of a CSV file with both.`);
  }
}

function readCurrencies(given: readonly string[]): Map<string, Currency> {
  return new Map(
    given.map((one) => {
      const [, country = '', currency = ''] = /^([A-Z]{2})=([A-Z]{3})$/.exec(one) ?? [];
      if (!isCurrency(currency)) throw new InputFault(`--currency "${one}": write e.g. BG=EUR.`);
      return [country, currency];
    }),
  );
}
