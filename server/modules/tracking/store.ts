// All SQL of tracking: appended to, and read in spans. What is too old ends with the rest
// (server/modules/privacy/ends.ts).
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

export type VisitorRow = {
  app_id: string;
  event_id: string;
  uuid: string;
  did: string;
  session_id: string;
  session_time: Date | null;
  traffic_source: string;
};
export type EventRow = { event: string; id: string; data: object; at: Date | null };

/**
 * Appends the events of one call; false: the table holds `maxCalls` rows already and nothing was written. The numbers
 * of the oldest and the newest row say how many there are at most, without counting them.
 */
export async function addCall(
  db: Queryable,
  brandKey: string,
  visitor: VisitorRow,
  events: readonly EventRow[],
  maxCalls: number,
): Promise<boolean> {
  const rows = await query(
    db,
    'track_add',
    `insert into track_call (brand_key, app_id, event_id, uuid, did, session_id, session_time, traffic_source, events)
     select $1::text, v.app_id, v.event_id, v.uuid, v.did, v.session_id, v.session_time, v.traffic_source, $3::jsonb
     from jsonb_to_record($2::jsonb) as v (app_id text, event_id text, uuid text, did text, session_id text,
       session_time timestamptz, traffic_source text)
     where (select coalesce(max(call_no) - min(call_no) + 1, 0) from track_call) < $4
     returning call_no`,
    [brandKey, toJsonb(visitor), toJsonb(events), maxCalls],
  );
  return rows.length > 0;
}

export type StoredCall = VisitorRow & {
  call_no: number;
  brand_key: string;
  received_at: Date;
  events: readonly EventRow[];
};

/** Calls after `afterNo` in the order they came, at most `limit`; null for no bound of time. */
export function readCalls(
  db: Queryable,
  filter: { brandKey: string; since: Date | null; until: Date | null; afterNo: number; limit: number },
): Promise<StoredCall[]> {
  return query<StoredCall>(
    db,
    'track_read',
    `select call_no, brand_key, app_id, event_id, uuid, did, session_id, session_time, traffic_source, received_at, events
     from track_call where brand_key = $1 and call_no > $4 and ($2::timestamptz is null or received_at >= $2)
       and ($3::timestamptz is null or received_at < $3)
     order by call_no limit $5`,
    [filter.brandKey, filter.since, filter.until, filter.afterNo, filter.limit],
  );
}
