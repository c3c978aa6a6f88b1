// Prices of an app store as price points of a game: which of them a shop can take, and what becomes of the others.
// Pure.
import type { GameFile } from '#contracts/game-file.ts';
import { type Currency, type Money, toDecimal } from '#kernel/money.ts';
import type { Country } from '#kernel/regions.ts';
import type { SheetFault } from './read-sheet-rules.ts';
import type { GoodsSheet, PricePoint } from './sheet-types.ts';

/** One price of a store's file. */
export type StorePrice = {
  readonly line: number;
  readonly storeId: string;
  readonly country: Country;
  /** Null: the file does not say. */
  readonly currency: Currency | null;
  /** @returns null when it has more decimals than the currency, or is too large */
  readonly amountIn: (currency: Currency) => Money | null;
  readonly shown: string;
};

export type StoreFile = {
  readonly prices: readonly StorePrice[];
  /** Why products of the file have no prices in it, with their ids. */
  readonly without: ReadonlyMap<string, readonly string[]>;
  readonly faults: readonly SheetFault[];
};

type Market = { readonly country: Country; readonly currency: Currency };

export type StoreTake = {
  readonly sheet: GoodsSheet;
  readonly faults: readonly SheetFault[];
  /** Says in sentences for a person which rows were skipped, and how many. */
  readonly skipped: readonly string[];
};

/**
 * A price is taken where a brand sells the game in that country, in the currency that it charges there. What the
 * countries of one currency have most often is the price by currency; a country with another amount gets a price of its
 * own.
 * @param productOf the product of a store's id; undefined for one that the game does not have
 * @param stated currencies of the store that the operator named, by country; they go before what is assumed
 */
export function takeStorePrices(
  file: StoreFile,
  game: Pick<GameFile, 'goods'>,
  markets: readonly Market[],
  productOf: (storeId: string) => string | undefined,
  stated: ReadonlyMap<Country, Currency> = new Map(),
): StoreTake {
  const faults: SheetFault[] = [...file.faults];
  const skipped = new Map<string, Set<string>>();
  const skip = (why: string, what: string) => skipped.set(why, (skipped.get(why) ?? new Set()).add(what));
  for (const [why, ids] of file.without) for (const id of ids) skip(why, id);
  const charged = Map.groupBy(markets, ({ country }) => country);
  const taken: { product: string; country: Country; money: Money }[] = [];
  for (const price of file.prices) {
    const product = productOf(price.storeId);
    const currencies = [...new Set((charged.get(price.country) ?? []).map(({ currency }) => currency))];
    const said = price.currency ?? stated.get(price.country) ?? (currencies.length === 1 ? currencies[0] : undefined);
    if (product === undefined) skip('products that the game does not have (name them by --map)', price.storeId);
    else if (currencies.length === 0) skip('countries that no brand of the game sells in', price.country);
    else if (said === undefined)
      skip("countries where brands charge several currencies (name the store's by --currency)", price.country);
    else if (!currencies.includes(said))
      skip('prices in another currency than is charged there', `${price.country} ${said}`);
    else {
      const money = price.amountIn(said);
      if (money && money.amountMinor > 0) taken.push({ product, country: price.country, money });
      else {
        const reason =
          `${price.shown} is no price in ${said} for ${price.country}; correct the file, or name the store's ` +
          `currency by --currency ${price.country}=...`;
        faults.push({ line: price.line, column: 'price', reason });
      }
    }
  }
  if (file.prices.length > 0 && taken.length === 0 && faults.length === 0)
    faults.push({ line: 1, column: '', reason: `none of its prices can be taken: ${[...tell(skipped)].join('; ')}` });
  const products = new Map([...new Set(taken.map(({ product }) => product))].map((id) => [id, {}] as const));
  const points = [...Map.groupBy(taken, ({ product, money }) => `${product} ${money.currency}`).values()].flatMap(
    (group) => toPoints(group, game),
  );
  return { sheet: { goods: products, points }, faults, skipped: tell(skipped) };
}

type Taken = { readonly product: string; readonly country: Country; readonly money: Money };

/** Of one product and currency. */
function toPoints(group: readonly Taken[], game: Pick<GameFile, 'goods'>): PricePoint[] {
  const byAmount = [...Map.groupBy(group, ({ money }) => money.amountMinor).values()];
  const [usual] = byAmount.toSorted((a, b) => b.length - a.length) as [Taken[]];
  const [{ product, money }] = usual as [Taken];
  const own = game.goods.find(({ id }) => id === product)?.countryPrices ?? {};
  const point = (country: Country | null, amount: Money): PricePoint => ({
    productId: product,
    country,
    from: null,
    currency: amount.currency,
    price: toDecimal(amount).replace(/\.0+$/, ''),
    listPrice: undefined,
  });
  // A country that has a price of its own in the file keeps one: it would hide the price by currency.
  const others = group.filter((one) => !usual.includes(one) || own[one.country] !== undefined);
  return [point(null, money), ...others.map((one) => point(one.country, one.money))];
}

const MAX_NAMES = 8;

function tell(skipped: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...skipped].map(([why, names]) => {
    const list = [...names];
    const rest = list.length - MAX_NAMES;
    const shown = rest > 0 ? `${list.slice(0, MAX_NAMES).join(', ')} and ${rest} more` : list.join(', ');
    return `${list.length} ${why}: ${shown}`;
  });
}
