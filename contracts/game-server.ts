// The game server contract, version 1, as shapes: what the shop asks a game's server and what counts as an answer. The
// shop's client reads and writes by these, and docs/game-server-openapi.json is made of them. Words:
// docs/game-server-contract.md.
import Type, { type Static, type TSchema } from 'typebox';

// Our choice of limits: far above any game we know, far below what would hurt the page that shows it.
export const GameSideId = Type.String({ minLength: 1, maxLength: 128 });
const Id = GameSideId;
const OptionalId = Type.Optional(Type.String({ maxLength: 128 }));
const Name = Type.String({ maxLength: 1000 });
const Ok = { status: Type.Literal('ok') };

const BillingNo = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: "The shop's order number; that of an event's reward begins with RW-",
});
const ClientId = Type.String({ minLength: 1, description: 'The client of the game, as agreed with the operator' });
const UserId = Type.String({ minLength: 1, description: "The game's stable id of the player's account" });
const ProductId = Type.String({ minLength: 1, description: 'The good, or the step of an event, as agreed' });
const UnixSeconds = Type.Integer({ minimum: 0, description: 'Seconds since 1970-01-01 UTC' });
const Filter = Type.Optional(Id);

const recipient = {
  client_id: ClientId,
  user_id: UserId,
  server_id: Id,
  area_id: Type.Optional(Type.String({ minLength: 1, description: 'Only in games with areas' })),
  role_id: Id,
};
/** @source decision 61: a sealed order is some 600 to 1,200 characters */
export const MAX_RECOVERY = 4000;
const Recovery = Type.Optional(
  Type.String({
    maxLength: MAX_RECOVERY,
    description: 'Sealed facts for the shop: store the text as it is and give it back in `applied`',
  }),
);
/** Anything else than a text of ours is as good as none: a shop must be able to compare all the same. */
const GivenBack = Type.Optional(Type.Unknown({ description: 'The `recovery` of the call, as it came' }));
const Account = Type.Object({ ...Ok, user_id: Id, username: Name });
const Receipt = Type.Object({
  ...Ok,
  receipt_id: Type.String({
    minLength: 1,
    maxLength: 128,
    description: "The game's proof, which support people on both sides quote",
  }),
});

/** A decision: certainly not done. */
export const GameDeclined = Type.Object({
  status: Type.Literal('declined'),
  reason: Type.Optional(Type.String({ description: 'A short lower-case word with underscores' })),
  message: Type.Optional(Type.Unknown({ description: "English, for the operator's log, never shown to players" })),
});

type GameVerb = {
  readonly summary: string;
  readonly isRequired: boolean;
  /** The idempotency key that `webhook-id` carries; left out where it is a random id. */
  readonly key?: string;
  readonly request: TSchema;
  readonly ok: TSchema;
  /** Known reasons to decline; a game may add its own. */
  readonly reasons: readonly string[];
};

