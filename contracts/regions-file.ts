// The shape of regions/regions.yaml, which an operator may add: payment regions and countries
// beside those of the specification.
import Type, { type Static } from 'typebox';
import { CountryKey, RegionKey, Texts, mapOf, strict } from './files.ts';

export const RegionsFile = strict({
  regions: Type.Optional(
    mapOf(
      RegionKey,
      strict({ name: Texts }),
      'Payment regions of your own, or another name for one of the specification',
    ),
  ),
  countries: Type.Optional(
    mapOf(
      CountryKey,
      strict({ name: Texts }),
      'Codes that ISO 3166-1 does not know, or another name for one that it does',
    ),
  ),
});
export type RegionsFile = Static<typeof RegionsFile>;
