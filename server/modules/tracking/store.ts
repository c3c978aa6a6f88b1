// All SQL of tracking: appended to, and read in spans. What is too old ends with the rest
// (server/modules/privacy/ends.ts).
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

export type EventRow = {
  event: string;
  id: string;
  data: object;
  app_id: string;
  event_id: string;
  uuid: string;
  did: string;
  session_id: string;
  session_time: Date | null;
  traffic_source: string;
  at: Date | null;
};

/** Appends events of one call. */
export async function addEvents(db: Queryable, brandKey: string, events: readonly EventRow[]): Promise<void> {
  await query(
    db,
    'track_add',
    `insert into track_event (brand_key, event, id, data, app_id, event_id, uuid, did, session_id,
     session_time, traffic_source, at)
     select $1, e.event, e.id, e.data, e.app_id, e.event_id, e.uuid, e.did, e.session_id,
       e.session_time, e.traffic_source, e.at
     from jsonb_to_recordset($2::jsonb) as e (event text, id text, data jsonb, app_id text, event_id text,
       uuid text, did text, session_id text,
       session_time timestamptz, traffic_source text, at timestamptz)`,
    [brandKey, toJsonb(events)],
  );
}

export type ExportedEvent = EventRow & { event_no: number; brand_key: string; received_at: Date };

/** Events after `afterNo` in the order they came, at most `limit`; null for no bound of time. */
export function readEvents(
  db: Queryable,
  filter: { brandKey: string; since: Date | null; until: Date | null; afterNo: number; limit: number },
): Promise<ExportedEvent[]> {
  return query<ExportedEvent>(
    db,
    'track_read',
    `select event_no, brand_key, event, id, data, app_id, event_id, uuid, did, session_id, session_time,
     traffic_source, at, received_at
     from track_event where brand_key = $1 and event_no > $4 and ($2::timestamptz is null or received_at >= $2)
       and ($3::timestamptz is null or received_at < $3)
     order by event_no limit $5`,
    [filter.brandKey, filter.since, filter.until, filter.afterNo, filter.limit],
  );
}
