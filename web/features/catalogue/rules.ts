// Order of the shelves, and what a limit lets a player do. The present is a parameter; no price is computed here.
import { SECOND_MS, waitParts } from '#kernel/time.ts';
import type { Goods, LimitProductInfo, Shelf, ThirdGift } from '#contracts/catalogue.ts';

export type FilledShelf = { typeKey: string; display: string; unit: string; goods: Goods[] };

const bySort = (a: Goods, b: Goods) => a.goodsSort - b.goodsSort;

/**
 * Goods on their shelves: shelves by typeSort, goods by goodsSort, empty shelves left out.
 * Goods of a shelf that the list does not name follow at the end under their typeKey, so that nothing on sale can
 * vanish from the page.
 * @source specification section 3, "Goods"
 */
export function fillShelves(shelves: readonly Shelf[], goods: readonly Goods[]): FilledShelf[] {
  const known = shelves.toSorted((a, b) => a.typeSort - b.typeSort);
  const names = new Set(known.map((shelf) => shelf.typeKey));
  const strays = [...new Set(goods.map((one) => one.typeKey))].filter((key) => !names.has(key));
  return [...known, ...strays.map((typeKey) => ({ typeKey, display: typeKey, unit: '', typeSort: 0 }))]
    .map(({ typeKey, display, unit }) => ({
      typeKey,
      display,
      unit,
      goods: goods.filter((one) => one.typeKey === typeKey && !one.isSpecial).toSorted(bySort),
    }))
    .filter((shelf) => shelf.goods.length > 0);
}

/** Featured goods in order: the special shelf. */
export function listSpecials(goods: readonly Goods[]): Goods[] {
  return goods.filter((one) => one.isSpecial).toSorted(bySort);
}

/**
 * Shelves whose packs are not compared now: a first-purchase bonus that is still to be had, or a deal, gives other
 * units for other money than the price list, and "best value" beside it would be untrue. Null for `firsts`: not known
 * yet, so none of their shelves is compared.
 */
export function listUncompared(
  goods: readonly Goods[],
  firsts: ReadonlySet<string> | null,
  deals: { has(product: string): boolean },
): Set<string> {
  const isOther = ({ value, first, offer }: Goods) =>
    offer !== undefined && (deals.has(value) || (first !== undefined && (firsts === null || firsts.has(value))));
  return new Set(goods.filter(isOther).map(({ typeKey }) => typeKey));
}

/** Bonus items by product. */
export function groupGifts(gifts: readonly ThirdGift[]): Map<string, ThirdGift[]> {
  const byProduct = new Map<string, ThirdGift[]>();
  for (const gift of gifts) byProduct.set(gift.product_id, [...(byProduct.get(gift.product_id) ?? []), gift]);
  return byProduct;
}

/**
 * The present state of a limit. `left` of `times`; `days` is the span of a time limit, 0 for ever. `wait` counts down
 * to the next purchase; without it a reached limit stays reached.
 */
export type LimitState =
  | { kind: 'open'; left: number; times: number; days: number; scope: LimitProductInfo['limit_type'] }
  | { kind: 'waiting'; wait: { days: number; hours: number; minutes: number } }
  | { kind: 'reached' }
  | { kind: 'soldOut' };

/**
 * Reads one limit. `next_pay_time` is epoch seconds.
 * @source specification section 9, "Limited purchase"
 */
export function readLimit(info: LimitProductInfo, nowMs: number): LimitState {
  const waitMs = info.next_pay_time * SECOND_MS - nowMs;
  if (info.limit_type === 'stock' && info.extra_pay_times <= 0) return { kind: 'soldOut' };
  if (info.extra_pay_times > 0) {
    const { extra_pay_times: left, frequency: times, day_info: days, limit_type: scope } = info;
    return { kind: 'open', left, times, days, scope };
  }
  if (info.next_pay_time > 0 && waitMs > 0) return { kind: 'waiting', wait: waitParts(waitMs) };
  // The server's count is from the time of its answer; once its next purchase time has
  // passed one purchase is open again.
  if (info.next_pay_time > 0) {
    return { kind: 'open', left: 1, times: info.frequency, days: info.day_info, scope: info.limit_type };
  }
  return { kind: 'reached' };
}

export type LimitText =
  | { key: 'limit.left'; values: { left: number; times: number } }
  | { key: 'limit.left_in_days'; values: { left: number; days: number } }
  | { key: 'limit.per_character'; values: { times: number } }
  | { key: 'limit.stock_left'; values: { left: number } }
  | { key: 'limit.again_days'; values: { days: number; hours: string; minutes: string } }
  | { key: 'limit.again_hours'; values: { hours: number; minutes: string } }
  | { key: 'limit.again_minutes'; values: { minutes: number } }
  | { key: 'limit.reached' | 'limit.sold_out'; values: Record<never, never> };

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * The words of a limit: "2 left per 7 days", "Back in 3 d 04 h 09 min". @source specification
 * section 9, "Limited purchase"
 */
export function tellLimit(state: LimitState): LimitText {
  switch (state.kind) {
    case 'open':
      if (state.scope === 'stock') return { key: 'limit.stock_left', values: { left: state.left } };
      if (state.scope === 'role' && state.left === state.times)
        return { key: 'limit.per_character', values: { times: state.times } };
      if (state.scope === 'time' && state.days > 0)
        return { key: 'limit.left_in_days', values: { left: state.left, days: state.days } };
      return { key: 'limit.left', values: { left: state.left, times: state.times } };
    case 'waiting': {
      const { days, hours, minutes } = state.wait;
      if (days > 0)
        return { key: 'limit.again_days', values: { days, hours: twoDigits(hours), minutes: twoDigits(minutes) } };
      if (hours > 0) return { key: 'limit.again_hours', values: { hours, minutes: twoDigits(minutes) } };
      return { key: 'limit.again_minutes', values: { minutes } };
    }
    case 'reached':
      return { key: 'limit.reached', values: {} };
    case 'soldOut':
      return { key: 'limit.sold_out', values: {} };
  }
}

/**
 * Finds goods to offer in place of those that cannot be bought now: of the same shelf the next dearer one, else the
 * dearest; then of any shelf.
 * @param limits states by product; a product without one has no limit
 */
export function nextBest(
  goods: readonly Goods[],
  closed: Pick<Goods, 'value' | 'typeKey' | 'price_minor'>,
  limits: ReadonlyMap<string, LimitState>,
): Goods | null {
  const open = goods
    .filter((one) => one.value !== closed.value && canBuy(limits.get(one.value) ?? null))
    .toSorted((a, b) => a.price_minor - b.price_minor);
  const pick = (list: readonly Goods[]) =>
    list.find((one) => one.price_minor >= closed.price_minor) ?? list.at(-1) ?? null;
  return pick(open.filter((one) => one.typeKey === closed.typeKey)) ?? pick(open);
}

/** Returns true when the product can be chosen; goods without a limit always can. */
export function canBuy(state: LimitState | null): boolean {
  return state === null || state.kind === 'open';
}
