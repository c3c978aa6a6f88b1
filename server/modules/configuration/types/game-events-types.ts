// Events of a game as modules read them, and when one is open: its windows by the calendar of a brand. Pure.
import type { EventEntry, RewardItem as RewardEntry } from '#contracts/game-file.ts';
import type { Picture } from '#contracts/pictures.ts';
import { type Period, periodAt, readMoment, showDate } from '#kernel/calendar.ts';
import type { Currency, Money } from '#kernel/money.ts';
import { DAY_MS } from '#kernel/time.ts';

export type EventKind = EventEntry['kind'];
export type RewardItem = Omit<RewardEntry, 'picture'> & { readonly picture: Picture | null };

export type EventStep = {
  /** The product_id of its grant. */
  readonly id: string;
  /** Of a cumulative event: reached by any one of the currencies. */
  readonly total: ReadonlyMap<Currency, Money>;
  /** Of a continuous event, else 0. */
  readonly days: number;
  readonly items: readonly RewardItem[];
};

export type GameEvent = {
  readonly id: string;
  readonly file: EventEntry;
  /** A day counts from this amount on; empty: any amount. */
  readonly least: ReadonlyMap<Currency, Money>;
  readonly steps: readonly EventStep[];
};

/** One run of an event. Times are epoch milliseconds; an end is the first moment that is not part of it. */
export type EventWindow = {
  /** The activity_id: `<event>`, or `<event>.<first day>` of one that begins anew. */
  readonly key: string;
  readonly startsAt: number;
  readonly endsAt: number;
  /** Rewards that were reached can be received until then. */
  readonly receiveUntil: number;
};

/** Our choice: a week, so that who reached a step on the last evening has time to come back. */
const RECEIVE_DAYS = 7;

/** Of what has no beginning or no end: a window is always one that a database and a calendar can write down. */
const FIRST_MOMENT = Date.UTC(2000, 0, 1);
const LAST_MOMENT = Date.UTC(9999, 0, 1);

/** Returns true when a window has no end that a player need see. */
export function isEndless(endsAt: number): boolean {
  return endsAt >= LAST_MOMENT;
}

type Amounts = Partial<Record<Currency, string>>;

export function buildEvent(
  file: EventEntry,
  read: {
    readAmounts: (amounts: Amounts) => ReadonlyMap<Currency, Money>;
    pictureOf: (picture: string | undefined) => Picture | null;
  },
): GameEvent {
  return {
    id: file.id,
    file,
    least: read.readAmounts(file.least ?? {}),
    steps: file.steps.map((step) => ({
      id: step.id,
      total: read.readAmounts(step.total ?? {}),
      days: step.days ?? 0,
      items: step.items.map((item) => ({ ...item, picture: read.pictureOf(item.picture) })),
    })),
  };
}

type Viewer = { readonly brandKey: string; readonly region: string; readonly isBeta: boolean };

/** An event or offer, by what says for whom it is. */
type Addressed = { readonly file: Pick<EventEntry, 'brands' | 'regions' | 'beta'> };

/**
 * Returns true when an event or offer is meant for a visitor at all, running or not. `region` empty: of no region in
 * particular.
 */
export function isSeenBy({ file }: Addressed, { brandKey, region, isBeta }: Viewer): boolean {
  return (
    (file.brands?.includes(brandKey) ?? true) &&
    (region === '' || (file.regions?.includes(region) ?? true)) &&
    (isBeta || file.beta !== true)
  );
}

/** An event or an offer, as far as its schedule goes. */
type Scheduled = {
  readonly id: string;
  readonly file: Pick<EventEntry, 'from' | 'until' | 'receiveDays'> & {
    readonly kind?: EventEntry['kind'];
    readonly every?: Period;
  };
};

/** A daily reward is of its day: nothing of it is received later. */
const receiveDaysOf = (file: Scheduled['file']): number =>
  file.kind === 'daily' ? 0 : (file.receiveDays ?? RECEIVE_DAYS);

/** The runs that are open at `now`, to count for or to receive from; the running one first. */
export function windowsAt(event: Scheduled, timeZone: string, now: number): EventWindow[] {
  const { file } = event;
  const graceMs = receiveDaysOf(file) * DAY_MS;
  const from = momentIn(file.from, timeZone) ?? FIRST_MOMENT;
  const until = momentIn(file.until, timeZone) ?? LAST_MOMENT;
  return runsAt(event, timeZone, now)
    .map(({ key, startsAt, endsAt }) => ({ key, startsAt: Math.max(startsAt, from), endsAt: Math.min(endsAt, until) }))
    .filter(({ startsAt, endsAt }) => startsAt < endsAt && startsAt <= now && now < endsAt + graceMs)
    .map((run) => ({ ...run, receiveUntil: run.endsAt + graceMs }));
}

const SHORTEST_DAYS: Record<Period, number> = { day: 1, week: 7, month: 28 };

/** Of one that begins anew, this period and those whose time to receive may last until now. */
function runsAt({ id, file }: Scheduled, timeZone: string, now: number) {
  const { every } = file;
  if (!every) return [{ key: id, startsAt: Number.NEGATIVE_INFINITY, endsAt: Number.POSITIVE_INFINITY }];
  // One more than fit: a change of clocks makes periods shorter by an hour, and once a zone had a day less.
  const periods = 2 + Math.ceil(receiveDaysOf(file) / SHORTEST_DAYS[every]);
  return Array.from({ length: periods }, (_, back) => {
    const period = periodAt(every, now, timeZone, back);
    return { ...period, key: `${id}.${showDate(period.startsAt, timeZone)}` };
  });
}

/** Epoch milliseconds of a moment that a file writes; null: none. */
export function momentIn(text: string | undefined, timeZone: string): number | null {
  return text === undefined ? null : readMoment(text, timeZone);
}

/** The kinds of which an event is open for a visitor: what the page config tells. */
export function kindsOfOpenEvents(
  { events }: { readonly events: readonly GameEvent[] },
  viewer: Viewer & { readonly timeZone: string },
  now: number,
): ReadonlySet<EventKind> {
  const open = events.filter((event) => isSeenBy(event, viewer) && windowsAt(event, viewer.timeZone, now).length > 0);
  return new Set(open.map(({ file }) => file.kind));
}
