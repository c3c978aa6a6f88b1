// The shape of channels/channels.yaml: payment channels by region, their bounds and sub-payments.
import Type, { type Static } from 'typebox';
import { Amount, AssetName, CountryKey, CurrencyKey, Id, RegionKey, Texts, mapOf, strict } from './files.ts';

/** min or max at or below zero, or left out, means no bound on that side. @source specification section 5, "Price filter" */
const Bounds = mapOf(CurrencyKey, strict({ min: Type.Optional(Amount), max: Type.Optional(Amount) }));

const shared = {
  channelId: Type.String({ maxLength: 32, description: "The provider's own method, empty for its default page" }),
  name: Texts,
  icon: Type.Optional(AssetName),
  sort: Type.Integer(),
  bounds: Type.Optional(Bounds),
  hint: Type.Optional(Texts),
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
  sub: Type.Optional(Type.Array(strict(shared))),
});
export type ChannelEntry = Static<typeof ChannelEntry>;

export const ChannelsFile = strict({ channels: Type.Array(ChannelEntry, { minItems: 1 }) });
export type ChannelsFile = Static<typeof ChannelsFile>;
