// Events: rewards for topping up, for a total or for days in a row.
import Type, { type Static } from 'typebox';
import { ClientId, Text, params } from './envelope.ts';
import { Picture } from './pictures.ts';
import { route } from './route.ts';

/**
 * Tells the kinds apart on every call: `cumulative` is what was paid in the window, `continue` days in a row with
 * a top-up, `daily` (ours) a reward for coming by, on days in a row. The specification's paths say "cumulative" for
 * both. @source specification section 7, "/api/cumulative/..."; section 3, "Page config"
 */
export const ACTIVITY_TYPES = ['cumulative', 'continue', 'daily'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];
const ActivityType = Type.Enum([...ACTIVITY_TYPES]);

/** @source specification section 4: "Event rewards: receive, receive all, received" */
const GIFT_STATES = ['locked', 'receivable', 'received'] as const;

const GiftItem = Type.Object({
  id: Type.String(),
  name: Type.String(),
  count: Type.Integer(),
  art: Type.String(),
  picture: Type.Optional(Picture),
});

/** One step of an event with what it gives. */
export const ActivityGift = Type.Object({
  gift_id: Type.String(),
  /** The amount that the step needs, as a player reads it; empty for days. */
  need_shown: Type.String(),
  /** Days in a row that it takes; 0 for a total. */
  need_days: Type.Integer(),
  /** How much of it is there, 0 to 100. */
  percent: Type.Integer(),
  state: Type.Enum([...GIFT_STATES]),
  /** Of a received one: whether it is in the game; `checking` while it waits for manual review. Else `none`. */
  delivery: Type.Enum(['none', 'on_its_way', 'delivered', 'checking']),
  /** The game refused it for the character that was chosen; it can be received again. */
  is_declined: Type.Boolean(),
  /** The character that received it; else empty. */
  role_name: Type.String(),
  items: Type.Array(GiftItem),
});
export type ActivityGift = Static<typeof ActivityGift>;

/**
 * One open event. Times are epoch milliseconds, the ends 0 where there is none; `time_zone` is the IANA zone whose days
 * it counts.
 */
export const Activity = Type.Object({
  activity_id: Type.String(),
  type: ActivityType,
  name: Type.String(),
  text: Type.String(),
  start_time: Type.Integer(),
  end_time: Type.Integer(),
  /** Nothing counts any more after the end; what was reached can be received until this. */
  receive_end_time: Type.Integer(),
  is_over: Type.Boolean(),
  time_zone: Type.String(),
  /** cumulative: what was paid, in the market's currency first, then in others. */
  totals_shown: Type.Array(Type.String()),
  /** continue, daily: days in a row up to today or yesterday; whether today is one of them; the longest run. */
  days: Type.Integer(),
  is_today_done: Type.Boolean(),
  best_days: Type.Integer(),
  /** continue: what a day must come to; empty: any top-up. */
  least_shown: Type.String(),
  gifts: Type.Array(ActivityGift),
});
export type Activity = Static<typeof Activity>;

const placeKeys = { client_id: ClientId, domain_area: Type.Optional(Text(16)), country: Type.Optional(Text(8)) };

export const eventRoutes = {
  info: route({
    path: '/api/cumulative/cumulativeActivityInfo',
    kind: 'read',
    summary: 'The open events of one kind, with what the player reached; -3022 when there is none',
    access: 'anyone',
    input: params({ ...placeKeys, type: Type.Optional(ActivityType) }),
    output: Type.Object({ type: ActivityType, list: Type.Array(Activity) }),
  }),
  receive: route({
    path: '/api/cumulative/receiveActivityGift',
    kind: 'change',
    summary: 'Receive one reward of an event for a character, or all that were reached ("all"); again gives no second',
    access: 'player',
    isAtBackupHost: true,
    input: params({
      ...placeKeys,
      type: Type.Optional(ActivityType),
      activity_id: Text(80),
      gift_id: Text(64),
      server_id: Text(64),
      role_id: Text(64),
      areaId: Type.Optional(Text(64)),
    }),
    /** The steps that the player has now; of "all" those that were not had before. */
    output: Type.Object({ gift_ids: Type.Array(Type.String()) }),
  }),
  status: route({
    path: '/api/cumulative/status',
    kind: 'read',
    summary: 'Which events are open, and how many rewards wait to be received; -3022 when a kind has none',
    access: 'anyone',
    input: params({ ...placeKeys, type: Type.Optional(ActivityType) }),
    output: Type.Object({
      list: Type.Array(
        Type.Object({
          type: ActivityType,
          activity_id: Type.String(),
          name: Type.String(),
          end_time: Type.Integer(),
          is_over: Type.Boolean(),
          receivable: Type.Integer(),
        }),
      ),
    }),
  }),
};
