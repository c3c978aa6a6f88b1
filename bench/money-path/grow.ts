// Fills the tables with delivered orders of other players, as years of business leave them: copies of one real order, under other numbers.
import pg from 'pg';
import { type Db, query } from '#server/platform/db.ts';

/** What one delivered order leaves behind. Values that must differ are made of the copy's number; all others are the real order's. */
const TABLES = [
  'orders',
  'order_lookup',
  'payment_attempt',
  'provider_reference',
  'idempotency',
  'delivery',
  'ledger_entry',
  'callback_inbox',
];

/** Our choice: a hundred orders a player, and long enough a batch that the commit is nothing. */
const ORDERS_A_PLAYER = 100;
const BATCH = 50_000;

/** Numbers below every real one, ordered by time as real ones are, so that indexes grow as they do. */
const BILLING_NO = `'0' || lpad(g.n::text, 10, '0') || upper(substr(md5(g.n::text), 1, 15))`;
const PLAYER = `md5('player' || (g.n / ${ORDERS_A_PLAYER}))::uuid`;
const MADE: Readonly<Record<string, string>> = {
  player_id: PLAYER,
  billing_no: BILLING_NO,
  provider_ref: `'GROWN' || g.n`,
  capture_ref: `'GROWN' || g.n`,
  dedup_key: `'GROWN' || g.n`,
  key: `'grown-' || g.n`,
  receipt_id: `'grown-' || g.n`,
  reference: `(${BILLING_NO}) || '-1'`,
};

/** @param from orders that were copied before. @param onProgress hears of every batch */
export async function growTo(
  db: Db,
  url: string,
  range: { from: number; to: number },
  onProgress: (count: number) => void,
): Promise<void> {
  const [like] = await query<{ player_id: string; billing_no: string }>(
    db,
    'bench_grow_like',
    `select o.player_id, o.billing_no from orders o join callback_inbox c on c.billing_no = o.billing_no where o.state = 'delivered' order by o.billing_no desc limit 1`,
  );
  if (!like) throw new Error('no order was delivered yet');
  const inserts = await Promise.all(TABLES.map((table) => writeInsert(db, table, like)));
  // A connection of its own: the pool's has patience for statements of players.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Rows that a power cut may take are no loss here, and nobody waits for each.
    await client.query('set synchronous_commit = off');
    for (let from = range.from; from < range.to; from += BATCH) {
      const to = Math.min(range.to, from + BATCH);
      for (const insert of inserts)
        await client.query(insert.replaceAll('$FROM', String(from + 1)).replaceAll('$TO', String(to)));
      onProgress(to);
    }
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** `insert into orders (...) select <copy of the real row, numbers made> from generate_series`. */
async function writeInsert(db: Db, table: string, like: { player_id: string; billing_no: string }): Promise<string> {
  const columns = await query<{ name: string }>(
    db,
    'bench_grow_columns',
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => MADE[name] ?? `t.${name}`);
  // An idempotency key is found by its answer; everything else by the order.
  const where =
    table === 'idempotency'
      ? `t.player_id = '${like.player_id}' and t.answer ->> 'billing_no' = '${like.billing_no}'`
      : `t.billing_no = '${like.billing_no}'`;
  return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from generate_series($FROM, $TO) as g(n), ${table} t where ${where}`;
}
