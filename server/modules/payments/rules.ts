// Which channels a player sees for a price. Pure; the tables come from channels/channels.yaml.
import { type ChannelFacts, type PriceBounds, boundsAround, offeredSubs } from '#kernel/channel-rules.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { Country, Region } from '#kernel/regions.ts';
import type { Channel, SubChannel } from '#server/modules/configuration/service.ts';

/** Bounds in minor units of `currency`: the channel's own, else those around its sub-channels. */
export function boundsOf(entry: Channel | SubChannel, currency: Currency): PriceBounds {
  const own = entry.bounds.get(currency);
  if (!own && 'sub' in entry && entry.sub.length > 0)
    return boundsAround(entry.sub.map((sub) => boundsOf(sub, currency)));
  return { min: own?.min?.amountMinor ?? null, max: own?.max?.amountMinor ?? null };
}

export type ChannelView = { readonly channel: Channel; readonly subs: readonly SubChannel[] };

export type ChannelQuery = {
  readonly region: Region;
  /** GLOBAL asks for the channels that are offered everywhere. */
  readonly country: Country;
  readonly price: Money;
  readonly platform: 'android' | 'ios' | 'web';
  /** Providers that have credentials here; a provider without is off. */
  readonly isProviderOn: (provider: string) => boolean;
};

/**
 * Channels of one brand in its order, each with the sub-channels to offer. What the operator allows is decided here,
 * the rest by the rule that the page has as well.
 * @source specification section 5, "Payment channel listing"
 */
export function visibleChannels(channels: readonly Channel[], query: ChannelQuery): ChannelView[] {
  const { currency, amountMinor } = query.price;
  const factsOf = (entry: Channel | SubChannel): ChannelFacts => ({
    hasIcon: entry.file.icon !== undefined,
    isIosOnly: 'iosOnly' in entry.file && entry.file.iosOnly === true,
    bounds: boundsOf(entry, currency),
  });
  return channels.flatMap((channel) => {
    const { file } = channel;
    const isAllowed =
      file.regions.includes(query.region) &&
      file.countries.includes(query.country) &&
      file.currencies.includes(currency) &&
      query.isProviderOn(file.provider);
    if (!isAllowed) return [];
    const subs = offeredSubs(factsOf(channel), channel.sub, factsOf, { price: amountMinor, platform: query.platform });
    return subs ? [{ channel, subs }] : [];
  });
}
