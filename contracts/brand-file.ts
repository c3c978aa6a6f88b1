// The shape of brands/<key>/brand.yaml. The folder name is the brand's key.
import Type, { type Static, type TInteger, type TOptional } from 'typebox';
import { PromoCodeEntry } from './codes-file.ts';
import { CONFIRMATION_FORMS } from './confirmations.ts';
import {
  AssetName,
  ClientIdText,
  CountryKey,
  CurrencyKey,
  Focus,
  HostName,
  HttpsUrl,
  Id,
  LanguageKey,
  PictureName,
  RegionKey,
  Texts,
  mapOf,
  strict,
} from './files.ts';
import { AGE_CAP_NAMES } from '#kernel/age-caps.ts';
import { LOGIN_KINDS } from './logins.ts';
import { NOTICE_ITEMS, NOTICES, type Notice } from './notices.ts';
import { BRAND_RETENTION, type BrandRetentionName, RETENTION } from './retention.ts';
import { VipProgramme } from './vip-file.ts';

const Look = strict(
  {
    shift: Type.Number({ minimum: -180, maximum: 180, description: 'Hue distance in degrees of the second colour' }),
    tint: Type.Number({ minimum: 0, maximum: 2, description: 'How much of the brand colour the greys carry' }),
    round: Type.Number({ minimum: 0, maximum: 2, description: 'Corner multiplier' }),
    corner: Type.Enum(['round', 'bevel', 'scoop', 'squircle', 'notch']),
    dense: Type.Number({ minimum: 0.9, maximum: 1.15 }),
    voice: Type.Enum(['sans', 'serif', 'rounded'], { description: 'Display face' }),
    voiceWeight: Type.Integer({ minimum: 600, maximum: 900 }),
    voiceTrack: Type.Number({ minimum: -0.05, maximum: 0.05, description: 'Letter spacing of the display face in em' }),
    mode: Type.Enum(['auto', 'light', 'dark'], { description: 'auto follows the device' }),
    stage: Type.Enum(['poster', 'split', 'ladder', 'carousel'], {
      description: 'How the landing page is composed: where the key art, the special offer and the goods stand',
    }),
    card: Type.Enum(['tile', 'plate', 'ticket'], { description: 'What the card of a product is' }),
    coin: Type.Enum(['brilliant', 'shard', 'octagon', 'coin'], {
      description: 'Which coin the drawn goods show; a picture of the game goes before it',
    }),
  },
  'The dials that make a palette, a shape and a composition of one hex',
);

/** Channels are named by their ids in channels/channels.yaml, which stays as it is for all other brands. */
const BrandChannels = strict(
  {
    include: Type.Optional(
      Type.Array(Id, { minItems: 1, uniqueItems: true, description: 'Only these channels; left out: all' }),
    ),
    exclude: Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true, description: 'All but these' })),
    order: Type.Optional(
      Type.Array(Id, { minItems: 1, uniqueItems: true, description: 'These before all others, in this order' }),
    ),
  },
  'Payment channels of this brand, and which of them comes first',
);

/** All may be left out here: `plan` names the one that is missing. */
const noticeItems = (notice: Notice) =>
  strict(Object.fromEntries(NOTICE_ITEMS[notice].map((item) => [item, Type.Optional(Texts)])));

const Notices = Type.Array(Type.Enum([...NOTICES]), {
  uniqueItems: true,
  description: 'Legal notices shown in the footer; each opens a popup',
});

const Area = strict({
  links: Type.Optional(
    strict({
      privacy: Type.Optional(HttpsUrl),
      terms: Type.Optional(HttpsUrl),
      support: Type.Optional(HttpsUrl),
    }),
  ),
  notices: Type.Optional(Notices),
  supportHours: Type.Optional(Type.String({ maxLength: 60 })),
  confirmation: Type.Optional(
    Type.Enum([...CONFIRMATION_FORMS], {
      description:
        'What stands beside the button that pays, as a law wants it: product, price, seller and terms, in ' +
        'korea and eu ' +
        'with a consent to be ticked. Its version is kept with the order',
    }),
  ),
  ageCaps: Type.Optional(
    Type.Enum([...AGE_CAP_NAMES], {
      description: 'Monthly caps of minors: players say how old they are before their first order. japan: in yen alone',
    }),
  ),
});

