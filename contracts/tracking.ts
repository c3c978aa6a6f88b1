// Declares the tracking of visits: every moment with its id, and the two calls that carry them.
import Type, { type Static } from 'typebox';
import { params, Text } from './envelope.ts';

type Moment = { readonly id: string; readonly moment: string; readonly data: readonly string[] };

/**
 * THE table of moments: the name of the event, its id, when it happens, and the only keys its data
 * may have. No key holds anything about a person: what was chosen, never by whom.
 * @source specification section 3, "Event ids"; which moment an id names is our choice
 */
export const MOMENTS = {
  shop_open: { id: 'WEBPAY-201-001', moment: 'The page stands and may be tracked, once a visit.', data: ['page', 'language'] },
  login_open: { id: 'WEBPAY-201-002', moment: 'The login popup opens.', data: [] },
  login_done: { id: 'WEBPAY-201-003', moment: 'A visitor has become a logged-in player.', data: [] },
  login_fail: { id: 'WEBPAY-201-004', moment: 'A login by account or card was refused.', data: ['by', 'code'] },
  logout: { id: 'WEBPAY-201-005', moment: 'The player is logged in no more.', data: [] },
  game_choose: { id: 'WEBPAY-201-006', moment: 'Another game was chosen.', data: ['client_id'] },
  role_choose: { id: 'WEBPAY-201-007', moment: 'The character that receives the goods was chosen.', data: ['client_id', 'server_id'] },
  language_choose: { id: 'WEBPAY-201-008', moment: 'The page speaks another language.', data: ['language'] },
  country_choose: { id: 'WEBPAY-201-009', moment: 'Another country to pay from was chosen.', data: ['country'] },
  goods_choose: { id: 'WEBPAY-201-010', moment: 'A product was chosen.', data: ['product_id', 'price_minor', 'currency'] },
  recharge_open: { id: 'WEBPAY-201-011', moment: 'The ways to pay stand before the player: popup, panel or page.', data: ['product_id', 'price_minor'] },
  channel_choose: { id: 'WEBPAY-201-012', moment: 'A way to pay was chosen.', data: ['channel'] },
  sub_channel_open: { id: 'WEBPAY-201-013', moment: 'The second choice of a channel opens.', data: ['channel'] },
  pay_press: { id: 'WEBPAY-201-014', moment: 'The button that pays was pressed.', data: ['product_id', 'price_minor', 'channel'] },
  order_placed: { id: 'WEBPAY-201-015', moment: 'An order stands.', data: ['product_id', 'price_minor', 'channel'] },
  pay_refused: { id: 'WEBPAY-201-016', moment: 'The press led to no new order.', data: ['product_id', 'channel', 'code'] },
  to_pay: { id: 'WEBPAY-201-017', moment: "The player goes on to an order's payment page from its result.", data: [] },
  result_success: { id: 'WEBPAY-201-018', moment: 'The result shows that the goods have arrived.', data: ['product_id'] },
  result_fail: { id: 'WEBPAY-201-019', moment: 'The result shows that the order has failed.', data: ['product_id'] },
  unfinished_show: { id: 'WEBPAY-210-001', moment: 'An order that was left is offered again.', data: ['product_id'] },
  unfinished_open: { id: 'WEBPAY-210-002', moment: 'The player goes back to the order that was offered.', data: ['product_id'] },
  banner_show: { id: 'WEBPAY-220-001', moment: 'The forced banner shows.', data: ['pictures'] },
  banner_close: { id: 'WEBPAY-220-002', moment: 'The forced banner was closed.', data: ['pictures', 'seen'] },
} as const satisfies Record<string, Moment>; /* a row a line */ // prettier-ignore

export type MomentName = keyof typeof MOMENTS;

/** A value in an event's data: a name of something, or a number. */
export type TrackValue = string | number;

/** The data of one moment: its keys alone, any of them may be missing. */
export type TrackData<Name extends MomentName> = Partial<Record<(typeof MOMENTS)[Name]['data'][number], TrackValue>>;

/** Our choice: a visit from the landing page to a delivered order is about fifteen moments. */
export const MAX_EVENTS = 50;
/** Our choice: fifty moments of 200 bytes, and room. */
export const MAX_BYTES = 16 * 1024;
/** Our choice: ids and names of ours are at most half as long. */
const LONGEST_VALUE = 128;

/** @source specification section 7, "Tracking" */
export const DOT_PATH = '/service/recharge/dot.php';
export const VISIT_PATH = '/service/recharge/api.php';
/** VISIT_PATH carries this event: a visit has begun. @source specification section 7: "api.php with event 18" */
export const VISIT_EVENT = 18;

const Data = Type.Record(Type.String({ maxLength: 32 }), Type.Union([Text(LONGEST_VALUE), Type.Number()]), {
  maxProperties: 10,
});

/** Epoch milliseconds, up to the year 9999: what a date in the database can be written as. */
const EpochMs = Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 });

/** Identifies the visitor, as far as the page says: ids that the browser made up, and the visit's origin. */
const visitor = {
  app_id: Type.Optional(Text(64)),
  event_id: Type.Optional(Text(64)),
  uuid: Type.Optional(Text(64)),
  did: Type.Optional(Text(LONGEST_VALUE)),
  session_id: Type.Optional(Text(64)),
  /** Epoch milliseconds at which the visit began. */
  session_time: Type.Optional(EpochMs),
  traffic_source: Type.Optional(Text(512)),
};

const event = {
  event: Text(64),
  id: Text(64),
  data: Type.Optional(Data),
  /** Epoch milliseconds by the clock of the browser. */
  time: Type.Optional(EpochMs),
};

const OneDot = params({ ...visitor, ...event });
const ManyDots = params({ ...visitor, list: Type.Array(Type.Object(event), { minItems: 1, maxItems: MAX_EVENTS }) });

/** One event as the specification writes it, or several of one visitor as `list`. */
export const DotInput = Type.Union([ManyDots, OneDot]);
export type DotInput = Static<typeof DotInput>;

export const VisitInput = params({ ...visitor, event: Type.Literal(VISIT_EVENT), data: Type.Optional(Data) });
export type VisitInput = Static<typeof VisitInput>;
