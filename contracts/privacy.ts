// My data: what the shop holds about a player, to be downloaded, and the wish to be erased.
import Type, { type Static } from 'typebox';
import { NoContent, Text, params } from './envelope.ts';
import { route } from './route.ts';

/** Why somebody cannot be erased yet; server/modules/privacy/sql/erasure_refusals.sql says what each means. */
const ERASURE_REFUSALS = [
  'open_order',
  'money_under_way',
  'goods_under_way',
  'review',
  'refund_due',
  'dispute',
  'makeup_open',
  'balance',
] as const;

/**
 * Our choice: less than the half hour that other changes of the account have, for this one cannot be taken back.
 * @source OWASP ASVS 5.0, 7.5.1 and 7.5.3
 */
export const FRESH_MINUTES = 10;

/** "ER-" and 26 letters: who has it may ask what came of a wish, also when the account is gone. */
const ErasureNo = Type.String({ pattern: '^ER-[0-9A-HJKMNP-TV-Z]{26}$' });

/** A wish to be erased. Times are epoch milliseconds. */
const ErasureState = Type.Object({
  erasure_no: Type.String(),
  /** withdrawn: taken back, by the player or by a login to the shop. */
  state: Type.Enum(['waiting', 'done', 'withdrawn']),
  asked_at: Type.Integer(),
  /** Until then it can be taken back. */
  due_at: Type.Integer(),
  /** 0 while it waits. */
  ended_at: Type.Integer(),
  /** Lists the reasons that stood against erasing when its time had come. */
  refusals: Type.Array(Type.Enum([...ERASURE_REFUSALS])),
});
export type ErasureState = Static<typeof ErasureState>;

const PrivacyState = Type.Object({
  /** False in a session that may only look: opened by a card, by a game, or for a make-up payment. */
  can_act: Type.Boolean(),
  /** False: the login is too old, and a new one is asked for first. */
  is_fresh: Type.Boolean(),
  /** Days between the wish and the erasing. */
  wait_days: Type.Integer(),
  /** Lists the balances that would be given up, shown: "$12.00". */
  balances: Type.Array(Type.String()),
  /** Lists the reasons that stand against erasing now, besides a balance. */
  refusals: Type.Array(Type.Object({ reason: Type.Enum([...ERASURE_REFUSALS]), about: Type.String() })),
  /** The newest wish. */
  erasure: Type.Union([ErasureState, Type.Null()]),
});
export type PrivacyState = Static<typeof PrivacyState>;

export const privacyRoutes = {
  state: route({
    path: '/api/privacy/state',
    kind: 'read',
    summary: 'What a player may do about their data now: download it, ask to be erased, take that back',
    access: 'player',
    isAtBackupHost: false,
    input: params({}),
    output: PrivacyState,
  }),
  /** Streamed; the content is the document that server/modules/privacy/export-person.ts describes. */
  export: route({
    path: '/api/privacy/export',
    kind: 'post',
    summary:
      'Everything that the shop holds about the player, as one document; asks for a login of the last ten minutes',
    access: 'player',
    input: params({}),
    output: Type.Object({}, { additionalProperties: true }),
  }),
  erase: route({
    path: '/api/privacy/erase',
    kind: 'post',
    summary:
      'Ask to be erased; the name is typed once more. Asks for a login of the last ten minutes, ends all other ' +
      'sessions, and is carried out after the waiting period of the brand',
    access: 'player',
    input: params({
      /** The shown name, as the player typed it. */
      name: Text(400),
      /** 1: what is in the balance is given up. */
      gives_up_balance: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
    }),
    output: ErasureState,
  }),
  keep: route({
    path: '/api/privacy/keep',
    kind: 'post',
    summary: 'Take the wish to be erased back; none is no fault',
    access: 'player',
    input: params({}),
    output: NoContent,
  }),
  erasure: route({
    path: '/api/privacy/erasure',
    kind: 'read',
    summary: 'What came of a wish to be erased, by its number, also without an account',
    access: 'anyone',
    input: params({ erasure_no: ErasureNo }),
    output: ErasureState,
  }),
};