const TaxIncluded = Type.Optional(
  Type.Boolean({
    description:
      'Prices are shown with tax: the page says so. Left out: it says nothing. A country goes before its region',
  }),
);

const RegionEntry = strict({
  currency: Type.Optional(CurrencyKey),
  pricesIncludeTax: TaxIncluded,
  /** Countries offered in the channel list, first is assumed; each may have a currency of its own. */
  countries: Type.Array(
    strict({ code: CountryKey, currency: Type.Optional(CurrencyKey), pricesIncludeTax: TaxIncluded }),
    { minItems: 1 },
  ),
});

export const BrandFile = strict({
  name: Type.String({ minLength: 1, maxLength: 60 }),
  title: Texts,
  theme: Type.String({
    pattern: '^#[0-9A-Fa-f]{6}$',
    title: 'six-digit hex colour',
    description: 'Theme colour, six hex digits',
    examples: ['#5B6CFF'],
  }),
  look: Look,
  version: Type.Enum(['new', 'classic'], {
    description:
      'Which storefront players see: goods, order and popups on one page, or four pages one after the other ' +
      '(game, character and goods, recharge, result)',
  }),
  isVip: Type.Boolean({ description: 'Whether players see and use VIP features: coupons, points, levels' }),
  vip: Type.Optional(VipProgramme),
  codes: Type.Optional(
    Type.Array(PromoCodeEntry, { minItems: 1, description: 'Promo codes, for everybody who knows them' }),
  ),
  hasStepBar: Type.Boolean({ description: 'Whether the classic version shows the bar of its four steps' }),
  hosts: strict({ live: Type.Array(HostName), demo: Type.Array(HostName) }),
  backupHosts: Type.Array(HostName),
  languages: Type.Array(LanguageKey, { minItems: 1, uniqueItems: true }),
  incompleteLanguages: Type.Optional(
    Type.Array(LanguageKey, {
      uniqueItems: true,
      description:
        'Languages offered although games, goods, channels or texts of the brand lack them; what is missing is ' +
        'shown in ' +
        "the other Chinese, else in the brand's first language, else in English",
    }),
  ),
  currency: CurrencyKey,
  money: Type.Optional(
    Type.Enum(['spec', 'local'], {
      default: 'spec',
      description:
        'How amounts are written, and the thousands of counts beside them. spec: symbol in front, two decimals, none for won. ' +
        "local: as the language of the page writes them, with the currency's own decimals",
    }),
  ),
  timeZone: Type.String({
    description:
      'IANA zone in which days, weeks and months of limits and events begin, e.g. Asia/Tokyo; ' +
      "with accounts: game those of limits, events and offers go by the game's",
  }),
  erasureDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 7,
      description: 'Days between the wish of a player to be erased and the erasing; a login until then takes it back',
    }),
  ),
  retention: Type.Optional(
    strict(
      Object.fromEntries(
        BRAND_RETENTION.map((name) => [
          name,
          Type.Optional(
            Type.Integer({ minimum: 1, default: RETENTION[name].days, description: `Days: ${RETENTION[name].about}` }),
          ),
        ]),
      ) as unknown as Record<BrandRetentionName, TOptional<TInteger>>,
      'For how many days data about persons is kept, within the bounds of docs/privacy.md; then it ends by itself',
    ),
  ),
  regions: mapOf(RegionKey, RegionEntry, 'Payment regions this brand sells in, in the order they are offered'),
  clientRegions: Type.Optional(
    Type.Record(ClientIdText, RegionKey, {
      additionalProperties: false,
      description: 'Payment region of a visitor who comes with this client id and names no region',
    }),
  ),
  channels: Type.Optional(BrandChannels),
  games: Type.Array(Id, { minItems: 1, uniqueItems: true }),
  accounts: Type.Enum(['builtin', 'game'], {
    description: 'Who knows the passwords: the shop itself or the game server',
  }),
  logins: strict({
    kinds: Type.Array(Type.Enum([...LOGIN_KINDS]), { uniqueItems: true }),
    googleClientId: Type.Optional(Type.String()),
    googlePackage: Type.Optional(Type.String()),
    iosBundle: Type.Optional(Type.String()),
    appleServicesId: Type.Optional(
      Type.String({ description: 'Services ID of Sign in with Apple on the web; not the bundle id' }),
    ),
    facebookAppId: Type.Optional(Type.String()),
    vkAppId: Type.Optional(Type.String()),
    loginClient: Type.Optional(Type.String()),
    twitterRedirect: Type.Optional(Type.String()),
    ownName: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'What players call the kind own: accounts of yours' }),
    ),
  }),
  art: strict({
    logo: AssetName,
    icon: AssetName,
    hero: Type.Optional(
      Type.Union([AssetName, PictureName], {
        title: 'file name of a picture (svg, png, jpg, webp or avif)',
        examples: ['hero.svg'],
        description: "Instead of the game's key art; an SVG takes the brand's own colours",
      }),
    ),
    heroFocus: Type.Optional(Focus),
  }),
  hero: strict({ title: Texts, text: Texts, chip: Type.Optional(Texts) }),
  links: strict({
    privacy: HttpsUrl,
    terms: HttpsUrl,
    support: Type.Optional(HttpsUrl),
    accountHelp: Type.Optional(
      Type.Unsafe<string>({
        ...HttpsUrl,
        description:
          'Where players find their account or set a new password, shown on the login; a game may name its own',
      }),
    ),
  }),
  notices: Notices,
  areas: Type.Optional(
    mapOf(
      RegionKey,
      Area,
      'Links, notices and hours of service of one payment region, where they differ from the rest',
    ),
  ),
  noticeItems: Type.Optional(
    strict(
      {
        trade: Type.Optional(noticeItems('trade')),
        topup: Type.Optional(noticeItems('topup')),
        inquiry: Type.Optional(noticeItems('inquiry')),
      },
      'What each notice says, item by item, in plain text; every item of a notice that a footer shows is compulsory',
    ),
  ),
  copyright: Type.String({ minLength: 1, maxLength: 200 }),
  koreanBusiness: Type.Optional(
    strict({
      company: Type.String(),
      representative: Type.String(),
      registration: Type.String(),
      mailOrder: Type.String(),
      address: Type.String(),
      phone: Type.String(),
      email: Type.String(),
    }),
  ),
  supportHours: Type.Optional(
    Type.String({ maxLength: 60, description: 'When customer service answers, e.g. "10:00-13:00, 14:30-19:00"' }),
  ),
  banner: Type.Optional(mapOf(LanguageKey, Type.Array(AssetName), 'Pictures of the forced banner by language')),
  walletSpends: Type.Optional(
    Type.Enum(['free_first', 'paid_first'], {
      description: 'Which part of a stored balance an order takes first; left out: what was given for free',
    }),
  ),
  realName: Type.Optional(
    Type.Enum(['game', 'operator'], {
      description:
        'Who checks the real name of players before they can pay: the game by its contract, or the operator by ' +
        'REFILL_REALNAME_<DEMO|LIVE>_URL; left out: nobody',
    }),
  ),
  tracking: Type.Optional(
    strict(
      {
        appId: Type.String({ minLength: 1, maxLength: 64, description: 'Names this shop to whoever measures' }),
        eventId: Type.String({ minLength: 1, maxLength: 64, description: 'Names the stream of events' }),
        collection: Type.Optional(
          strict(
            { live: Type.Optional(HostName), demo: Type.Optional(HostName) },
            'Host that pages tell instead of the shop itself, https alone; left out: the shop keeps the events',
          ),
        ),
      },
      'What pages tell about visits; left out: nothing',
    ),
  ),
  needsTrackingConsent: Type.Boolean({
    description: 'Nothing about a visit is kept or told before the visitor has agreed',
  }),
  legacyGet: Type.Boolean(),
  legacyQueryToken: Type.Boolean(),
  embedParents: Type.Array(HttpsUrl),
});
export type BrandFile = Static<typeof BrandFile>;
