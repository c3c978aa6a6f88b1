// Takes what pages tell about visits, within a budget, and hands it out again for whoever measures.
import { type DotInput, VISIT_EVENT, type VisitInput } from '#contracts/tracking.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { BrandKey } from '#kernel/ids.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { Log } from '#server/platform/log.ts';
import { createNoiseBudget } from '#server/platform/noise-budget.ts';
import { readDots, readVisitData } from './rules.ts';
import { type EventRow, type ExportedEvent, addEvents, readEvents } from './store.ts';

/** Our choice: a visit makes a dozen calls in its busiest minute, and a household or an office holds several. */
const PER_NETWORK = 120;
/**
 * Our choice: a hundred calls a second of this process; a page that is refused loses a moment, and nobody waits for it.
 */
const IN_ALL = 6000;

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
  now?: () => number;
}): TrackingService {
  const { db, log, configuration } = deps;
  const budget = createNoiseBudget(
    (unwritten) => log.warn({ unwritten }, 'more tracking calls came than are written'),
    deps.now,
    { perNetwork: PER_NETWORK, inAll: IN_ALL },
  );

  async function take(from: Teller, visitor: Visitor, events: readonly NewEvent[]): Promise<TellAnswer> {
    const tracking = configuration().brands.get(from.brandKey)?.file.tracking;
    if (!tracking) return refuse('notFound');
    if (events.length === 0) return refuse('badRequest');
    if (!budget.takes('tracking', from.ip)) return refuse('tooManyAttempts');
    const who = describeVisitor(visitor, tracking);
    await addEvents(
      db,
      from.brandKey,
      events.map((event) => ({ ...event, ...who })),
    );
    return succeed({ taken: events.length });
  }

  return {
    dots: (from, input) => take(from, input, readDots(input)),
    visit: (from, input) =>
      take(from, input, [{ event: 'visit', id: String(VISIT_EVENT), data: readVisitData(input.data), at: null }]),
  };
}

type NewEvent = Pick<EventRow, 'event' | 'id' | 'data' | 'at'>;

type Visitor = Pick<
  VisitInput,
  'app_id' | 'event_id' | 'uuid' | 'did' | 'session_id' | 'session_time' | 'traffic_source'
>;

/** A call that names no event config comes from the brand's own page. */
function describeVisitor(sent: Visitor, tracking: { appId: string; eventId: string }): Omit<EventRow, keyof NewEvent> {
  return {
    app_id: sent.app_id ?? tracking.appId,
    event_id: sent.event_id ?? tracking.eventId,
    uuid: sent.uuid ?? '',
    did: sent.did ?? '',
    session_id: sent.session_id ?? '',
    session_time: sent.session_time === undefined ? null : new Date(sent.session_time),
    traffic_source: sent.traffic_source ?? '',
  };
}

/** Our choice: a page of the export is a few hundred kilobytes, whatever span is asked for. */
const PAGE = 1000;

/** The events of a brand in the order they came, page by page: a year of them fits in no memory. */
export async function* exportEvents(
  db: Db,
  brandKey: string,
  span: { since: Date | null; until: Date | null },
): AsyncGenerator<ExportedEvent[]> {
  let afterNo = 0;
  for (;;) {
    const events = await readEvents(db, { brandKey, ...span, afterNo, limit: PAGE });
    if (events.length > 0) yield events;
    if (events.length < PAGE) return;
    afterNo = events.at(-1)?.event_no ?? afterNo;
  }
}
