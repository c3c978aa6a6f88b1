// Prepaid cards of the publisher: what one is worth, and turning it into goods. Paying with
// one is the pay call card_pay.
import Type, { type Static } from 'typebox';
import { CardInfo } from './card-info.ts';
import { ClientId, Platform, Text, params } from './envelope.ts';
import { PayResult } from './payments.ts';
import { route } from './route.ts';

const cardKeys = { client_id: ClientId, card_info: CardInfo };

/**
 * What a card is worth: `price` as a player reads it ("$9.99"). `product_name` and `can_confirm` tell whether it can be
 * turned into goods by itself.
 * @source specification section 3, "Card check response"
 */
export const CardWorth = Type.Object({
  price: Type.String(),
  price_minor: Type.Integer(),
  currency: Type.String(),
  gems_number: Type.Integer(),
  extra_gems_number: Type.Integer(),
  product_name: Type.String(),
  can_confirm: Type.Boolean(),
  /** Epoch milliseconds. */
  valid_end_time: Type.Integer(),
});
export type CardWorth = Static<typeof CardWorth>;

export const giftCardRoutes = {
  check: route({
    path: '/api/pay/card_info',
    kind: 'post',
    summary: 'What a prepaid card is worth',
    access: 'player',
    input: params({ ...cardKeys, pay_id: Type.Optional(Text(64)) }),
    output: CardWorth,
  }),
  confirm: route({
    path: '/api/pay/card_confirm',
    kind: 'post',
    summary: 'Turn a prepaid card into its goods for a character',
    access: 'player',
    // @source specification section 7, "Card confirm"
    input: params({
      ...cardKeys,
      areaId: Type.Optional(Text(64)),
      server_id: Text(64),
      role_id: Type.String({ minLength: 1, maxLength: 64 }),
      platform: Type.Optional(Platform),
      domain_area: Type.Optional(Text(16)),
      country: Type.Optional(Text(8)),
      pay_id: Type.Optional(Text(64)),
    }),
    output: PayResult,
  }),
};
export type CardConfirmInput = Static<(typeof giftCardRoutes)['confirm']['input']>;
