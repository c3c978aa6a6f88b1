// The effect of a change on prices, by product and country: what was charged, what will be, and from when. Pure.
import type { GoodsEntry } from '#contracts/game-file.ts';
import { type Currency, parseDecimal } from '#kernel/money.ts';
import type { Country } from '#kernel/regions.ts';
import type { FieldPath, Finding } from './checks/finding-types.ts';
import { type ConfigurationFiles, resolveRegions } from './configuration.ts';
import { instantOf, listPriceMoments, pricesAt } from './types/price-change-types.ts';

export type PriceEffect = {
  readonly game: string;
  readonly product: string;
  readonly country: Country;
  /** Null: not sold there. */
  readonly before: ShownPrice | null;
  readonly after: ShownPrice | null;
  /** Whole tenths of the price before; null where currencies differ or one of the two is missing. */
  readonly percent: number | null;
  /** Epoch milliseconds; null: with the apply. */
  readonly from: number | null;
  /** A slip of the hand, by its size: see isJump. */
  readonly isJump: boolean;
};

export type ShownPrice = { readonly amount: string; readonly currency: Currency };

type Market = { readonly country: Country; readonly currency: Currency };

/**
 * Every price that is another than before, product by product: with the apply, and then at each moment that a change
 * names. What is planned for later and was planned the same before is none.
 * @param now epoch milliseconds of the database
 */
export function listPriceEffects(before: ConfigurationFiles, after: ConfigurationFiles, now: number): PriceEffect[] {
  const games = new Set([...before.games.keys(), ...after.games.keys()]);
  return [...games].flatMap((game) => {
    const [old, next] = [readSide(before, game), readSide(after, game)];
    return [...new Set([...next.goods.keys(), ...old.goods.keys()])].flatMap((product) =>
      effectsOf({ game, product }, sideOf(old, product), sideOf(next, product), now),
    );
  });
}

type Side = { readonly goods: ReadonlyMap<string, GoodsEntry>; readonly markets: readonly Market[] };
type ProductSide = { readonly goods: GoodsEntry | undefined; readonly markets: readonly Market[] };

function readSide(files: ConfigurationFiles, game: string): Side {
  const goods = files.games.get(game)?.goods ?? [];
  return { goods: new Map(goods.map((one) => [one.id, one])), markets: marketsOf(files, game) };
}

const sideOf = ({ goods, markets }: Side, product: string): ProductSide => ({ goods: goods.get(product), markets });

/** Lists the markets of a game, each country and currency once, whichever brands sell it there. */
function marketsOf({ brands }: ConfigurationFiles, game: string): Market[] {
  const sold = [...brands.values()]
    .filter(({ games }) => games.includes(game))
    .flatMap((brand) => [...resolveRegions(brand).values()].flatMap(({ countries }) => countries));
  const markets = new Map(sold.map(({ code, currency }) => [`${code} ${currency}`, { country: code, currency }]));
  return [...markets.values()];
}

function effectsOf(
  name: { readonly game: string; readonly product: string },
  before: ProductSide,
  after: ProductSide,
  now: number,
): PriceEffect[] {
  const moments = listPriceMoments(after.goods ? [after.goods] : []).filter((moment) => moment > now);
  return pairMarkets(before.markets, after.markets).flatMap(([was, is]) => {
    const effect = (from: number | null, old: ShownPrice | null, next: ShownPrice | null): PriceEffect[] =>
      isSamePrice(old, next)
        ? []
        : [{ ...name, country: (is ?? was)?.country ?? '', before: old, after: next, from, ...compare(old, next) }];
    const later = moments.flatMap((moment) => {
      const [old, next] = [priceIn(after, is, moment - 1), priceIn(after, is, moment)];
      const isKnown =
        isSamePrice(priceIn(before, was, moment - 1), old) && isSamePrice(priceIn(before, was, moment), next);
      return isKnown ? [] : effect(moment, old, next);
    });
    return [...effect(null, priceIn(before, was, now), priceIn(after, is, now)), ...later];
  });
}

