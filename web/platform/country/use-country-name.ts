// The country in use as a player reads it.
import { toBcp47 } from '#kernel/languages.ts';
import { isoOf } from '#kernel/regions.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { useCountry } from '#web/platform/region.ts';

/** Empty before a country is known. */
export function useCountryName(): string {
  const language = useLanguage();
  const country = useCountry();
  const { countries, language: written } = readBoot();
  // The server knows names that an operator gave; in another language Unicode's have to do.
  const given = written === language ? countries?.list.find(({ value }) => value === country)?.display : undefined;
  const iso = isoOf(country);
  if (given !== undefined || !iso || !/^[A-Z]{2}$/.test(iso)) return given ?? '';
  return new Intl.DisplayNames([toBcp47(language)], { type: 'region' }).of(iso) ?? country;
}
