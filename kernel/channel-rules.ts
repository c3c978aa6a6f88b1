// THE rule of which payment channels a price may be paid with, for server and page alike. Pure; amounts in minor units.

/** Zero, a negative number or null means no bound on that side. */
export type PriceBounds = { readonly min: number | null; readonly max: number | null };

/**
 * Both bounds open: everything; one open: the other decides; both set: between them, inclusive.
 * @source specification section 5, "Price filter for payment options"
 */
export function isWithinBounds(price: number, { min, max }: PriceBounds): boolean {
  const low = min ?? 0;
  const high = max ?? 0;
  if (low <= 0 && high <= 0) return true;
  if (low <= 0) return price <= high;
  if (high <= 0) return price >= low;
  return price >= low && price <= high;
}

/**
 * Bounds of a channel that names none and leads to sub-channels: from the least to the most that any of them takes.
 * Without this, such a channel would be listed for a price that none of them takes.
 */
export function boundsAround(subs: readonly PriceBounds[]): PriceBounds {
  const lows = subs.map(({ min }) => min ?? 0);
  const highs = subs.map(({ max }) => max ?? 0);
  return {
    min: lows.every((low) => low > 0) ? Math.min(...lows) : null,
    max: highs.every((high) => high > 0) ? Math.max(...highs) : null,
  };
}

/** A channel or sub-channel as the rule sees it. */
export type ChannelFacts = { readonly hasIcon: boolean; readonly isIosOnly: boolean; readonly bounds: PriceBounds };

export type ListingQuery = { readonly price: number; readonly platform: 'android' | 'ios' | 'web' };

const canShow = (facts: ChannelFacts, { platform }: ListingQuery) =>
  facts.hasIcon && (!facts.isIosOnly || platform === 'ios');

/**
 * The sub-channels to offer of a listed channel, or null when the channel is not listed. It is listed
 * with an icon and a price inside its own bounds or a sub-channel's. A sub-channel needs an icon and a fitting price of
 * its own.
 * With no sub-channel left, the channel is paid by its own `channel_id`.
 * @source specification section 5, "Payment channel listing"
 */
export function offeredSubs<Sub>(
  channel: ChannelFacts,
  subs: readonly Sub[],
  factsOf: (sub: Sub) => ChannelFacts,
  query: ListingQuery,
): Sub[] | null {
  if (!canShow(channel, query)) return null;
  const offered = subs.filter((sub) => {
    const facts = factsOf(sub);
    return canShow(facts, query) && isWithinBounds(query.price, facts.bounds);
  });
  return offered.length > 0 || isWithinBounds(query.price, channel.bounds) ? offered : null;
}
