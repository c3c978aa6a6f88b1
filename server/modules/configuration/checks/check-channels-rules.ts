// Checks the rules inside the channels file, and between its entries, that its schema cannot express.
import type { ChannelEntry, ChannelsFile } from '#contracts/channels-file.ts';
import { payRoutes } from '#contracts/payments.ts';
import { parseDecimal, type Currency } from '#kernel/money.ts';
import { checkAsset } from './check-brand-rules.ts';
import { checkAmount, isAbove, repeated } from './check-game-rules.ts';
import { checkMethods } from './check-methods-rules.ts';
import type { AssetFacts, FieldPath, Finding, KnownProvider } from './finding-types.ts';

export type ChannelSurroundings = {
  /** Folder names under brands/, also of files that have faults of their own. */
  readonly brandKeys: ReadonlySet<string>;
  /** The payment adapters of this server; null when the caller does not know them. */
  readonly providers: readonly KnownProvider[] | null;
  readonly assets: ReadonlyMap<string, AssetFacts>;
};

const FILE = 'channels/channels.yaml';

export function checkChannels(file: ChannelsFile, around: ChannelSurroundings): Finding[] {
  const { channels } = file;
  const ids = channels.map((channel) => channel.id);
  return [
    ...repeated(ids).map((index) =>
      fault(['channels', index, 'id'], `the channel id "${ids[index]}" is used twice; rename one`),
    ),
    ...channels.flatMap((channel, index) => [
      ...checkChannel(channel, ['channels', index], around),
      ...checkTwins(channels, index),
    ]),
    ...checkMethods(file, around.assets),
  ];
}

function fault(at: FieldPath, reason: string): Finding {
  return { level: 'fault', file: FILE, at, reason };
}

function checkChannel(
  channel: ChannelEntry,
  at: FieldPath,
  { brandKeys, providers, assets }: ChannelSurroundings,
): Finding[] {
  const findings: Finding[] = [];
  const calls = Object.keys(payRoutes);
  if (!calls.includes(channel.payPath)) {
    findings.push(
      fault([...at, 'payPath'], `there is no pay call "${channel.payPath}"; known are ${calls.join(', ')}`),
    );
  }
  findings.push(...checkProvider(channel, at, providers));
  for (const [index, brand] of (channel.brands ?? []).entries()) {
    if (!brandKeys.has(brand))
      findings.push(
        fault([...at, 'brands', index], `there is no brands/${brand}/brand.yaml; correct the key or add the brand`),
      );
  }
  if (channel.icon === undefined) {
    findings.push({ level: 'warning', file: FILE, at, reason: 'has no icon, so it is never listed' });
  }
  const subKeys = (channel.sub ?? []).map((sub) => sub.channelId);
  findings.push(
    ...repeated(subKeys).map((index) =>
      fault([...at, 'sub', index, 'channelId'], `"${subKeys[index]}" is listed twice in this channel; remove one`),
    ),
  );
  for (const [place, entry] of [
    [at, channel] as const,
    ...(channel.sub ?? []).map((sub, index) => [[...at, 'sub', index], sub] as const),
  ]) {
    if (entry.icon) findings.push(...checkAsset(FILE, [...place, 'icon'], `channels/assets/${entry.icon}`, assets));
    findings.push(...checkBounds(entry.bounds ?? {}, channel.currencies, [...place, 'bounds']));
  }
  return findings;
}

function checkProvider(channel: ChannelEntry, at: FieldPath, providers: readonly KnownProvider[] | null): Finding[] {
  if (!providers) return [];
  const provider = providers.find(({ name }) => name === channel.provider);
  if (!provider) {
    const known = providers.map(({ name }) => name).join(', ');
    return [fault([...at, 'provider'], `there is no provider "${channel.provider}"; known are ${known}`)];
  }
  return channel.currencies.flatMap((currency, index) =>
    provider.supportsCurrency(currency)
      ? []
      : [fault([...at, 'currencies', index], `${provider.name} does not take ${currency}; remove it`)],
  );
}

function checkBounds(
  bounds: NonNullable<ChannelEntry['bounds']>,
  currencies: readonly Currency[],
  at: FieldPath,
): Finding[] {
  return (Object.entries(bounds) as [Currency, { min?: string; max?: string }][]).flatMap(
    ([currency, { min, max }]) => {
      const findings = [
        ...(min === undefined ? [] : checkAmount([...at, currency, 'min'], min, currency, true)),
        ...(max === undefined ? [] : checkAmount([...at, currency, 'max'], max, currency, true)),
      ].map((remark) => fault(remark.at, remark.reason));
      // A maximum of zero is "no bound", so nothing is above it.
      const hasMax = max !== undefined && (parseDecimal(max, currency)?.amountMinor ?? 0) > 0;
      if (findings.length === 0 && min !== undefined && hasMax && isAbove(min, max, currency)) {
        findings.push(
          fault(
            [...at, currency, 'min'],
            `"${min}" is above the max "${max}", so the channel would never show; swap them`,
          ),
        );
      }
      if (!currencies.includes(currency)) {
        findings.push({
          level: 'warning',
          file: FILE,
          at: [...at, currency],
          reason: `the channel does not take ${currency}`,
        });
      }
      return findings;
    },
  );
}

/**
 * The storefront tells channels apart by `<payway>_<channelId>`, so one visitor must never be offered two of the same.
 */
function checkTwins(channels: readonly ChannelEntry[], index: number): Finding[] {
  const channel = channels[index];
  if (!channel) return [];
  const twin = channels.slice(0, index).find((other) => canMeet(channel, other));
  if (!twin) return [];
  const key = `${channel.payway}_${channel.channelId}`;
  return [
    fault(
      ['channels', index],
      `has the same key ${key} as "${twin.id}" where both are offered; give one another channelId or part their ` +
        'countries',
    ),
  ];
}

function canMeet(a: ChannelEntry, b: ChannelEntry): boolean {
  const share = (left: readonly string[], right: readonly string[]) => left.some((value) => right.includes(value));
  return (
    a.payway === b.payway &&
    a.channelId === b.channelId &&
    share(a.regions, b.regions) &&
    share(a.currencies, b.currencies) &&
    (a.countries.includes('GLOBAL') || b.countries.includes('GLOBAL') || share(a.countries, b.countries)) &&
    (!a.brands || !b.brands || share(a.brands, b.brands))
  );
}