/** A country whose only currency changes is one line, not one that goes and one that comes. */
function pairMarkets(before: readonly Market[], after: readonly Market[]): [Market | undefined, Market | undefined][] {
  const isSame = (a: Market) => (b: Market) => a.country === b.country && a.currency === b.currency;
  const gone = before.filter((one) => !after.some(isSame(one)));
  const pairs = after.map((is): [Market | undefined, Market | undefined] => {
    const same = before.find(isSame(is));
    if (same) return [same, is];
    const place = gone.findIndex(({ country }) => country === is.country);
    return [place < 0 ? undefined : gone.splice(place, 1)[0], is];
  });
  return [...pairs, ...gone.map((was): [Market, undefined] => [was, undefined])];
}

/** As pricing/rules.ts finds it: the country's own price in the currency charged there, else the price by currency. */
function priceIn({ goods }: ProductSide, market: Market | undefined, at: number): ShownPrice | null {
  if (!goods || !market) return null;
  const { country, currency } = market;
  const { prices, countryPrices = {} } = pricesAt(goods, at);
  const local = countryPrices[country];
  const amount = local?.currency === currency ? local.amount : prices[currency];
  return amount === undefined ? null : { amount, currency };
}

const minorOf = ({ amount, currency }: ShownPrice): number => parseDecimal(amount, currency)?.amountMinor ?? 0;

function isSamePrice(a: ShownPrice | null, b: ShownPrice | null): boolean {
  return a === b || (a !== null && b !== null && a.currency === b.currency && minorOf(a) === minorOf(b));
}

/**
 * Our choice: no sale of a shop takes off more than half, and no tax or rate makes three times as much; a decimal point
 * in the wrong place makes a tenth or a hundred times.
 */
const LEAST_SHARE = 0.5;
const LARGEST_SHARE = 3;

function compare(before: ShownPrice | null, after: ShownPrice | null): Pick<PriceEffect, 'percent' | 'isJump'> {
  if (!before || !after || before.currency !== after.currency) return { percent: null, isJump: false };
  const share = minorOf(after) / minorOf(before);
  return { percent: Math.round((share - 1) * 1000) / 10, isJump: share < LEAST_SHARE || share > LARGEST_SHARE };
}

/** A jump once, however many countries it is of, at the line that makes it. */
export function explainJumps(effects: readonly PriceEffect[], files: ConfigurationFiles): Finding[] {
  const jumps = effects.filter(({ isJump }) => isJump);
  const same = ({ country: _country, ...rest }: PriceEffect) => JSON.stringify(rest);
  return [...Map.groupBy(jumps, same).values()].map((group): Finding => {
    const [first] = group as [PriceEffect];
    const countries = group.map(({ country }) => country);
    const where =
      countries.length > 3
        ? `${countries.slice(0, 3).join(', ')} and ${countries.length - 3} more`
        : countries.join(', ');
    const change = `${first.before?.amount} -> ${first.after?.amount} ${first.after?.currency}`;
    return {
      level: 'fault',
      file: `games/${first.game}/game.yaml`,
      at: placeOf(first, files),
      reason:
        `${change} (${showPercent(first.percent)}) in ${where} is a jump; correct it, or apply with ` +
        '--accept-price-jumps',
    };
  });
}

function placeOf({ game, product, country, after, from }: PriceEffect, files: ConfigurationFiles): FieldPath {
  const goods = files.games.get(game)?.goods ?? [];
  const index = goods.findIndex(({ id }) => id === product);
  const entry = goods[index];
  const step = entry?.priceChanges?.findIndex((change) => instantOf(change.from) === from) ?? -1;
  const layer = from === null ? entry : entry?.priceChanges?.[step];
  const at: FieldPath = from === null || step < 0 ? ['goods', index] : ['goods', index, 'priceChanges', step];
  return layer?.countryPrices?.[country] ? [...at, 'countryPrices', country] : [...at, 'prices', after?.currency ?? ''];
}

/** "-12.5 %", "+3 %" */
export function showPercent(percent: number | null): string {
  return percent === null ? '' : `${percent > 0 ? '+' : ''}${percent} %`;
}