/** Each is `POST <base>/<name>`, and a section of the document. */
export const gameVerbs = {
  authenticate: {
    summary: "A player signs in with the game's own account",
    isRequired: false,
    request: Type.Object({ client_id: ClientId, username: Type.String(), password: Type.String() }),
    ok: Account,
    reasons: ['wrong_credentials', 'disabled'],
  },
  identify: {
    summary: 'A player has signed in with another company, which vouches for the subject',
    isRequired: false,
    request: Type.Object({
      client_id: ClientId,
      provider: Type.String({ examples: ['google', 'apple', 'facebook', 'twitter', 'vk', 'huawei'] }),
      subject: Type.String(),
    }),
    ok: Account,
    reasons: ['unknown_identity', 'disabled'],
  },
  servers: {
    summary: 'Areas and servers of the game',
    isRequired: true,
    request: Type.Object({ client_id: ClientId, area_id: Filter }),
    ok: Type.Object({
      ...Ok,
      areas: Type.Array(Type.Object({ id: Id, name: Name }), { maxItems: 500 }),
      servers: Type.Array(Type.Object({ id: Id, name: Name, area_id: OptionalId, open: Type.Boolean() }), {
        maxItems: 5000,
      }),
    }),
    reasons: [],
  },
  roles: {
    summary: "A player's characters",
    isRequired: true,
    request: Type.Object({ client_id: ClientId, user_id: UserId, server_id: Filter, area_id: Filter }),
    ok: Type.Object({
      ...Ok,
      roles: Type.Array(
        Type.Object({ id: Id, name: Name, level: Type.Integer({ minimum: 0 }), server_id: Id, area_id: OptionalId }),
        { maxItems: 500 },
      ),
    }),
    reasons: [],
  },
  check: {
    summary: 'May this character receive this product now? Changes nothing',
    isRequired: true,
    request: Type.Object({ billing_no: Type.Optional(BillingNo), ...recipient, product_id: ProductId }),
    ok: Type.Object(Ok),
    reasons: [
      'role_not_found',
      'product_not_allowed',
      'limit_reached',
      'level_too_low',
      'bag_full',
      'already_owned',
      'blocked',
      'server_closed',
    ],
  },
  grant: {
    summary: 'The money is taken: deliver, once for one key',
    isRequired: true,
    key: 'Equals `billing_no`',
    request: Type.Object({
      billing_no: BillingNo,
      ...recipient,
      product_id: ProductId,
      quantity: Type.Integer({ minimum: 1 }),
      gifts: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), count: Type.Integer({ minimum: 1 }) }), {
        description: 'Bonuses on top of the product; all that a reward gives',
      }),
      paid: Type.Optional(
        Type.Object(
          { amount: Type.String({ description: 'Decimal text' }), currency: Type.String() },
          { description: 'For the books, never to compute goods from; absent for goods that nobody paid for' },
        ),
      ),
      sandbox: Type.Boolean({ description: 'No real money was paid: a production server declines it' }),
      recovery: Recovery,
    }),
    ok: Receipt,
    reasons: ['sandbox_refused'],
  },
  revoke: {
    summary: 'The payment was returned: take back what can be taken back',
    isRequired: false,
    key: '`<billing_no>-revoke`',
    request: Type.Object({
      billing_no: BillingNo,
      reason: Type.String({ description: '`refund`, `chargeback` or `operator`', examples: ['chargeback'] }),
      replenish_id: Type.Optional(
        Type.String({ description: 'The money of this make-up payment went back: block the account again' }),
      ),
    }),
    ok: Receipt,
    reasons: ['not_granted', 'not_unblocked'],
  },
  applied: {
    summary: 'Which grants were carried out? Changes nothing',
    isRequired: false,
    request: Type.Object({
      since: UnixSeconds,
      cursor: Type.Optional(Type.String({ description: '`next` of the answer before' })),
    }),
    ok: Type.Object({
      ...Ok,
      applied: Type.Array(
        Type.Object({ billing_no: Id, receipt_id: Type.Optional(Type.Unknown()), recovery: GivenBack }),
        { maxItems: 1000 },
      ),
      unblocked: Type.Optional(
        Type.Array(Type.Object({ billing_no: Id, recovery: GivenBack }), {
          maxItems: 1000,
          description: 'The unblocks of this time that came with a `recovery`',
        }),
      ),
      next: Type.Optional(Type.String({ maxLength: 500, description: 'Left out when there are no more' })),
    }),
    reasons: [],
  },
  unblock: {
    summary: 'A player who was blocked after a chargeback has paid the make-up amount',
    isRequired: false,
    key: '`<replenish_id>-unblock`',
    request: Type.Object({
      user_id: UserId,
      client_id: ClientId,
      replenish_id: Type.String(),
      billing_no: BillingNo,
      recovery: Recovery,
    }),
    ok: Type.Object(Ok),
    reasons: [],
  },
  'real-name': {
    summary: 'Whether the player was verified, and where that can be done',
    isRequired: false,
    request: Type.Object({ user_id: UserId, client_id: ClientId, return_url: Type.String() }),
    ok: Type.Object({
      ...Ok,
      verified: Type.Boolean(),
      url: Type.Optional(Type.String({ maxLength: 2000, description: 'Required while `verified` is false' })),
    }),
    reasons: ['underage'],
  },
} as const satisfies Record<string, GameVerb>;

export type GameVerbName = keyof typeof gameVerbs;
export type GameVerbRequest<Name extends GameVerbName> = Static<(typeof gameVerbs)[Name]['request']>;
