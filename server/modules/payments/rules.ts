// Which channels a player sees for a price. Pure; the tables come from channels/channels.yaml.
import type { Money } from '#kernel/money.ts';
import type { Country, Region } from '#kernel/regions.ts';
import type { Channel, ChannelBounds, SubChannel } from '#server/modules/configuration/service.ts';

/**
 * Both bounds open: everything; one open: the other decides; both set: between them, inclusive.
 * @source specification section 5, "Price filter for payment options"
 */
export function isWithinBounds(price: Money, bounds: ChannelBounds | undefined): boolean {
  const min = bounds?.min?.amountMinor ?? 0;
  const max = bounds?.max?.amountMinor ?? 0;
  if (min <= 0 && max <= 0) return true;
  if (min <= 0) return price.amountMinor <= max;
  if (max <= 0) return price.amountMinor >= min;
  return price.amountMinor >= min && price.amountMinor <= max;
}

export type ChannelView = { readonly channel: Channel; readonly subs: readonly SubChannel[] };

export type ChannelQuery = {
  readonly brandKey: string;
  readonly region: Region;
  /** GLOBAL asks for the channels that are offered everywhere. */
  readonly country: Country;
  readonly price: Money;
  readonly platform: 'android' | 'ios' | 'web';
  /** Providers that have credentials here; a provider without is off. */
  readonly isProviderOn: (provider: string) => boolean;
};

/**
 * Channels in order. One is listed only with an icon and a price inside its own bounds or a sub-payment's; sub-payments are filtered alike.
 * @source specification section 5, "Payment channel listing"
 */
export function visibleChannels(channels: readonly Channel[], query: ChannelQuery): ChannelView[] {
  const { currency } = query.price;
  return channels.flatMap((channel) => {
    const { file } = channel;
    const isOffered =
      file.icon !== undefined &&
      file.regions.includes(query.region) &&
      file.countries.includes(query.country) &&
      file.currencies.includes(currency) &&
      (!file.brands || file.brands.includes(query.brandKey)) &&
      (!file.iosOnly || query.platform === 'ios') &&
      query.isProviderOn(file.provider);
    if (!isOffered) return [];
    const subs = channel.sub.filter(
      (sub) => sub.file.icon !== undefined && isWithinBounds(query.price, sub.bounds.get(currency)),
    );
    const isInside =
      channel.sub.length > 0 ? subs.length > 0 : isWithinBounds(query.price, channel.bounds.get(currency));
    return isInside ? [{ channel, subs }] : [];
  });
}
