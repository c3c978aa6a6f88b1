// Declares the limits on a player's spending: the caps of their age, and those that they set themselves (decisions 41
// and 42).
import Type, { type Static } from 'typebox';
import { Text, params } from './envelope.ts';
import { route } from './route.ts';

export const SPENDING_PERIODS = ['day', 'week', 'month'] as const;
const SpendingPeriod = Type.Enum([...SPENDING_PERIODS]);
export type SpendingPeriod = Static<typeof SpendingPeriod>;

/** Days that a pause may last. Our choice: a night over it, a week, a month. */
export const PAUSE_DAYS = [1, 7, 30] as const;

/** A cap that counts now; `left` is what an order may cost. Times are epoch milliseconds. */
const SpendingLimit = Type.Object({
  /** age: by the rules of the area; the others are the player's own. */
  kind: Type.Enum(['age', ...SPENDING_PERIODS]),
  cap_shown: Type.String(),
  left_minor: Type.Integer(),
  left_shown: Type.String(),
  /** When it begins anew. */
  ends_at: Type.Integer(),
});

/** A cap that the player has set; empty texts: no cap. */
const OwnCap = Type.Object({
  period: SpendingPeriod,
  /** A decimal text, for the field. */
  cap: Type.String(),
  cap_shown: Type.String(),
  /** Of a higher cap that waits: when it comes, 0 for none; an empty text with it: no cap from then on. */
  next_at: Type.Integer(),
  next_shown: Type.String(),
});
export type OwnCap = Static<typeof OwnCap>;

const SpendingState = Type.Object({
  currency: Type.String(),
  /** An order would be refused until the player has said how old they are. */
  needs_age: Type.Boolean(),
  /** Caps of minors in this area, from the youngest; empty where there are none. */
  age_tiers: Type.Array(Type.Object({ under: Type.Integer(), cap_shown: Type.String() })),
  limits: Type.Array(SpendingLimit),
  caps: Type.Array(OwnCap),
  /** 0: purchases are not paused. */
  paused_until: Type.Integer(),
});
export type SpendingState = Static<typeof SpendingState>;

const placeKeys = { domain_area: Type.Optional(Text(16)), country: Type.Optional(Text(8)) };

export const spendingRoutes = {
  state: route({
    path: '/api/spending/state',
    kind: 'read',
    summary: 'Caps of the player in the currency of the market, what is left of them, and whether the age is missing',
    access: 'player',
    input: params(placeKeys),
    output: SpendingState,
  }),
  declareAge: route({
    path: '/api/spending/declareAge',
    kind: 'change',
    summary: 'Say once when one was born; minors need the consent of parent or guardian. Only support changes it',
    access: 'player',
    input: params({
      ...placeKeys,
      birth_year: Type.Integer({ minimum: 1900, maximum: 2200 }),
      birth_month: Type.Integer({ minimum: 1, maximum: 12 }),
      /** 1: parent or guardian agrees. */
      has_consent: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
    }),
    output: SpendingState,
  }),
  setCap: route({
    path: '/api/spending/setCap',
    kind: 'change',
    summary:
      'Set a cap of one’s own: a lower one counts at once, a higher one (or none, an empty amount) after 24 hours',
    access: 'player',
    isAtBackupHost: true,
    input: params({ ...placeKeys, period: SpendingPeriod, amount: Text(20) }),
    output: SpendingState,
  }),
  pause: route({
    path: '/api/spending/pause',
    kind: 'change',
    summary: 'Pause purchases for 1, 7 or 30 days; 0 ends a pause, 24 hours from now at the soonest',
    access: 'player',
    isAtBackupHost: true,
    input: params({ ...placeKeys, days: Type.Integer({ minimum: 0, maximum: 30 }) }),
    output: SpendingState,
  }),
};
