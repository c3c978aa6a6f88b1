import { expect, test } from 'vitest';
import { LANGUAGES, toBcp47 } from './languages.ts';
import { isoOf, knownCountries, REGIONS } from './regions.ts';

test('L80 has the payment regions of the specification', () => {
  expect(REGIONS.join(' ')).toBe('universal eru sea ja kr twhk useuro ru hk codapay mea');
});

test('L81 knows the codes of the region map and every country of ISO 3166-1', () => {
  const map = 'GLOBAL PH MY SG ID TH VN IN MMK TR BR US FR DE RU NL';
  expect(map.split(' ').filter((code) => !knownCountries().includes(code))).toEqual([]);
  expect(knownCountries().length).toBe(249 + 2);
  expect([isoOf('MMK'), isoOf('GLOBAL'), isoOf('BR')]).toEqual(['MM', null, 'BR']);
});

test('L81 every country has a name in every language', () => {
  const nameless = LANGUAGES.flatMap((language) => {
    const names = new Intl.DisplayNames([toBcp47(language)], { type: 'region', fallback: 'none' });
    return knownCountries().flatMap((code) => {
      const iso = isoOf(code);
      return iso !== null && names.of(iso) === undefined ? [`${language} ${code}`] : [];
    });
  });
  expect(nameless).toEqual([]);
});
