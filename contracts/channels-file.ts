// The shape of channels/channels.yaml: what a player may choose (methods), and by which provider
// account it is paid (channels).
import Type, { type Static } from 'typebox';
import { Amount, AssetName, CountryKey, CurrencyKey, Id, RegionKey, Texts, mapOf, strict } from './files.ts';

/**
 * min or max at or below zero, or left out, means no bound on that side. @source
 * specification section 5, "Price filter"
 */
const Bounds = mapOf(CurrencyKey, strict({ min: Type.Optional(Amount), max: Type.Optional(Amount) }));

/** Kinds of methods that every language has its own word for: `method.<kind>` of messages/. */
const METHOD_LABELS = [
  'card',
  'bank_transfer',
  'e_wallet',
  'store',
  'phone_bill',
  'prepaid_card',
  'balance',
  'other',
] as const;

/**
 * A method may warn of these in advance, where that changes something for the player: `method.hint_<hint>` of
 * messages/.
 */
export const METHOD_HINTS = [
  'app',
  'bank_app',
  'scan',
  'cash',
  'slip',
  'tomorrow',
  'next_page',
  'exact_value',
  'phone_bill',
  'phone',
  'typed',
  'points',
] as const;
export type MethodHint = (typeof METHOD_HINTS)[number];

const Hint = Type.Enum([...METHOD_HINTS], {
  description: 'A sentence of messages/ in every language, where it changes something for the player',
});

/** A method is what a player chooses once, whoever moves the money. Its name is `label` or `name`, one of the two. */
export const MethodEntry = strict({
  key: Id,
  label: Type.Optional(
    Type.Enum([...METHOD_LABELS], { description: 'A kind that every language names in its own word' }),
  ),
  name: Type.Optional(Texts),
  mark: AssetName,
  networks: Type.Optional(
    Type.Array(AssetName, { minItems: 1, uniqueItems: true, description: 'Smaller marks beside the name' }),
  ),
  countries: Type.Optional(
    Type.Array(CountryKey, {
      minItems: 1,
      uniqueItems: true,
      description: 'Where it is usual, GLOBAL for everywhere; elsewhere it waits under "More ways"',
    }),
  ),
  device: Type.Optional(
    Type.Enum(['applePay', 'googlePay'], { description: 'Offered only where the device can pay by it' }),
  ),
  hint: Type.Optional(Hint),
});
export type MethodEntry = Static<typeof MethodEntry>;

const shared = {
  channelId: Type.String({ maxLength: 32, description: "The provider's own method, empty for its default page" }),
  method: Type.Optional(Id),
  name: Type.Optional(Texts),
  icon: Type.Optional(AssetName),
  sort: Type.Integer(),
  bounds: Type.Optional(Bounds),
  hint: Type.Optional(Hint),
  openCoupon: Type.Boolean(),
};

export const ChannelEntry = strict({
  ...shared,
  id: Id,
  payway: Type.String({
    pattern: '^\\d{5}$',
    title: 'channel id of five digits',
    examples: ['10201'],
    description: 'Payment channel id of the specification, e.g. "10201"',
  }),
  provider: Id,
  payPath: Type.String({
    pattern: '^[a-zA-Z_]+(/[a-zA-Z_]+)?$',
    title: 'name of a pay call',
    examples: ['paypal_pay'],
    description: 'Name of the pay call under /api/pay/, or kr_pay/ and the name of a Korean one',
  }),
  regions: Type.Array(RegionKey, { minItems: 1, uniqueItems: true }),
  countries: Type.Array(CountryKey, { minItems: 1, uniqueItems: true, description: 'GLOBAL: every country' }),
  currencies: Type.Array(CurrencyKey, { minItems: 1, uniqueItems: true }),
  iosOnly: Type.Optional(Type.Boolean()),
  brands: Type.Optional(Type.Array(Id, { minItems: 1, description: 'Only these brands; left out: all' })),
  sub: Type.Optional(
    Type.Array(strict(shared), {
      description:
        'Ways inside the channel: under their own method, or in a second choice under the method of the channel',
    }),
  ),
});
export type ChannelEntry = Static<typeof ChannelEntry>;

export const ChannelsFile = strict({
  methods: Type.Optional(Type.Array(MethodEntry)),
  channels: Type.Array(ChannelEntry, { minItems: 1 }),
});
export type ChannelsFile = Static<typeof ChannelsFile>;
