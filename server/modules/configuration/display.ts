// How one visitor reads things: texts in the language of the page, amounts in the brand's form. The
// only place that shows money.
import type { Texts } from '#contracts/files.ts';
import { showCount } from '#kernel/count.ts';
import { type Language, textIn, toBcp47 } from '#kernel/languages.ts';
import { type Money, showLocalMoney, showMoney } from '#kernel/money.ts';
import { type Country, isoOf, type Region } from '#kernel/regions.ts';
import type { Brand, Configuration, Product } from './configuration.ts';

export type Display = {
  readonly language: Language;
  /** Empty for texts that are not there. */
  text(texts: Texts | undefined): string;
  /** @source specification section 5, "Amounts", unless the brand says `money: local` */
  money(amount: Money): string;
  /** With the separators of the amounts beside it. */
  count(count: number): string;
  nameOf(product: NamedGoods): string;
};

type NamedGoods = Pick<Product, 'name'> & { readonly localName?: Texts };

export function displayFor(brand: Brand, language: Language): Display {
  const [first] = brand.file.languages;
  const isLocal = brand.file.money === 'local';
  const text = (texts: Texts | undefined) => (texts ? textIn(texts, language, first) : '');
  return {
    language,
    text,
    money: (amount) => (isLocal ? showLocalMoney(amount, language) : showMoney(amount)),
    count: (count) => showCount(count, isLocal ? language : undefined),
    nameOf: (product) => text(nameAt(brand, product)),
  };
}

/** Returns the name of goods at a brand, which decides how the number in a name is written. */
export function nameAt({ file }: Brand, { name, localName }: NamedGoods): Texts {
  return file.money === 'local' ? (localName ?? name) : name;
}

const names = new Map<string, Intl.DisplayNames>();

/** Making one costs far more than using it. */
function namesOf(type: 'region' | 'currency', { language }: Display): Intl.DisplayNames {
  const key = `${type} ${language}`;
  const known = names.get(key) ?? new Intl.DisplayNames([toBcp47(language)], { type });
  names.set(key, known);
  return known;
}

/** A country in the language of the page: by the operator's regions file, else by Unicode, else by its code. */
export function countryName(configuration: Configuration, country: Country, display: Display): string {
  const own = configuration.countryName(country);
  if (own) return display.text(own);
  const iso = isoOf(country);
  return iso !== null && /^[A-Z]{2}$/.test(iso) ? (namesOf('region', display).of(iso) ?? country) : country;
}

/** "Brazilian real"; the code of a currency that Unicode does not know. */
export function currencyName(currency: string, display: Display): string {
  return namesOf('currency', display).of(currency) ?? currency;
}

/** @param shopText texts of messages/, which name the regions of the specification */
export function regionName(
  configuration: Configuration,
  region: Region,
  display: Display,
  shopText: (key: string) => string,
): string {
  const named = configuration.regionName(region);
  return named ? display.text(named) : shopText(`region.${region}`);
}
