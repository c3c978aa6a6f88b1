// SQL of an export: the rows of one player in each table, read a batch at a time through a cursor.
import type { PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { Belongs } from './personal-data-types.ts';

/** Rows fetched at once: a few hundred kilobytes at the most. */
const BATCH_ROWS = 200;

const WAYS: Record<'player' | 'counted' | 'order' | 'session' | 'account' | 'card', (column: string) => string> = {
  player: (column) => `t.${column} = $1`,
  counted: (column) => `t.${column} = account_of($1)`,
  order: (column) => `t.${column} in (select billing_no from orders where player_id = $1)`,
  session: (column) => `t.${column} in (select token_hash from session where player_id = $1)`,
  account: (column) => `t.${column} in (select sha256(convert_to(i.brand_key || '/' || i.subject, 'UTF8'))
    from player_identity i where i.player_id = $1)`,
  card: (column) => `t.${column} in (select card_id from gift_card where player_id = $1)`,
};

export type Row = Readonly<Record<string, unknown>>;

/**
 * Every row of a table that belongs to a player, without the columns that hold a secret and those in bytes.
 * @param db in a transaction
 */
export async function* readRows(
  db: Queryable,
  playerId: PlayerId,
  source: { table: string; ways: readonly Belongs[]; secrets: readonly string[] },
): AsyncGenerator<Row> {
  const where = source.ways.map(({ by, column }) => WAYS[by as keyof typeof WAYS](column)).join(' or ');
  await db.query(
    `declare person_rows no scroll cursor for
     select to_jsonb(t) - $2::text[] - array(select attname::text from pg_attribute
       where attrelid = '${source.table}'::regclass and atttypid = 'bytea'::regtype) as row
     from ${source.table} t where ${where}`,
    [playerId, source.secrets],
  );
  for (;;) {
    const { rows } = await db.query<{ row: Row }>(`fetch ${BATCH_ROWS} from person_rows`);
    for (const { row } of rows) yield row;
    if (rows.length < BATCH_ROWS) break;
  }
  await db.query('close person_rows');
}

export async function findExported(
  db: Queryable,
  playerId: PlayerId,
): Promise<{ brand_key: string; erased_at: Date | null } | null> {
  const [row] = await query<{ brand_key: string; erased_at: Date | null }>(
    db,
    'export_player',
    'select brand_key, erased_at from player where player_id = $1',
    [playerId],
  );
  return row ?? null;
}
