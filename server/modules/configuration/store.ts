// SQL of the applied configuration: one revision, its files, its history, and the stock totals of goods.
import { query, type Db, type Queryable } from '#server/platform/database/db.ts';
import type { RowKind } from './configuration.ts';
import type { OpenWork } from './removal-rules.ts';

export type StoredFile = { readonly kind: RowKind; readonly key: string; readonly body: unknown };
/** `at`: epoch milliseconds of the database when it was read. */
export type Stored = { readonly revision: number; readonly at: number; readonly files: StoredFile[] };
export type StockTotal = { readonly gameId: string; readonly productId: string; readonly total: number };

/** 0 when nothing was applied yet. */
export async function readRevision(db: Queryable): Promise<number> {
  const rows = await query<{ revision: number }>(db, 'configuration-revision', 'select revision from configuration');
  return rows[0]?.revision ?? 0;
}

/** False on a database without our tables. */
export async function hasTables(db: Queryable): Promise<boolean> {
  const rows = await query<{ there: boolean }>(
    db,
    'configuration-tables',
    `select to_regclass('configuration') is not null and to_regclass('picture_file') is not null as there`,
  );
  return rows[0]?.there ?? false;
}

/** One statement, so that files and revision belong together even while another process applies. */
export async function readStored(db: Queryable): Promise<Stored> {
  const rows = await query<{ revision: number | null; at: number; kind: RowKind | null; key: string; body: unknown }>(
    db,
    'configuration-files',
    `select c.revision, extract(epoch from now())::float8 * 1000 as at, f.kind, f.key, f.body
     from (values (true)) as one(id) left join configuration c on true left join configuration_file f on c.id
     order by f.kind, f.key collate "C"`,
  );
  const files = rows.flatMap(({ kind, key, body }) => (kind ? [{ kind, key, body }] : []));
  return { revision: rows[0]?.revision ?? 0, at: rows[0]?.at ?? 0, files };
}

/**
 * Keeps one connection of the pool to hear of new revisions.
 * @returns gives the connection back; `onLost` is called when it died instead
 */
export async function listenForRevisions(
  db: Db,
  { onRevision, onLost }: { onRevision: () => void; onLost: () => void },
): Promise<() => void> {
  const client = await db.connect();
  let isOver = false;
  // A listening connection is closed, never reused: the next user of the pool must not inherit the subscription.
  const end = (): boolean => {
    if (isOver) return false;
    isOver = true;
    client.release(true);
    return true;
  };
  client.on('notification', onRevision);
  client.on('error', () => end() && onLost());
  try {
    await client.query('listen refill_configuration');
  } catch (error) {
    end();
    throw error;
  }
  return () => void end();
}

/** Held to the end of the transaction: two operators apply one after the other. */
export async function lockConfiguration(db: Queryable): Promise<void> {
  // Any number will do, as long as no other advisory lock of this database uses it.
  await query(db, 'configuration-lock', 'select pg_advisory_xact_lock(7339457)');
}

/** Replaces all files by these, as revision `revision`. */
export async function writeStored(
  db: Queryable,
  change: { revision: number; files: readonly StoredFile[]; appliedBy: string; summary: readonly string[] },
): Promise<void> {
  const { revision, files, appliedBy, summary } = change;
  await query(db, 'configuration-clear', 'delete from configuration_file');
  await query(
    db,
    'configuration-write-files',
    `insert into configuration_file (kind, key, body)
     select kind, key, body::json from unnest($1::text[], $2::text[], $3::text[]) as f(kind, key, body)`,
    [files.map((f) => f.kind), files.map((f) => f.key), files.map((f) => JSON.stringify(f.body))],
  );
  await query(
    db,
    'configuration-write-history',
    'insert into configuration_history (revision, applied_by, summary) values ($1, $2, $3)',
    [revision, appliedBy, summary],
  );
  // Last, because its trigger tells every replica that the files above are there.
  await query(
    db,
    'configuration-write-revision',
    `insert into configuration (revision, applied_by) values ($1, $2)
     on conflict (id) do update set revision = excluded.revision, applied_by = excluded.applied_by, applied_at = now()`,
    [revision, appliedBy],
  );
}

/**
 * Goods of which more were sold or are reserved than the new total allows.
 * @param isApplying locks their rows, so that no sale comes in between. A plan takes no lock: an account that may only
 *   read can make it, and no sale waits for it
 */
export async function findOversold(
  db: Queryable,
  totals: readonly StockTotal[],
  isApplying: boolean,
): Promise<(StockTotal & { used: number })[]> {
  return query(
    db,
    isApplying ? 'configuration-oversold-locked' : 'configuration-oversold',
    `select s.game_id as "gameId", s.product_id as "productId", t.total, s.used
     from unnest($1::text[], $2::text[], $3::integer[]) as t(game_id, product_id, total)
     join product_stock s on s.game_id = t.game_id and s.product_id = t.product_id
     where s.used > t.total order by s.game_id, s.product_id${isApplying ? ' for update of s' : ''}`,
    [totals.map((t) => t.gameId), totals.map((t) => t.productId), totals.map((t) => t.total)],
  );
}

/**
 * Orders of these games that are neither delivered nor over, and payments by these channels that may still come.
 * It may read every order there is: ask only where something goes.
 */
export async function countOpenWork(
  db: Queryable,
  { channels, games }: { readonly games: readonly string[]; readonly channels: readonly string[] },
): Promise<OpenWork> {
  const counted = async (ids: readonly string[], name: string, text: string): Promise<Map<string, number>> => {
    if (ids.length === 0) return new Map();
    const rows = await query<{ id: string; open: number }>(db, name, text, [ids]);
    return new Map(rows.map(({ id, open }) => [id, open]));
  };
  return {
    games: await counted(
      games,
      'configuration-open-orders',
      `select game_id as id, count(*)::int as open from orders
       where game_id = any($1::text[]) and (is_unpaid or needs_person or state in ('paid', 'delivering'))
       group by game_id`,
    ),
    channels: await counted(
      channels,
      'configuration-open-payments',
      `select split_part(channel_key, '_', 1) as id, count(*)::int as open from payment_attempt
       where is_open and split_part(channel_key, '_', 1) = any($1::text[]) group by 1`,
    ),
  };
}

/** Goods that lost their stock number keep their row: what was sold stays counted. */
export async function writeStock(db: Queryable, totals: readonly StockTotal[]): Promise<void> {
  await query(
    db,
    'configuration-write-stock',
    `insert into product_stock (game_id, product_id, total)
     select * from unnest($1::text[], $2::text[], $3::integer[])
     on conflict (game_id, product_id) do update set total = excluded.total`,
    [totals.map((t) => t.gameId), totals.map((t) => t.productId), totals.map((t) => t.total)],
  );
}
