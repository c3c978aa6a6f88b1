// The player's stored balance, and the call by which an operator's system adds to one.
import Type, { type Static } from 'typebox';
import { params } from './envelope.ts';
import { route } from './route.ts';

/** The balance in one currency. `free` was a present, `paid` was paid for; amounts in minor units of `currency`. */
export const Balance = Type.Object({
  currency: Type.String(),
  paid_minor: Type.Integer(),
  free_minor: Type.Integer(),
  total_minor: Type.Integer(),
  /** Both together, as a player reads it. */
  total_shown: Type.String(),
});
export type Balance = Static<typeof Balance>;

export const walletRoutes = {
  balance: route({
    path: '/api/pay/balance',
    kind: 'read',
    summary: "The player's balances by currency; empty when there never was one",
    access: 'player',
    input: params({}),
    output: Type.Object({ list: Type.Array(Balance) }),
  }),
};

/**
 * Body of POST /internal/wallet/credit. The player of the host's brand is named by exactly one of:
 * `user_id` in the game, `login` of
 * an account that the shop keeps itself, `player_id` of ours. A shown name is none of them: players choose those.
 * Repeatable by `external_id`: the first answer comes again, and another content under it is refused.
 */
export const CreditInput = Type.Object({
  external_id: Type.String({ minLength: 1, maxLength: 100 }),
  user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  login: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  player_id: Type.Optional(Type.String({ minLength: 36, maxLength: 36 })),
  currency: Type.String({ minLength: 3, maxLength: 3 }),
  amount_minor: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  kind: Type.Enum(['paid', 'free']),
  reason: Type.String({ minLength: 1, maxLength: 200 }),
});
export type CreditInput = Static<typeof CreditInput>;

/** `balance_minor`: of that kind, after this credit. */
export type CreditAnswer = { readonly txn_id: string; readonly balance_minor: number };
