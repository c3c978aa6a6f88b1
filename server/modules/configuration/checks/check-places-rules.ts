// Payment regions and countries that files name: those of the specification and ISO 3166-1, and those of
// the operator's regions file.
import type { ChannelsFile } from '#contracts/channels-file.ts';
import type { BrandFile } from '#contracts/brand-file.ts';
import type { GameFile } from '#contracts/game-file.ts';
import type { RegionsFile } from '#contracts/regions-file.ts';
import { findNear } from '#kernel/near.ts';
import { knownCountries, REGIONS } from '#kernel/regions.ts';
import type { FieldPath, Finding } from './finding-types.ts';

export type PlaceSources = {
  readonly brands: ReadonlyMap<string, BrandFile>;
  readonly games: ReadonlyMap<string, GameFile>;
  readonly channels: ChannelsFile | null;
  readonly regions: RegionsFile;
};

type Place = { readonly file: string; readonly at: FieldPath; readonly code: string };

const OWN_FILE = 'regions/regions.yaml';

/** A region or country that nothing knows is a spelling error, or is to be added to the regions file. */
export function checkPlaces(sources: PlaceSources): Finding[] {
  const regions = new Set<string>([...REGIONS, ...Object.keys(sources.regions.regions ?? {})]);
  const countries = new Set([...knownCountries(), ...Object.keys(sources.regions.countries ?? {})]);
  return [
    ...unknown(regionsIn(sources), regions, 'payment region', 'regions', `known are ${[...regions].join(', ')}. Else `),
    ...unknown(countriesIn(sources), countries, 'country', 'countries'),
  ];
}

function unknown(
  places: readonly Place[],
  known: ReadonlySet<string>,
  noun: string,
  section: string,
  list = '',
): Finding[] {
  return places.flatMap(({ file, at, code }): Finding[] => {
    if (known.has(code)) return [];
    const near = findNear(code, [...known]);
    // Every two letters are near some country.
    const hint = near && near.length > 3 ? `did you mean "${near}"? Else ` : list;
    return [
      {
        level: 'fault',
        file,
        at,
        reason: `there is no ${noun} "${code}"; ${hint}name it in ${OWN_FILE} under ${section}`,
      },
    ];
  });
}

function regionsIn({ brands, channels }: PlaceSources): Place[] {
  return [
    ...[...brands].flatMap(([key, brand]) =>
      Object.keys(brand.regions).map((code) => ({ file: fileOf(key), at: ['regions', code], code })),
    ),
    ...(channels?.channels ?? []).flatMap((channel, index) =>
      channel.regions.map((code, place) => ({ file: CHANNELS, at: ['channels', index, 'regions', place], code })),
    ),
  ];
}

const CHANNELS = 'channels/channels.yaml';
const fileOf = (brandKey: string) => `brands/${brandKey}/brand.yaml`;

function countriesIn({ brands, games, channels }: PlaceSources): Place[] {
  return [
    ...[...brands].flatMap(([key, brand]) =>
      Object.entries(brand.regions).flatMap(([region, entry]) =>
        (entry?.countries ?? []).map(({ code }, index) => ({
          file: fileOf(key),
          at: ['regions', region, 'countries', index, 'code'],
          code,
        })),
      ),
    ),
    ...[...games].flatMap(([id, game]) =>
      game.goods.flatMap(({ countryPrices = {}, priceChanges = [] }, index) =>
        [
          ...Object.keys(countryPrices).map((code) => ({ at: ['countryPrices', code], code })),
          ...priceChanges.flatMap((change, place) =>
            Object.keys(change.countryPrices ?? {}).map((code) => ({
              at: ['priceChanges', place, 'countryPrices', code],
              code,
            })),
          ),
        ].map(({ at, code }) => ({ file: `games/${id}/game.yaml`, at: ['goods', index, ...at], code })),
      ),
    ),
    ...(channels?.channels ?? []).flatMap((channel, index) =>
      channel.countries.map((code, place) => ({ file: CHANNELS, at: ['channels', index, 'countries', place], code })),
    ),
  ];
}
