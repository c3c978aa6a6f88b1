// A game file after a table of goods was taken up. Pure; the checks of files come behind.
import type { GameFile, GoodsEntry } from '#contracts/game-file.ts';
import { parseDecimal } from '#kernel/money.ts';
import { instantOf, type PriceLayer } from '#server/modules/configuration/types/price-change-types.ts';
import type { GoodsFields, GoodsSheet, PricePoint } from './sheet-types.ts';

/** @param isComplete products and price points that the table does not name go */
export function changeGoods(game: GameFile, sheet: GoodsSheet, isComplete: boolean): GameFile {
  const byProduct = Map.groupBy(sheet.points, ({ productId }) => productId);
  const change = (entry: GoodsEntry) => {
    const points = byProduct.get(entry.id) ?? [];
    const bare = isComplete ? withoutUnnamed(entry, points) : entry;
    return tidy(points.reduce(setAnyPoint, setFields(bare, sheet.goods.get(entry.id) ?? {})), entry);
  };
  const known = new Set(game.goods.map(({ id }) => id));
  const kept = game.goods.filter(({ id }) => !isComplete || sheet.goods.has(id));
  const fresh = [...sheet.goods.keys()].filter((id) => !known.has(id)).map((id) => ({ id, prices: {} }) as GoodsEntry);
  return { ...game, goods: [...kept, ...fresh].map(change) };
}

/** The order of fields of a product that a table makes. */
const ORDER = [
  'id', 'name', 'shelf', 'sort', 'art', 'tier', 'amount', 'prices', 'listPrices', 'countryPrices', 'priceChanges', 'stock', 'isSpecial',
  'isCoupon', 'beta',
] as const; /* a row a line */ // prettier-ignore

function setFields(entry: GoodsEntry, fields: GoodsFields): GoodsEntry {
  const { name, ...rest } = fields;
  const set = Object.entries(rest).filter(([, value]) => value !== undefined);
  const changed = { ...entry, ...Object.fromEntries(set.filter(([, value]) => value !== null)) };
  for (const [field, value] of set) if (value === null) delete changed[field as 'amount'];
  // A table has few of the languages; the others stay.
  if (name) changed.name = { ...entry.name, ...name };
  if (name === null) delete changed.name;
  return changed;
}

function setAnyPoint(entry: GoodsEntry, point: PricePoint): GoodsEntry {
  if (point.from === null) return { ...entry, ...setPoint(entry, point) };
  const moment = instantOf(point.from);
  const { priceChanges = [] } = entry;
  const known = priceChanges.find(({ from }) => instantOf(from) === moment);
  const { prices, listPrices, countryPrices, from } = known ?? { from: point.from };
  const layer = setPoint(
    { prices: prices ?? {}, ...(listPrices && { listPrices }), ...(countryPrices && { countryPrices }) },
    point,
  );
  const filled = Object.entries(layer).filter(([, group]) => Object.keys(group ?? {}).length > 0);
  const others = priceChanges.filter((change) => change !== known);
  const changes = filled.length === 0 ? others : [...others, { from, ...Object.fromEntries(filled) }];
  return { ...entry, priceChanges: changes.toSorted((a, b) => instantOf(a.from) - instantOf(b.from)) };
}

/** @returns the groups that it changed */
function setPoint(entry: PriceLayer, { country, currency, price, listPrice }: PricePoint): PriceLayer {
  if (country !== null) {
    const before = entry.countryPrices?.[country];
    if (price === undefined) return entry;
    if (price === null) return { ...entry, countryPrices: without(entry.countryPrices, country) };
    const isSame = before?.currency === currency && isSameAmount(before.amount, price, currency);
    const now = isSame ? before : { currency, amount: price };
    return { ...entry, countryPrices: { ...entry.countryPrices, [country]: now } };
  }
  const put = (amounts: PriceLayer['prices'] | undefined, amount: string | null | undefined) => {
    if (amount === undefined) return amounts;
    if (amount === null) return without(amounts, currency);
    const before = amounts?.[currency];
    return { ...amounts, [currency]: isSameAmount(before, amount, currency) ? before : amount };
  };
  return {
    ...entry,
    prices: put(entry.prices, price) ?? {},
    // A price that goes takes what was struck through for it along.
    listPrices: put(entry.listPrices, price === null ? null : listPrice),
  } as PriceLayer;
}

const isSameAmount = (before: string | undefined, now: string, currency: PricePoint['currency']): boolean =>
  before !== undefined && parseDecimal(before, currency)?.amountMinor === parseDecimal(now, currency)?.amountMinor;

function without<Value>(map: Partial<Record<string, Value>> | undefined, key: string): Record<string, Value> {
  const rest = Object.entries(map ?? {}).filter(([name]) => name !== key);
  return Object.fromEntries(rest) as Record<string, Value>;
}

function withoutUnnamed(entry: GoodsEntry, points: readonly PricePoint[]): GoodsEntry {
  const isOf = (moment: number | null) => (point: PricePoint) =>
    (point.from === null ? null : instantOf(point.from)) === moment;
  const changes = (entry.priceChanges ?? []).flatMap((change) => {
    const left = withoutUnnamedIn({ prices: {}, ...change }, points.filter(isOf(instantOf(change.from))));
    const filled = Object.entries(left).filter(([, group]) => Object.keys(group ?? {}).length > 0);
    return filled.length === 0 ? [] : [{ from: change.from, ...Object.fromEntries(filled) }];
  });
  return { ...entry, ...withoutUnnamedIn(entry, points.filter(isOf(null))), priceChanges: changes };
}

function withoutUnnamedIn(entry: PriceLayer, points: readonly PricePoint[]): PriceLayer {
  const countries = new Set(points.flatMap(({ country }) => country ?? []));
  const of = (pick: (point: PricePoint) => unknown) =>
    new Set(points.filter((point) => point.country === null && pick(point)).map(({ currency }) => currency as string));
  const keep = <Value>(map: Partial<Record<string, Value>> = {}, names: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(map).filter(([name]) => names.has(name)));
  return {
    prices: keep(
      entry.prices,
      of(({ price }) => price),
    ),
    listPrices: keep(
      entry.listPrices,
      of(({ listPrice }) => listPrice),
    ),
    countryPrices: keep(entry.countryPrices, countries),
  } as PriceLayer;
}

/** No group without entries that was not there before; fields in the order of the file, new ones in that of ORDER. */
function tidy(entry: GoodsEntry, before: GoodsEntry): GoodsEntry {
  const all = { ...entry };
  const isEmpty = (group: object | undefined) => Object.keys(group ?? {}).length === 0;
  for (const group of ['listPrices', 'countryPrices', 'priceChanges'] as const)
    if (isEmpty(all[group]) && (before[group] === undefined || !isEmpty(before[group]))) delete all[group];
  const rank = (field: string): number => {
    const own = Object.keys(before).indexOf(field);
    if (own >= 0) return own;
    const place = ORDER.indexOf(field as 'id');
    const behind = ORDER.slice(0, place).findLast((one) => one in before);
    return (behind ? Object.keys(before).indexOf(behind) : 0) + (place + 1) / 100;
  };
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => rank(a) - rank(b))) as GoodsEntry;
}
