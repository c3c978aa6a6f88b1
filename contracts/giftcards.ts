// Prepaid cards of the publisher: what one is worth, and turning it into goods. Paying with
// one is the pay call card_pay.
import Type, { type Static } from 'typebox';
import { CardInfo } from './card-info.ts';
import { ClientId, Platform, Text, params } from './envelope.ts';
import { PayResult } from './payments.ts';
import { Picture } from './pictures.ts';
import { route } from './route.ts';

const cardKeys = { client_id: ClientId, card_info: CardInfo };

/**
 * The value of a card: `price` as a player reads it ("$9.99"). `product_name` and `can_confirm` tell whether it can be
 * turned into goods by itself.
 * @source specification section 3, "Card check response"
 */
export const CardWorth = Type.Object({
  price: Type.String(),
  price_minor: Type.Integer(),
  currency: Type.String(),
  gems_number: Type.Integer(),
  /** More of them that the product brings by itself. */
  bonus_gems_number: Type.Integer(),
  extra_gems_number: Type.Integer(),
  /** All that comes on top of the product ("+60 Bonus crystals and +68 extra from the gift card"); empty for nothing. */
  gifts_shown: Type.String(),
  product_name: Type.String(),
  can_confirm: Type.Boolean(),
  /** Epoch milliseconds. */
  valid_end_time: Type.Integer(),
  /**
   * Lists the goods that the card covers here when it is money, the dearest first. `rest_shown` is what goes to the
   * balance; empty where nothing is left over. Prices are those of the shop, open offers among them.
   */
  buys: Type.Array(
    Type.Object({
      product_id: Type.String(),
      product_name: Type.String(),
      /** The bonus that comes with it ("+20 Bonus crystals"), or the parts of a bundle; empty for none. */
      content_shown: Type.String(),
      price_shown: Type.String(),
      price_minor: Type.Integer(),
      /** Price before the offer or reduction; empty where there is none. */
      was_shown: Type.String(),
      rest_shown: Type.String(),
      /** The pay call sends this as `offer_code`; empty where the price is no offer's. */
      offer_code: Type.String(),
      /** The card cannot pay by the offer, whose price is shown: the goods are bought in the shop. */
      is_in_shop: Type.Boolean(),
      art: Type.String(),
      picture: Type.Optional(Picture),
    }),
  ),
});
export type CardWorth = Static<typeof CardWorth>;

/** A card that the player has spent. Of its number only the end is told. */
export const SpentCard = Type.Object({
  billing_no: Type.String(),
  card_end: Type.String(),
  worth_shown: Type.String(),
  product_name: Type.String(),
  role_name: Type.String(),
  extra_gems_number: Type.Integer(),
  /** The amount that went to the balance; empty for none. */
  rest_shown: Type.String(),
  /** Epoch milliseconds. */
  spent_at: Type.Integer(),
});
export type SpentCard = Static<typeof SpentCard>;

export const giftCardRoutes = {
  check: route({
    path: '/api/pay/card_info',
    kind: 'post',
    summary: 'What a prepaid card is worth',
    access: 'player',
    isAtBackupHost: true,
    input: params({
      ...cardKeys,
      pay_id: Type.Optional(Text(64)),
      domain_area: Type.Optional(Text(16)),
      country: Type.Optional(Text(8)),
      /** The character: decides only about an offer that an unpaid order holds. */
      server_id: Type.Optional(Text(64)),
      areaId: Type.Optional(Text(64)),
      role_id: Type.Optional(Text(64)),
    }),
    output: CardWorth,
  }),
  history: route({
    path: '/api/giftcards/history',
    kind: 'read',
    summary: "The player's spent prepaid cards, the latest first",
    access: 'player',
    input: params({}),
    output: Type.Object({ list: Type.Array(SpentCard) }),
  }),
  confirm: route({
    path: '/api/pay/card_confirm',
    kind: 'post',
    summary: 'Turn a prepaid card into its goods for a character',
    access: 'player',
    isAtBackupHost: true,
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
