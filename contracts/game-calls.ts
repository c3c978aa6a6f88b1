// Calls of a game's server to the shop, as shapes: tickets, personal offers, make-up payments. The shop's handlers read
// and answer by these, and docs/game-server-openapi.json is made of them. Words: docs/game-server-contract.md.
import Type, { type Static, type TSchema } from 'typebox';
import { Text } from './envelope.ts';
import { Texts } from './files.ts';
import { GameSideId } from './game-server.ts';

const who = {
  to: Type.String({ minLength: 1, maxLength: 600, description: 'Host name and path that are called' }),
  user_id: GameSideId,
  username: Type.String({ minLength: 1, maxLength: 100 }),
};

export const TicketCall = Type.Object({
  ...who,
  server_id: Type.Optional(GameSideId),
  area_id: Type.Optional(GameSideId),
  role_id: Type.Optional(GameSideId),
  kind: Type.Optional(Type.Enum(['ticket', 'token', 'code'])),
});
export type TicketCall = Static<typeof TicketCall>;

const loginLink = {
  status: Type.Literal('ok'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  url: Type.String(),
};
export const TicketAnswer = Type.Union([
  Type.Object({ ...loginLink, ticket: Type.String() }),
  Type.Object({ ...loginLink, code: Type.String({ description: 'For another device' }) }),
  Type.Object({ ...loginLink, oauth_token: Type.String({ description: 'A session: treat it like a password' }) }),
]);
export type TicketAnswer = Static<typeof TicketAnswer>;

export const OfferCall = Type.Object({
  ...who,
  offer_id: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
    description: "The game's own, once for a player: the idempotency key",
  }),
  product_id: GameSideId,
  prices: Type.Record(Type.String(), Type.String({ maxLength: 16 }), {
    minProperties: 1,
    maxProperties: 40,
    description: 'Decimal text by currency',
  }),
  until: Type.Integer({ minimum: 1, description: 'Seconds since 1970-01-01 UTC' }),
  name: Type.Optional(Texts),
});
export type OfferCall = Static<typeof OfferCall>;

export const OfferAnswer = Type.Object({ status: Type.Literal('ok'), offer: Type.String(), is_new: Type.Boolean() });
export type OfferAnswer = Static<typeof OfferAnswer>;

export const ReplenishCall = Type.Object({
  ...who,
  amount: Type.String({ minLength: 1, maxLength: 20, description: 'Decimal text' }),
  currency: Type.String({ minLength: 3, maxLength: 3 }),
  reference: Type.String({ minLength: 1, maxLength: 100, description: "The game's number of the case" }),
  valid_time: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 30 * 86_400, description: 'Seconds that the link is good for' }),
  ),
  reason: Type.Optional(Text(200)),
});
export type ReplenishCall = Static<typeof ReplenishCall>;

export const ReplenishAnswer = Type.Object({
  status: Type.Literal('ok'),
  replenish_id: Type.String(),
  url: Type.String(),
  valid_time: Type.Integer({ description: 'Seconds that are left' }),
});
export type ReplenishAnswer = Static<typeof ReplenishAnswer>;

/** A decision of the shop: nothing was made. */
export const CallDeclined = Type.Object({ status: Type.Literal('declined'), reason: Type.String() });
/** A call that was not taken: 400, 401, 409. */
export const CallRefused = Type.Object({ status: Type.Literal('error'), reason: Type.String() });

type GameCall = {
  readonly summary: string;
  /** Heading of the document. */
  readonly section: string;
  readonly request: TSchema;
  readonly ok: TSchema;
  readonly reasons: readonly string[];
  /** When it is answered 409. */
  readonly conflict: string;
};

/** By path, behind which `/<client_id>` follows. */
export const gameCalls = {
  '/service/tickets': {
    summary: 'A way into the shop for one of the players, without a password',
    section: 'Tickets',
    request: TicketCall,
    ok: TicketAnswer,
    reasons: ['unknown_user', 'token_not_allowed', 'code_not_allowed'],
    conflict: 'This `webhook-id` was used before',
  },
  '/api/ingame/offers': {
    summary: 'Gives one player a product at a price of their own',
    section: 'Personal offers',
    request: OfferCall,
    ok: OfferAnswer,
    reasons: ['unknown_product', 'bad_price', 'over', 'too_long', 'unknown_user'],
    conflict: 'This `offer_id` was given with another product, price, end or name',
  },
  '/service/replenish': {
    summary: 'Opens a make-up payment for a blocked player',
    section: 'Make-up payments',
    request: ReplenishCall,
    ok: ReplenishAnswer,
    reasons: ['unknown_user'],
    conflict: 'This `reference` was used with another account, amount or currency',
  },
} as const satisfies Record<string, GameCall>;
