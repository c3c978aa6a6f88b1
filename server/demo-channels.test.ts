// Every channel of the shipped files, and every way inside one, is what a press pays with somewhere in the
// demonstration: none is there by name alone.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Country } from '#kernel/regions.ts';
import type { Money } from '#kernel/money.ts';
import { type Brand, buildConfiguration, type Configuration } from '#server/modules/configuration/configuration.ts';
import type { Channel } from '#server/modules/configuration/types/channel-types.ts';
import { readFiles } from '#server/modules/configuration/files/read-files.ts';
import { foldMethods, type Route } from '#server/modules/payments/methods-rules.ts';
import { visibleChannels } from '#server/modules/payments/rules.ts';
import { quote } from '#server/modules/pricing/service.ts';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';

/** "12001 pingpongx_pay ", "12201 ebanx_pay creditcard" */
const nameOf = ({ file }: Channel, channelId = file.channelId) => `${file.payway} ${file.payPath} ${channelId}`.trim();

/** Paid with as a whole, or by the ways inside it. */
const waysOf = (channel: Channel): string[] =>
  channel.sub.length === 0 ? [nameOf(channel)] : channel.sub.map(({ file }) => nameOf(channel, file.channelId));

/** Returns where a press on the method leads; its second choice has all the ways that are left in the channel. */
const pressedBy = ({ channel, sub, seconds }: Route): string[] =>
  seconds.length > 0
    ? seconds.map(({ file }) => nameOf(channel, file.channelId))
    : [nameOf(channel, sub?.file.channelId)];

const providers = [...paymentProviders, ...shopProviders];
const isOn = (name: string, { currency }: Money) =>
  providers.find((provider) => provider.name === name)?.supportsCurrency(currency) === true;

function* pricesOf(configuration: Configuration, brand: Brand) {
  for (const [region, { countries }] of brand.regions)
    for (const { code: country } of countries) {
      const products = brand.file.games.flatMap((game) => [
        ...(configuration.games.get(game as never)?.products.values() ?? []),
      ]);
      const prices = products.flatMap((product) => quote({ brand, region, country }, product)?.price ?? []);
      const different = new Map(prices.map((price) => [`${price.amountMinor} ${price.currency}`, price]));
      for (const price of different.values()) yield { region, country, price };
    }
}

test('each channel is pressed by somebody', async () => {
  const read = await readFiles(join(import.meta.dirname, '..'));
  if (!read.ok) throw new Error(read.faults.map(({ sentence }) => sentence).join('\n'));
  const configuration = buildConfiguration(read.files, 1, Date.now());
  const places = new Map<string, string>();
  for (const brand of configuration.brands.values())
    for (const { region, country, price } of pricesOf(configuration, brand))
      for (const platform of ['web', 'ios'] as const) {
        const query = { region, price, platform, isProviderOn: (name: string) => isOn(name, price) };
        const views = [country, 'GLOBAL' as Country].flatMap((place) =>
          visibleChannels(brand.channels, { ...query, country: place }),
        );
        for (const { routes } of foldMethods(views, configuration.methods))
          for (const name of pressedBy(routes[0])) places.set(name, `${brand.key} ${region} ${country}`);
      }
  const missing = configuration.channels.flatMap(waysOf).filter((name) => !places.has(name));
  expect(missing).toEqual([]);
  // @source specification section 3, payment channel ids; 90001 is our own of KakaoPay
  const ids = [...places.keys()].map((name) => name.split(' ', 1)[0]);
  for (const id of SPECIFIED) expect(ids).toContain(id);
});

const SPECIFIED =
  '10801 10302 10303 10201 11001 10401 10501 10103 10101 10102 10104 11401 11601 11602 11801 12101 10701 12001 12201 12301 10301 11701 11501 11702'.split(
    ' ',
  );
