// Which goods are held out to a player who bought here before. Pure.
import type { Goods, LimitProductInfo } from '#contracts/catalogue.ts';
import type { Returning } from '#contracts/orders.ts';

export type Suggestion = { readonly goods: Goods; readonly reason: 'last' | 'due' };

/** Our choice: what fits a phone's width with a hint that there is more. */
const MAX = 4;

/**
 * The last purchase once more, and limited goods bought before that may be bought again since their period began anew.
 * @param limits of the chosen character; empty while they are unknown
 */
export function suggestAgain(
  before: Returning,
  goods: readonly Goods[],
  limits: readonly LimitProductInfo[],
): Suggestion[] {
  const limitOf = new Map(limits.map((limit) => [limit.product_id, limit]));
  const isOpen = ({ value, isLimit }: Goods) => !isLimit || (limitOf.get(value)?.extra_pay_times ?? 0) > 0;
  // Nothing of this period is used up: it was bought in one before.
  const isDue = ({ value }: Goods) => {
    const limit = limitOf.get(value);
    return limit !== undefined && limit.day_info > 0 && limit.extra_pay_times === limit.frequency;
  };
  const bought = before.bought.flatMap((id) => goods.find(({ value }) => value === id) ?? []);
  const last = bought.find((one) => one.value === before.product_id && isOpen(one));
  const due = bought.filter((one) => one !== last && isDue(one));
  return [
    ...(last ? [{ goods: last, reason: 'last' } as const] : []),
    ...due.map((one) => ({ goods: one, reason: 'due' }) as const),
  ].slice(0, MAX);
}
