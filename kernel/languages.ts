// The languages the shop speaks, their direction and how one is chosen. Texts live in messages/<lang>.json.

/** @source specification section 9, "Languages" */
export const LANGUAGES = [
  'ar', 'de', 'en', 'es', 'fr', 'id', 'it', 'ja', 'ko', 'ms', 'pl', 'pt', 'ru', 'th', 'tr', 'vi', 'zh-cn', 'zh-tw',
] as const; /* a row a line */ // prettier-ignore

export type Language = (typeof LANGUAGES)[number];

/** Each language's own name, for the language picker. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  ar: 'العربية', de: 'Deutsch', en: 'English', es: 'Español', fr: 'Français', id: 'Bahasa Indonesia', it: 'Italiano', ja: '日本語', ko: '한국어',
  ms: 'Bahasa Melayu', pl: 'Polski', pt: 'Português', ru: 'Русский', th: 'ไทย', tr: 'Türkçe', vi: 'Tiếng Việt', 'zh-cn': '简体中文', 'zh-tw': '繁體中文',
}; /* a row a line */ // prettier-ignore

export function isLanguage(value: string): value is Language {
  return (LANGUAGES as readonly string[]).includes(value);
}

/** The value of the `lang` attribute: "zh-tw" -> "zh-TW". */
export function toBcp47(language: Language): string {
  return language === 'zh-cn' ? 'zh-CN' : language === 'zh-tw' ? 'zh-TW' : language;
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** "+128 Crystals, +1 Skin shard", as the language separates them. */
export function listIn(language: Language, parts: readonly string[]): string {
  return parts.join(/ja|zh/.test(language) ? '、' : language === 'ar' ? '، ' : ', ');
}

/**
 * Reads one language tag ("zh-Hant-HK", "pt_BR") as one of ours, or null.
 * Chinese follows the script: Hant, or the places that write it, is zh-tw.
 */
export function readLanguageTag(tag: string): Language | null {
  const lower = tag.trim().toLowerCase().replaceAll('_', '-');
  if (isLanguage(lower)) return lower;
  const [primary = ''] = lower.split('-');
  if (primary === 'zh') return /hant|-(tw|hk|mo)\b/.test(lower) ? 'zh-tw' : 'zh-cn';
  return isLanguage(primary) ? primary : null;
}

/**
 * The brand's language for a visitor: the first preference that the brand offers, else the brand's first.
 * @param preferences tags in falling order (explicit choice, stored, browser)
 * @source specification section 9: "Default is the first configured; taken from the stored preference or the browser"
 */
export function chooseLanguage(offered: readonly Language[], preferences: readonly (string | undefined)[]): Language {
  for (const tag of preferences) {
    const language = tag ? readLanguageTag(tag) : null;
    if (language && offered.includes(language)) return language;
  }
  return offered[0] ?? 'en';
}

/** Each reads the other's script better than English. */
const TWINS: Partial<Record<Language, Language>> = { 'zh-cn': 'zh-tw', 'zh-tw': 'zh-cn' };

/**
 * A text in `language`; where it is missing, in the other Chinese, then in the brand's first language, then in English.
 * @param first the brand's first language, left out where no brand is known
 */
export function textIn(
  texts: { readonly en: string } & Readonly<Partial<Record<Language, string>>>,
  language: Language,
  first: Language = 'en',
): string {
  const twin = TWINS[language];
  return texts[language] ?? (twin && texts[twin]) ?? texts[first] ?? texts.en;
}

type Translations = { readonly en: string } & Readonly<Partial<Record<Language, string>>>;

/**
 * Selects the names that an order keeps: English, and the language it was bought in, as the player read it. The other
 * languages are the catalogue's, and are had from there while it says the same.
 * @param first the brand's first language
 */
export function textsToKeep<Texts extends Translations>(texts: Texts, language: Language, first: Language): Texts {
  return { en: texts.en, [language]: textIn(texts, language, first) } as Texts;
}

/** A kept name with the translations that it has now; without them where it is called otherwise now, or is gone. */
export function withTranslations<Texts extends Translations>(kept: Texts, now: Translations | undefined): Texts {
  return now?.en === kept.en ? { ...now, ...kept } : kept;
}

/** The tags of an Accept-Language header in falling quality. */
export function readAcceptLanguage(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [tag = '', ...options] = part.trim().split(';');
      const quality = options.map((option) => /^\s*q=([\d.]+)$/.exec(option)?.[1]).find(Boolean);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter((entry) => entry.tag && entry.quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map((entry) => entry.tag);
}
