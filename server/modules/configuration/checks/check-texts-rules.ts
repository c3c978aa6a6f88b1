// Texts that the languages of the brands lack. A brand promises every language it offers, in all
// files that its visitors read.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { ChannelEntry, ChannelsFile } from '#contracts/channels-file.ts';
import type { Texts } from '#contracts/files.ts';
import type { GameFile } from '#contracts/game-file.ts';
import type { RegionsFile } from '#contracts/regions-file.ts';
import { isLanguage, type Language } from '#kernel/languages.ts';
import { writePath } from './field-path-rules.ts';
import type { FieldPath, Finding } from './finding-types.ts';

type Brands = ReadonlyMap<string, BrandFile>;
export type TextSources = {
  readonly brands: Brands;
  readonly games: ReadonlyMap<string, GameFile>;
  /** Null when the file has faults of its own. */
  readonly channels: ChannelsFile | null;
  readonly regions: RegionsFile;
};

/** One text that is to be written: `goods[ember_60].name` of a game in Thai. */
export type MissingText = {
  /** Path from the root of the configuration. */
  readonly file: string;
  readonly at: FieldPath;
  /** As a person reads it. */
  readonly path: string;
  readonly language: Language;
  readonly english: string;
  /** Brands that offer the language and show this text. */
  readonly brands: readonly string[];
};

/** Every missing text of every language that a brand offers, also of those it lists as incomplete; each text once. */
export function findMissingTexts(sources: TextSources): MissingText[] {
  const found = new Map<string, MissingText & { brands: string[] }>();
  for (const [brandKey, brand] of sources.brands) {
    for (const { file, body, parts } of readBy(brandKey, brand, sources)) {
      for (const { at, texts } of parts.flatMap((part) => [...findTexts(part.value, part.at)])) {
        for (const language of brand.languages) {
          if (texts[language] !== undefined) continue;
          const path = writePath(body, at);
          const key = `${file} ${path} ${language}`;
          const known = found.get(key) ?? { file, at, path, language, english: texts.en, brands: [] };
          known.brands.push(brandKey);
          found.set(key, known);
        }
      }
    }
  }
  return [...found.values()];
}

/** One fault a brand, language and file, with the count; a language under `incompleteLanguages` is let pass. */
export function checkTexts(sources: TextSources): Finding[] {
  const missing = findMissingTexts(sources);
  return [...sources.brands].flatMap(([key, brand]) => {
    const file = `brands/${key}/brand.yaml`;
    const own = missing.filter(({ brands }) => brands.includes(key));
    const incomplete = brand.incompleteLanguages ?? [];
    const lacking = brand.languages.flatMap((language, index): Finding[] => {
      if (incomplete.includes(language)) return [];
      const gaps = own.filter((text) => text.language === language);
      return [...Map.groupBy(gaps, (text) => text.file)].map(([place, texts]): Finding => ({
        level: 'fault',
        file,
        at: ['languages', index],
        reason:
          `${language}: ${count(texts.length)} missing in ${place}, the first is ${texts[0]?.path}; ` +
          `write them (\`refill plan --missing-texts\` lists them) or name ${language} under incompleteLanguages`,
      }));
    });
    const excused = incomplete.flatMap((language, index): Finding[] => {
      const at = ['incompleteLanguages', index];
      if (!brand.languages.includes(language))
        return [{ level: 'fault', file, at, reason: `the brand does not offer ${language}; remove it here` }];
      if (sources.channels === null || own.some((text) => text.language === language)) return [];
      return [{ level: 'warning', file, at, reason: `nothing is missing in ${language} any more; remove it here` }];
    });
    return [...lacking, ...excused];
  });
}

function count(texts: number): string {
  return texts === 1 ? '1 text is' : `${texts} texts are`;
}

type Part = { readonly at: FieldPath; readonly value: unknown };
type Source = { readonly file: string; readonly body: unknown; readonly parts: readonly Part[] };

/**
 * Collects the texts that visitors of a brand read: its own file, its games, and the channels that one of them may
 * meet.
 */
function readBy(key: string, brand: BrandFile, { games, channels, regions }: TextSources): Source[] {
  const countries = Object.values(brand.regions).flatMap((region) => region?.countries.map(({ code }) => code) ?? []);
  return [
    { file: `brands/${key}/brand.yaml`, body: brand, parts: [{ at: [], value: brand }] },
    ...brand.games.flatMap((id) => {
      const game = games.get(id);
      return game ? [{ file: `games/${id}/game.yaml`, body: game, parts: [{ at: [], value: game }] }] : [];
    }),
    ...(channels
      ? [
          {
            file: 'channels/channels.yaml',
            body: channels,
            // The name of a method is a company's own; what is a word there is a label, which
            // messages/ has in every language.
            parts: channels.channels.flatMap((channel, index) =>
              mayOffer(key, brand, channel) ? [{ at: ['channels', index], value: channel }] : [],
            ),
          },
        ]
      : []),
    {
      file: 'regions/regions.yaml',
      body: regions,
      parts: [
        ...Object.keys(brand.regions).map((region) => ({
          at: ['regions', region],
          value: regions.regions?.[region],
        })),
        ...countries.map((code) => ({ at: ['countries', code], value: regions.countries?.[code] })),
      ],
    },
  ];
}

/** A currency is not asked: a price of one country may be in any. */
function mayOffer(key: string, brand: BrandFile, channel: ChannelEntry): boolean {
  if (channel.brands && !channel.brands.includes(key)) return false;
  return channel.regions.some((region) =>
    brand.regions[region]?.countries.some(
      ({ code }) => channel.countries.includes('GLOBAL') || channel.countries.includes(code),
    ),
  );
}

/** Texts are told by their shape, so that a field which a file gains tomorrow is looked at too. */
function* findTexts(value: unknown, at: FieldPath): Generator<{ at: FieldPath; texts: Texts }> {
  if (typeof value !== 'object' || value === null) return;
  if (isTexts(value)) {
    yield { at, texts: value };
    return;
  }
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, part] of entries) yield* findTexts(part, [...at, step]);
}

function isTexts(value: object): value is Texts {
  return 'en' in value && Object.entries(value).every(([key, text]) => isLanguage(key) && typeof text === 'string');
}
