// Events in the wire's own shapes, and what a step is in the database.
import type { Activity, ActivityGift, ActivityType } from '#contracts/events.ts';
import { showDate } from '#kernel/calendar.ts';
import { type Currency, isCurrency, type Money, money } from '#kernel/money.ts';
import {
  type Display,
  type EventStep,
  type EventWindow,
  formsFor,
  type Game,
  type GameEvent,
  isEndless,
} from '#server/modules/configuration/service.ts';
import { type PaidDay, percentOf, type Progress, progressOf, shareOf } from './rules.ts';
import type { NewReward, RewardBasis, RewardRow } from './store.ts';

/** One run of an event as a request found it. */
export type OpenEvent = { readonly event: GameEvent; readonly window: EventWindow };
export type KnownReward = Pick<RewardRow, 'issue_key' | 'state' | 'role_name'>;

export function typeOf({ file }: GameEvent): ActivityType {
  return TYPES[file.kind];
}

const TYPES: Record<GameEvent['file']['kind'], ActivityType> = {
  cumulative: 'cumulative',
  continuous: 'continue',
  daily: 'daily',
};

export function issueKeyOf(game: Game, { window }: OpenEvent, step: EventStep): string {
  return `event/${game.id}/${window.key}/${step.id}`;
}

export function windowOf(
  { event, window }: OpenEvent,
  timeZone: string,
): Pick<RewardBasis, 'from' | 'until' | 'time_zone' | 'regions' | 'brands'> {
  return {
    from: new Date(window.startsAt).toISOString(),
    until: new Date(window.endsAt).toISOString(),
    time_zone: timeZone,
    regions: event.file.regions ?? [],
    brands: event.file.brands ?? [],
  };
}

const toMinor = (amounts: ReadonlyMap<Currency, Money>) =>
  Object.fromEntries([...amounts].map(([currency, { amountMinor }]) => [currency, amountMinor]));

/** Builds the row that is written when a step is received. */
export function toNewReward(
  game: Game,
  open: OpenEvent,
  step: EventStep,
  { timeZone, rewardNo }: { timeZone: string; rewardNo: string },
): NewReward {
  const { event } = open;
  const window = windowOf(open, timeZone);
  return {
    reward_no: rewardNo,
    issue_key: issueKeyOf(game, open, step),
    product_id: step.id,
    gifts: step.items.map((item) => ({ id: item.id, name: formsFor(item.name, item.count).en, count: item.count })),
    title: event.file.name,
    basis: basisOf(event, step, window),
  };
}

function basisOf(event: GameEvent, step: EventStep, window: ReturnType<typeof windowOf>): RewardBasis {
  return event.file.kind === 'cumulative'
    ? { ...window, kind: 'cumulative', total: toMinor(step.total) }
    : { ...window, kind: 'continuous', days: step.days, least: toMinor(event.least) };
}

type Shown = {
  readonly display: Display;
  readonly timeZone: string;
  /** Of the visitor's market: its amounts are shown first. */
  readonly currency: Currency;
  readonly now: number;
  readonly paid: readonly PaidDay[];
  /** Of this player, the newest first. */
  readonly rewards: readonly KnownReward[];
};

export function toActivity(game: Game, open: OpenEvent, shown: Shown): Activity {
  const { event, window } = open;
  const { display, timeZone, currency, now } = shown;
  const progress = progressOf(event, shown.paid, showDate(now, timeZone));
  const least = event.least.get(currency);
  return {
    activity_id: window.key,
    type: typeOf(event),
    name: display.text(event.file.name),
    text: display.text(event.file.text),
    start_time: window.startsAt,
    ...endsOf(open),
    is_over: now >= window.endsAt,
    time_zone: timeZone,
    totals_shown: showTotals(progress, currency, display),
    days: progress.days,
    is_today_done: progress.isTodayDone,
    best_days: progress.bestDays,
    least_shown: least ? display.money(least) : '',
    gifts: event.steps.map((step) => toGift(game, open, step, { ...shown, progress })),
  };
}

export function endsOf({ window }: OpenEvent): Pick<Activity, 'end_time' | 'receive_end_time'> {
  if (isEndless(window.endsAt)) return { end_time: 0, receive_end_time: 0 };
  return { end_time: window.endsAt, receive_end_time: window.receiveUntil };
}

/** The market's currency always, nothing paid in it included; others where something was. */
function showTotals({ totals }: Progress, first: Currency, display: Display): string[] {
  const own = money(totals.get(first) ?? 0, first);
  const others = [...totals].filter(([currency]) => currency !== first && isCurrency(currency));
  return [own, ...others.map(([currency, minor]) => money(minor, currency))].map((amount) => display.money(amount));
}

function toGift(
  game: Game,
  open: OpenEvent,
  step: EventStep,
  { display, currency, rewards, progress }: Shown & { progress: Progress },
): ActivityGift {
  const own = rewards.filter((reward) => reward.issue_key === issueKeyOf(game, open, step));
  const received = own.find(({ state }) => state !== 'rejected');
  const share = shareOf(open.event, step, progress);
  const need = step.total.get(currency);
  return {
    gift_id: step.id,
    need_shown: need ? display.money(need) : '',
    need_days: step.days,
    percent: received ? 100 : percentOf(share),
    state: received ? 'received' : share >= 1 ? 'receivable' : 'locked',
    delivery: received ? DELIVERY[received.state] : 'none',
    is_declined: !received && own.length > 0,
    role_name: received?.role_name ?? '',
    items: toItems(step, display),
  };
}

export function toItems({ items }: EventStep, display: Display): ActivityGift['items'] {
  return items.map((item) => ({
    id: item.id,
    name: display.text(formsFor(item.name, item.count)),
    count: item.count,
    art: item.art,
    ...(item.picture && { picture: item.picture }),
  }));
}

export const DELIVERY: Record<KnownReward['state'], ActivityGift['delivery']> = {
  queued: 'on_its_way',
  calling: 'on_its_way',
  unknown: 'on_its_way',
  done: 'delivered',
  dead: 'checking',
  rejected: 'none',
};
