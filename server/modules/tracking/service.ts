// Takes what pages tell about visits, within a budget, and hands it out again for whoever measures.
import { type DotInput, VISIT_EVENT, type VisitInput } from '#contracts/tracking.ts';
import type { BrandKey } from '#kernel/ids.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { bytesOf, createDayBudget } from '#server/platform/limits/day-budget.ts';
import type { Log } from '#server/platform/log.ts';
import { countEvent } from '#server/platform/metrics/metrics.ts';
import { createNoiseBudget } from '#server/platform/noise-budget.ts';
import { cutText, readDots, readVisitData } from './rules.ts';
import { type EventRow, type StoredCall, type VisitorRow, addCall, readCalls } from './store.ts';

/** Our choice: a visit makes a dozen calls in its busiest minute, and a household or an office holds several. */
const PER_NETWORK = 120;
/**
 * Our choice: a hundred calls a second of this process; a page that is refused loses a moment, and nobody waits for it.
 */
const IN_ALL = 6000;

/** Our choice, bytes of one event as it is stored, its part of the visitor's texts included. */
const BYTES_OF_EVENT = 250;
/** Our choice: one network has a fiftieth of the day, some 300 visits of a dozen moments. */
const NETWORKS = 50;
/** Our choice: the table holds what a hundred full days of one process bring, of two moments a call. */
const FULL_DAYS = 100;
const EVENTS_OF_CALL = 2;

/** Shares of a day and the ceiling of the table. @param megabytes of a day, of one process */
function boundsOf(megabytes: number) {
  const bytes = megabytes * 1_000_000;
  const rows = Math.floor(bytes / BYTES_OF_EVENT);
  return {
    inAll: { rows, bytes },
    perNetwork: { rows: Math.floor(rows / NETWORKS), bytes: Math.floor(bytes / NETWORKS) },
    maxCalls: Math.floor((rows * FULL_DAYS) / EVENTS_OF_CALL),
  };
}

/** A page of this brand calls from this address. Nothing else of the caller is looked at. */
export type Teller = { brandKey: BrandKey; ip: string };
export type TellAnswer = Answer<{ taken: number }>;

export type TrackingService = {
  dots(from: Teller, input: DotInput): Promise<TellAnswer>;
  visit(from: Teller, input: VisitInput): Promise<TellAnswer>;
};

export function createTrackingService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  config: Pick<Config, 'environment' | 'visitMbPerDay'>;
  now?: () => number;
}): TrackingService {
  const { db, log, configuration, config } = deps;
  const bounds = boundsOf(config.visitMbPerDay);
  const ofDay = createDayBudget(deps.now ?? Date.now, bounds);
  const budget = createNoiseBudget(
    (unwritten) => log.warn({ unwritten }, 'more tracking calls came than are written'),
    deps.now,
    { perNetwork: PER_NETWORK, inAll: IN_ALL },
  );

  async function take(from: Teller, sent: Visitor, events: readonly EventRow[]): Promise<TellAnswer> {
    const tracking = configuration().brands.get(from.brandKey)?.file.tracking;
    // Pages of a brand with a collector call that one: whoever calls here is none of them.
    if (!tracking || tracking.collection?.[config.environment] !== undefined) return refuse('notFound');
    if (events.length === 0) return refuse('badRequest');
    if (!budget.takes('tracking', from.ip)) return refuse('tooManyAttempts');
    const visitor = describeVisitor(sent, tracking);
    const share = ofDay.take(from.ip, { rows: events.length, bytes: bytesOf([visitor, events]) });
    if (share !== 'taken') return drop(share, events.length);
    const isStored = await addCall(db, from.brandKey, visitor, events, bounds.maxCalls);
    return isStored ? succeed({ taken: events.length }) : drop('table', events.length);
  }

  function drop(reason: 'network' | 'all' | 'table', events: number): TellAnswer {
    countEvent('visitEventsDropped', { reason }, events);
    return refuse('tooManyAttempts');
  }

  return {
    dots: (from, input) => take(from, input, readDots(input)),
    visit: (from, input) =>
      take(from, input, [{ event: 'visit', id: String(VISIT_EVENT), data: readVisitData(input.data), at: null }]),
  };
}

type Visitor = Pick<
  VisitInput,
  'app_id' | 'event_id' | 'uuid' | 'did' | 'session_id' | 'session_time' | 'traffic_source'
>;

/** A call that names no event config comes from the brand's own page. */
function describeVisitor(sent: Visitor, tracking: { appId: string; eventId: string }): VisitorRow {
  return {
    app_id: cutText(sent.app_id ?? tracking.appId),
    event_id: cutText(sent.event_id ?? tracking.eventId),
    uuid: cutText(sent.uuid ?? ''),
    did: cutText(sent.did ?? ''),
    session_id: cutText(sent.session_id ?? ''),
    session_time: sent.session_time === undefined ? null : new Date(sent.session_time),
    traffic_source: cutText(sent.traffic_source ?? ''),
  };
}

/** Our choice: a page of the export is a few hundred kilobytes, whatever span is asked for. */
const PAGE = 500;

export type ExportedEvent = Omit<StoredCall, 'events'> & EventRow;

/** The events of a brand in the order they came, page by page: a year of them fits in no memory. */
export async function* exportEvents(
  db: Db,
  brandKey: string,
  span: { since: Date | null; until: Date | null },
): AsyncGenerator<ExportedEvent[]> {
  let afterNo = 0;
  for (;;) {
    const calls = await readCalls(db, { brandKey, ...span, afterNo, limit: PAGE });
    if (calls.length > 0) yield calls.flatMap(({ events, ...call }) => events.map((event) => ({ ...call, ...event })));
    if (calls.length < PAGE) return;
    afterNo = calls.at(-1)?.call_no ?? afterNo;
  }
}
