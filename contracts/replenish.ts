// Make-up payments: what a player pays so that the game unblocks the account after a chargeback. Paid by the pay calls.
import Type, { type Static } from 'typebox';
import { ClientId, Platform, Text, params } from './envelope.ts';
import { GameListItem } from './games.ts';
import { ReviewKind } from './orders.ts';
import { route } from './route.ts';

/**
 * The state of a make-up payment. `open`: to be paid. `paying`: an order of it is unpaid. `paid`: the game is being
 * asked to unblock. `unblocked`, `returned` (the money went back), `expired`, `closed` (by customer service), `none`:
 * nothing is open.
 */
const REPLENISH_STATES = ['open', 'paying', 'paid', 'unblocked', 'returned', 'expired', 'closed', 'none'] as const;

/**
 * `valid_time`: seconds that the link is still good for, 0 when it is over. To another account only the game and whose
 * account it is are told, the name masked: `is_own` is false and everything else empty.
 * @source specification section 3, "Replenish info"
 */
const infoKeys = {
  replenish_id: Type.String(),
  client_id: Type.String(),
  game_name: Type.String(),
  user_name: Type.String(),
  /** Decimal text in `currency_code`. */
  amount: Type.String(),
  currency_code: Type.String(),
  valid_time: Type.Integer(),
  amount_shown: Type.String(),
  amount_minor: Type.Integer(),
  is_own: Type.Boolean(),
  state: Type.Enum([...REPLENISH_STATES]),
  /** Of the order that pays it; empty while there is none. */
  billing_no: Type.String(),
  /** Epoch milliseconds, 0 while it has not happened. */
  paid_at: Type.Integer(),
  unblocked_at: Type.Integer(),
  /** Only while its order is in review: `paid` alone would say too much then. */
  review_kind: Type.Optional(ReviewKind),
};
const ReplenishItem = Type.Object(infoKeys);
export type ReplenishItem = Static<typeof ReplenishItem>;

/** `list`: everything of the account in this game that can be paid now. */
export const ReplenishInfo = Type.Object({ ...infoKeys, list: Type.Array(ReplenishItem) });
export type ReplenishInfo = Static<typeof ReplenishInfo>;

/** Which one is meant: by its number, or the newest of the account in a game. @source specification section 2 */
const linkKeys = { replenish_id: Type.Optional(Text(64)), rp_client_id: Type.Optional(ClientId) };

export const replenishRoutes = {
  gameList: route({
    path: '/api/replenishment/getGameList',
    kind: 'read',
    summary: 'The game of a make-up payment: what its in-game login is for',
    access: 'anyone',
    input: params({ ...linkKeys, platform: Type.Optional(Platform) }),
    output: Type.Object({ list: Type.Array(GameListItem) }),
  }),
  info: route({
    path: '/api/replenishment/replenishment_info',
    kind: 'read',
    summary: 'A make-up payment of the account that is logged in',
    access: 'player',
    input: params(linkKeys),
    output: ReplenishInfo,
  }),
  countries: route({
    path: '/api/pay/replenishmentCountryList',
    kind: 'read',
    summary: 'Countries where the currency of a make-up payment is charged',
    access: 'player',
    input: params({ replenish_id: Text(64) }),
    output: Type.Object({
      country: Type.String(),
      list: Type.Array(Type.Object({ display: Type.String(), value: Type.String(), domain_area: Type.String() })),
    }),
  }),
};
