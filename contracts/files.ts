// Pieces shared by the three kinds of configuration file (brands/, games/, channels/).
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { allCurrencies } from '#kernel/money.ts';
import { LANGUAGES } from '#kernel/languages.ts';

/** An object whose unknown keys are faults: a typing error in a file must not pass silently. */
export const strict = <Properties extends TProperties>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });

/** Looking up a key may find nothing; the entries of an open list of keys are all there. */
type MapOf<Key extends string, Value> = string extends Key ? Record<Key, Value> : Partial<Record<Key, Value>>;

/** A map whose keys are `key`, any of which may be left out; a key that is none is a fault. */
export const mapOf = <Key extends TSchema, Value extends TSchema>(key: Key, value: Value, description = '') => {
  const {
    title,
    examples,
    enum: values,
    pattern,
  } = key as { title?: string; examples?: string[]; enum?: string[]; pattern?: string };
  // One pattern in place of a property a code: a schema would have some lines for every currency and map.
  const name = Type.String({ pattern: pattern ?? `^(${(values ?? []).join('|')})$` });
  const options = {
    additionalProperties: false,
    ...(title && { title }),
    ...(examples && { examples }),
    ...(description && { description }),
  };
  return Type.Unsafe<MapOf<Static<Key> & string, Static<Value>>>(Type.Record(name, value, options));
};

// `title` is the noun of the fault sentence ("... is not a six-digit hex colour"), the first of `examples` its remedy.
export const LanguageKey = Type.Enum([...LANGUAGES], { title: 'language of the shop', examples: ['en'] });
export const CurrencyKey = Type.Enum(allCurrencies(), { title: 'currency code of ISO 4217', examples: ['USD'] });
// Which of them exist is checked against the specification's and the operator's own.
export const RegionKey = Type.String({
  pattern: '^[a-z][a-z0-9-]{1,15}$',
  title: 'payment region',
  examples: ['universal'],
});
export const CountryKey = Type.String({
  pattern: '^[A-Z]{2,6}$',
  title: 'country code of ISO 3166-1',
  examples: ['BR'],
});

/** Text by language; `en` is compulsory because every other language falls back to it. */
export const Texts = Type.Unsafe<Texts>(
  Type.Object(
    {
      en: Type.String({ minLength: 1 }),
      ...Object.fromEntries(
        LANGUAGES.filter((l) => l !== 'en').map((l) => [l, Type.Optional(Type.String({ minLength: 1 }))]),
      ),
    },
    { additionalProperties: false, description: 'Text by language; en is compulsory, the others fall back to it' },
  ),
);
export type Texts = { en: string } & Partial<Record<(typeof LANGUAGES)[number], string>>;

/**
 * Decimal amount as text, so that YAML never makes a float of money. How large it may be, and how many decimals its
 * currency has, is said by a check of its own: a pattern could only say that it is no amount.
 */
export const Amount = Type.String({
  pattern: '^\\d+(\\.\\d+)?$',
  title: 'decimal amount',
  description: 'Decimal amount in quotes, e.g. "4.99"',
  examples: ['4.99'],
});
/** @source specification section 3, "Coupon": discount_rate is the part of the price that is paid */
export const Rate = Type.String({
  pattern: '^0\\.\\d{1,6}$',
  title: 'part of the price that is paid, above 0 and below 1',
  examples: ['0.9'],
  description: 'Part of the price that is paid, in quotes: "0.9" is a tenth off',
});
/** With an offset as everywhere, or in the brand's time zone. */
export const LocalMoment = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}(?: \\d{2}:\\d{2}|T\\d{2}:\\d{2}(?::\\d{2})?(?:Z|[+-]\\d{2}:\\d{2}))?$',
  title: "moment with its offset from UTC, or of the brand's calendar",
  examples: ['2026-12-01 10:00'],
  description:
    "In the brand's time zone: 2026-12-01, or 2026-12-01 10:00; with an offset, the same for all brands: " +
    '2026-12-01T10:00:00+09:00',
});
/** A moment that is the same everywhere: a game is sold by brands of several time zones. */
export const Instant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?(Z|[+-]\\d{2}:\\d{2})$',
  title: 'moment with its offset from UTC',
  examples: ['2026-12-01T00:00:00Z'],
  description: 'With its offset from UTC: 2026-12-01T00:00:00Z, or 2026-12-01T09:00+09:00',
});
export const AssetName = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]*\\.(svg|png|webp|avif)$',
  title: 'file name of a picture (svg, png, webp or avif)',
  examples: ['logo.svg'],
  description: 'File name inside the assets folder',
});
/** A picture of which `refill apply` makes the sizes; a path, because a game has dozens. */
export const PictureName = Type.String({
  pattern: '^([a-z0-9][a-z0-9_-]*/)?[A-Za-z0-9][A-Za-z0-9_-]*\\.(svg|png|jpe?g|webp|avif)$',
  title: 'path of a picture (svg, png, jpg, webp or avif) inside the assets folder',
  examples: ['goods/ember_60.png'],
  description: 'Path inside the assets folder; apply makes the sizes',
});
/** The point of a picture that no crop loses. */
export const Focus = Type.String({
  pattern: '^(\\d{1,2}|100)% (\\d{1,2}|100)%$',
  title: 'place in a picture, across and down',
  examples: ['70% 40%'],
  description: 'The point that no crop loses, across and down, e.g. 70% 40%',
});
export const Id = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$',
  title: 'key of letters, digits, "_" and "-" (48 at most)',
  examples: ['ember_1280'],
});
export const ClientIdText = Type.String({
  pattern: '^\\d{3,12}$',
  title: 'client id of three to twelve digits',
  description: 'Client id, digits in quotes',
  examples: ['70011'],
});
export const HttpsUrl = Type.String({
  pattern: '^https://[^\\s]+$',
  maxLength: 400,
  title: 'address beginning with https://',
  examples: ['https://www.watt.example/terms'],
  description: 'Address beginning with https://',
});
export const HostName = Type.String({
  pattern: '^(?!-)[a-z0-9-]+(\\.[a-z0-9-]+)+$',
  maxLength: 253,
  title: 'lower-case host name without port',
  examples: ['pay.watt.example'],
  description: 'Lower-case host name without port',
});

export type RegionKey = Static<typeof RegionKey>;
