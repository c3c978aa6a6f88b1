import { expect, test } from 'vitest';
import { countriesOfTags, listMarkets, placeOfVisit, type Visit } from './visit-rules.ts';

const sold = (...codes: string[]) => ({ countries: codes.map((code) => ({ code })) });
const regions = new Map([
  ['useuro', sold('US', 'DE')],
  ['universal', sold('US', 'BR', 'TR')],
  ['twhk', sold('TW')],
]);
const none: Visit = { asked: undefined, keptRegion: undefined, keptCountry: undefined, guesses: [] };

test.each<[string, Partial<Visit>, string | null]>([
  ['nothing known takes the first', {}, 'useuro US'],
  ['a guess that the brand sells in', { guesses: ['BR'] }, 'universal BR'],
  ['the likeliest guess that the brand sells in', { guesses: ['PT', 'TR', 'DE'] }, 'universal TR'],
  ['a guess in two regions takes the first of them', { guesses: ['US'] }, 'useuro US'],
  ['no guess fits', { guesses: ['FR'] }, 'useuro US'],
  ['what is asked for wins over all', { asked: 'twhk', keptRegion: 'universal', guesses: ['BR'] }, 'twhk TW'],
  ['within what is asked for a guess chooses the country', { asked: 'universal', guesses: ['TR'] }, 'universal TR'],
  ['what is asked for and not sold', { asked: 'sea', keptRegion: 'universal' }, null],
  ['the kept region wins over guesses', { keptRegion: 'universal', guesses: ['DE'] }, 'universal US'],
  ['the kept country', { keptRegion: 'universal', keptCountry: 'BR', guesses: ['TR'] }, 'universal BR'],
  ['a kept country alone', { keptCountry: 'BR', guesses: ['DE'] }, 'universal BR'],
  ['a kept region that is sold in no more', { keptRegion: 'sea', guesses: ['BR'] }, 'universal BR'],
])('L98 places a visit: %s', (_, visit, place) => {
  const found = placeOfVisit({ regions, tiedRegion: undefined, likelyRegion: undefined }, { ...none, ...visit });
  expect(found && `${found.region} ${found.country}`).toBe(place);
});

test("L98 a named client's region comes after what is asked for and before what is kept", () => {
  const brand = { regions, tiedRegion: 'twhk', likelyRegion: undefined };
  expect(placeOfVisit(brand, { ...none, guesses: ['BR'] })?.region).toBe('twhk');
  expect(placeOfVisit(brand, { ...none, keptRegion: 'universal' })?.region).toBe('twhk');
  expect(placeOfVisit(brand, { ...none, asked: 'useuro', keptRegion: 'universal' })?.region).toBe('useuro');
});

test('L98 the region of a client that nobody named comes after what is kept and before guesses', () => {
  const brand = { regions, tiedRegion: undefined, likelyRegion: 'twhk' };
  expect(placeOfVisit(brand, { ...none, guesses: ['BR'] })?.region).toBe('twhk');
  expect(placeOfVisit(brand, { ...none, keptRegion: 'universal' })?.region).toBe('universal');
});

test.each([
  [
    ['pt-BR', 'pt', 'en-US'],
    ['BR', 'US'],
  ],
  [['ja'], ['JP']],
  [['en'], []],
  [['en-US', 'en'], ['US']],
  [['zh-Hant', 'zh-TW'], ['TW']],
  [['es-419', 'es'], ['ES']],
  [['zz-', '*', 'x', 'pt_BR'], ['BR']],
])('languages %s are of %s', (tags, countries) => {
  expect(countriesOfTags(tags)).toEqual(countries);
});

test('lists every country once a currency, in the region in use where it has it', () => {
  const charged = new Map([
    ['useuro', { countries: [{ code: 'US', currency: 'USD' }, { code: 'DE', currency: 'EUR' }] }],
    ['universal', { countries: [{ code: 'US', currency: 'USD' }, { code: 'DE', currency: 'USD' }] }],
  ]); /* a row a line */ // prettier-ignore
  const shown = (region?: string) =>
    listMarkets(charged, region).map((market) => `${market.region} ${market.country} ${market.currency}`);
  expect(shown()).toEqual(['useuro US USD', 'useuro DE EUR', 'universal DE USD']);
  expect(shown('universal')).toEqual(['universal US USD', 'universal DE USD', 'useuro DE EUR']);
});
