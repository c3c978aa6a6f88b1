// The payment channels of the shop: their bounds parsed, their methods named, and which of them a brand offers.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { ChannelEntry, ChannelsFile, MethodEntry } from '#contracts/channels-file.ts';
import type { BrandKey } from '#kernel/ids.ts';
import type { Currency, Money } from '#kernel/money.ts';
import { readAmount } from './amount-types.ts';

/** Null on a side without a bound. @source specification section 5, "Price filter" */
export type ChannelBounds = { readonly min: Money | null; readonly max: Money | null };

/** The player chooses among these. `mark` is null for a channel that is a method of its own and has no picture. */
export type Method = Omit<MethodEntry, 'mark'> & { readonly mark: string | null };

export type SubChannel = {
  /**
   * `<payway>_<channelId>`, unique in what one country is offered. @source specification section 3, "Payment option"
   */
  readonly key: string;
  /** Key of the method it is chosen under; null where it is a second choice under the method of its channel. */
  readonly method: string | null;
  readonly file: NonNullable<ChannelEntry['sub']>[number];
  readonly bounds: ReadonlyMap<Currency, ChannelBounds>;
};

export type Channel = {
  readonly key: string;
  /** Key of the method it is a route of; null where each of its sub-channels has one of its own. */
  readonly method: string | null;
  readonly file: ChannelEntry;
  readonly bounds: ReadonlyMap<Currency, ChannelBounds>;
  readonly sub: readonly SubChannel[];
};

/**
 * Returns true when a brand offers a channel at all: by the channel's own list of brands, and by the brand's own list
 * of channels.
 */
export function isOfBrand(channel: ChannelEntry, key: string, { channels }: BrandFile): boolean {
  if (channel.brands && !channel.brands.includes(key)) return false;
  if (channels?.include && !channels.include.includes(channel.id)) return false;
  return !channels?.exclude?.includes(channel.id);
}

/** Those that the brand puts first are sorted before all others, on the wire too. */
export function channelsOfBrand(key: BrandKey, file: BrandFile, channels: readonly Channel[]): Channel[] {
  const first = file.channels?.order ?? [];
  const least = Math.min(...channels.map((channel) => channel.file.sort), 0);
  return channels
    .filter((channel) => isOfBrand(channel.file, key, file))
    .map((channel) => {
      const place = first.indexOf(channel.file.id);
      return place < 0 ? channel : { ...channel, file: { ...channel.file, sort: least - first.length + place } };
    })
    .toSorted((a, b) => a.file.sort - b.file.sort);
}

export function buildChannel(file: ChannelEntry): Channel {
  const sub = (file.sub ?? []).map((entry) => ({
    key: `${file.payway}_${entry.channelId}`,
    method: entry.method ?? null,
    file: entry,
    bounds: readBounds(entry.bounds ?? {}),
  }));
  const key = `${file.payway}_${file.channelId}`;
  return { key, method: methodOfChannel(file), file, bounds: readBounds(file.bounds ?? {}), sub };
}

/** Its own method, else itself under its id; null where nothing is left to choose under it. */
function methodOfChannel({ id, method, sub }: ChannelEntry): string | null {
  const isAllElsewhere = sub !== undefined && sub.length > 0 && sub.every((entry) => entry.method !== undefined);
  return method ?? (isAllElsewhere ? null : id);
}

export function buildMethods({ methods, channels }: ChannelsFile): Map<string, Method> {
  const own = channels
    .filter((channel) => channel.method === undefined && methodOfChannel(channel) !== null)
    .map(({ id, name, icon, hint }): [string, Method] => [
      id,
      { key: id, ...(name && { name }), mark: icon ?? null, ...(hint && { hint }) },
    ]);
  return new Map([...(methods ?? []).map((method): [string, Method] => [method.key, method]), ...own]);
}

function readBounds(bounds: NonNullable<ChannelEntry['bounds']>): Map<Currency, ChannelBounds> {
  const read = (text: string | undefined, currency: Currency) => {
    const amount = text === undefined ? null : readAmount(text, currency);
    return amount && amount.amountMinor > 0 ? amount : null;
  };
  return new Map(
    (Object.entries(bounds) as [Currency, { min?: string; max?: string }][]).map(([currency, { min, max }]) => [
      currency,
      { min: read(min, currency), max: read(max, currency) },
    ]),
  );
}
