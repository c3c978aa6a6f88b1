// Finds a place to buy with each channel of the shipped files: brand, region and country, by the rules of the files
// themselves.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#scripts/run-tool.ts';
import { parse } from 'yaml';

export type Place = {
  /** As in channels.yaml, "id" or "id/way inside it". */
  readonly channel: string;
  /** The provider's own method, as in channels.yaml. */
  readonly channelId: string;
  readonly provider: string;
  readonly brand: string;
  readonly region: string;
  readonly country: string;
  readonly currency: string;
  readonly isIosOnly: boolean;
  /** The games that are sold there. */
  readonly games: readonly string[];
  /** In major units. */
  readonly bounds: Bound;
};

type Bound = { readonly min?: string; readonly max?: string };
type WayFile = { channelId: string; bounds?: Record<string, Bound> };
type ChannelFile = WayFile & {
  id: string;
  provider: string;
  regions: string[];
  countries: string[];
  currencies: string[];
  brands?: string[];
  iosOnly?: boolean;
  sub?: WayFile[];
};
type BrandFile = {
  currency: string;
  games: string[];
  regions: Record<string, { currency?: string; countries: { code: string; currency?: string }[] }>;
};

type GameFile = { goods: { prices: Record<string, string> }[] };

const readYaml = <File>(...path: string[]): File => parse(readFileSync(join(projectRoot, ...path), 'utf8')) as File;

/** Sells in most regions: the first to be looked at. */
const USUAL_BRAND = 'watt';
/** Paid without a page: cards and balances have flows of their own. */
const WITHOUT_PAGE = ['card', 'wallet'];

/** Bought with in other flows. */
const KNOWN_PROVIDERS = ['paypal', 'adyen', 'xsolla'];

/** Their page is a plain redirect and back, in the browser the same as Travellet's. */
const REDIRECTS = ['alipay', 'codapay', 'ebanx', 'funtap', 'pagsmile', 'payermax', 'pingpong'];

/**
 * The first channel of each provider that is paid with in a manner of its own: what every run of the tests looks at.
 */
export function listManners(): Place[] {
  const seen = new Set([...KNOWN_PROVIDERS, ...REDIRECTS]);
  return listPlaces().filter(({ provider }) => !seen.has(provider) && seen.add(provider));
}

/** A place for every channel. @throws Error for a channel that nobody can ever see */
export function listPlaces(): Place[] {
  return readChannels().map((channel) => {
    const [place] = placesOf(channel);
    if (!place) throw new Error(`The channel ${channel.id} is offered nowhere.`);
    return place;
  });
}

/** A place for every channel, every way inside it and every currency that it is paid in. */
export function listAllPlaces(): Place[] {
  const places = readChannels().flatMap((channel) => [...placesOf(channel)]);
  return [...new Map(places.toReversed().map((one) => [`${one.channel} ${one.currency}`, one])).values()].toReversed();
}

/** The prices of a place's goods in its currency that the channel takes there, in major units, the dearest first. */
export function listPrices({ games, currency, bounds: { min, max } }: Place): string[] {
  const prices = games
    .flatMap((game) => readYaml<GameFile>('games', game, 'game.yaml').goods)
    .flatMap((goods) => goods.prices[currency] ?? []);
  return prices
    .filter((price) => Number(price) >= Number(min ?? 0) && Number(price) <= Number(max ?? Infinity))
    .toSorted((a, b) => Number(b) - Number(a));
}

const readChannels = (): ChannelFile[] =>
  readYaml<{ channels: ChannelFile[] }>('channels', 'channels.yaml').channels.filter(
    ({ provider }) => !WITHOUT_PAGE.includes(provider),
  );

const brandKeys = readdirSync(join(projectRoot, 'brands'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .toSorted((a, b) => Number(b === USUAL_BRAND) - Number(a === USUAL_BRAND));

function* placesOf(channel: ChannelFile): Generator<Place> {
  for (const brand of channel.brands ?? brandKeys) {
    const file = readYaml<BrandFile>('brands', brand, 'brand.yaml');
    for (const [region, { currency: usual, countries }] of Object.entries(file.regions)) {
      if (!channel.regions.includes(region)) continue;
      for (const { code, currency = usual ?? file.currency } of countries) {
        const isOffered = channel.countries.includes('GLOBAL') || channel.countries.includes(code);
        if (!isOffered || !channel.currencies.includes(currency)) continue;
        for (const way of channel.sub ?? [channel])
          yield {
            channel: way === channel ? channel.id : `${channel.id}/${way.channelId}`,
            channelId: way.channelId,
            provider: channel.provider,
            brand,
            region,
            country: code,
            currency,
            isIosOnly: channel.iosOnly === true,
            games: file.games,
            bounds: { ...channel.bounds?.[currency], ...way.bounds?.[currency] },
          };
      }
    }
  }
}
