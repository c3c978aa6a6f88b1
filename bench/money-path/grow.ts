// Fills the tables with delivered orders of other players, as two years of business leave them: copies of one real
// order, under the numbers of two years, in the partitions of their months, and without what has ended since.
import pg from 'pg';
import { ulid } from 'ulid';
import { type Db, query } from '#server/platform/database/db.ts';

/**
 * One delivered order leaves rows in these tables. Values that must differ are made of the copy's number; all others
 * are the real order's.
 */
const TABLES = [
  'orders',
  'order_lookup',
  'payment_attempt',
  'provider_reference',
  'idempotency',
  'delivery',
  'ledger_entry',
  'callback_inbox',
  'points_entry',
];

/** Our choice: a hundred orders a player, and so long a batch that its commit is nothing. */
const ORDERS_A_PLAYER = 100;
const BATCH = 100_000;
/** One a processor of the machine that the goals are for. */
const WRITERS = 2;

const MONTHS = 24;
const DAY_MS = 86_400_000;

/** The number of copy n: of the day that it has in two years, the more copies the more a day. */
const BILLING_NO =
  '($DAYS::text[])[1 + ((g.n::bigint - $FIRST) * $SPAN / $COUNT)::integer] || ' +
  'upper(substr(md5(g.n::text), 1, 16))';
const PLAYER = `md5('player' || (g.n / ${ORDERS_A_PLAYER}))::uuid`;
/** The day of copy n, as its number says: what ends by its age ends as in a shop. */
const AT = `($TIMES::timestamptz[])[1 + ((g.n::bigint - $FIRST) * $SPAN / $COUNT)::integer]`;
const MADE: Readonly<Record<string, string>> = {
  player_id: PLAYER,
  billing_no: BILLING_NO,
  // In no order, as providers and callers give theirs: a key written between ten million others.
  provider_ref: `upper(substr(md5('reference' || g.n), 1, 16))`,
  capture_ref: `upper(substr(md5('capture' || g.n), 1, 16))`,
  dedup_key: `md5('callback' || g.n) || substr(md5(t.dedup_key), 1, 4)`,
  key: `md5('key' || g.n)`,
  receipt_id: `'grown-' || g.n`,
  reference: `(${BILLING_NO}) || '-1'`,
  created_at: AT,
  received_at: AT,
  applied_at: AT,
  paid_at: AT,
  delivering_at: AT,
  delivered_at: AT,
  closed_at: AT,
  succeeded_at: AT,
  done_at: AT,
};

/** For how many days rows are kept that end by themselves. */
export type Kept = Readonly<Record<'callbacks' | 'idempotency' | 'exchanges', number>>;

/** Tables whose rows end, and those whose columns are emptied instead (`server/modules/privacy/ends.ts`). */
const ENDING: Readonly<Record<string, keyof Kept>> = { callback_inbox: 'callbacks', idempotency: 'idempotency' };
const EMPTIED: Readonly<Record<string, string>> = { exchange: `'{}'`, pay_url: 'null' };

/**
 * Nothing else may use the tables meanwhile: they have no keys while rows are written, for keys are made in a
 * fraction of the time afterwards.
 * @param range.from orders that were copied before. @param kept what is older is written as its end leaves it: to write
 * it and end it takes hours at ten million orders. @param onProgress hears of every batch, and of what comes then
 */
export async function growTo(
  db: Db,
  url: string,
  range: { from: number; to: number },
  kept: Kept,
  onProgress: (step: string) => void,
): Promise<void> {
  const [like] = await query<{ player_id: string; billing_no: string }>(
    db,
    'bench_grow_like',
    // Of usual size: products differ, and a copy of the last one bought made an order of years now 2.8 and now 3.1 KB.
    `select o.player_id, o.billing_no from orders o join callback_inbox c on c.billing_no = o.billing_no
      where o.state = 'delivered' order by abs(pg_column_size(o.*) - (select avg(pg_column_size(d.*)) from orders d
        where d.state = 'delivered')), o.billing_no desc limit 1`,
  );
  if (!like) throw new Error('no order was delivered yet');
  for (const table of TABLES) await keepLike(db, table, like);
  await makePastMonths(db);
  const inserts = await Promise.all(TABLES.map((table) => writeInsert(db, table, kept)));
  const keys = await readKeys(db);
  for (const key of keys) await db.query(key.drop);
  // Rows that are final need no room for later versions; the rows of orders that are still to come do, and one that was
  // emptied leaves some.
  const room = await readRoom(db);
  for (const { table } of room) await db.query(`alter table ${table} set (fillfactor = 100)`);

  const days = listDays();
  const batches: string[] = [];
  for (let from = range.from; from < range.to; from += BATCH) {
    const to = Math.min(range.to, from + BATCH);
    for (const insert of inserts)
      batches.push(
        insert
          .replaceAll('$FROM', `${from + 1}`)
          .replaceAll('$TO', `${to}`)
          .replaceAll('$FIRST', `${range.from + 1}`)
          .replaceAll('$SPAN', `${days.length}`)
          .replaceAll('$COUNT', `${range.to - range.from}`)
          .replaceAll('$DAYS', `'{${days.map(({ prefix }) => prefix).join(',')}}'`)
          .replaceAll('$TIMES', `'{${days.map(({ at }) => new Date(at).toISOString()).join(',')}}'`),
      );
  }
  let written = 0;
  await inParallel(url, batches, () => {
    written += 1;
    onProgress(`rows ${((100 * written) / batches.length).toFixed(0)} %`);
  });
  let made = 0;
  await inParallel(
    url,
    keys.map((key) => key.make),
    () => onProgress(`keys of ${(made += 1)} of ${keys.length} tables`),
  );
  for (const { restore } of room) await db.query(restore);
  onProgress('vacuum');
  await inParallel(
    url,
    TABLES.map((table) => `vacuum analyze ${table}`),
    () => undefined,
  );
  await inParallel(url, ['checkpoint'], () => undefined);
}

/** Beginnings of the months before this one, the oldest first, and of this one at the end. */
function listMonths(): number[] {
  const now = new Date();
  return Array.from({ length: MONTHS + 1 }, (_, index) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + index, 1),
  );
}

/** How the numbers of each day of these months begin: ten digits are the time. */
function listDays(): { prefix: string; at: number }[] {
  const months = listMonths();
  const [first = 0, end = 0] = [months[0], months.at(-1)];
  return Array.from({ length: Math.floor((end - first) / DAY_MS) }, (_, day) => {
    const at = first + day * DAY_MS;
    return { prefix: prefixOf(at), at };
  });
}

const prefixOf = (at: number): string => ulid(at).slice(0, 10);

/**
 * A new shop has one partition for all that was before its first month, and nothing in it: here it makes room for the
 * months of two years.
 */
async function makePastMonths(db: Db): Promise<void> {
  const months = listMonths();
  const oldest = prefixOf(months[0] ?? 0);
  const partitioned = await query<{ table: string; options: string }>(
    db,
    'bench_grow_partitioned',
    `select t as table, coalesce('with (' || (select array_to_string(reloptions, ', ') from pg_class
       where oid = (t || '_default')::regclass) || ')', '') as options from list_partitioned() as t
     where pg_get_expr((select relpartbound from pg_class where oid = (t || '_before')::regclass), 0) not like $1`,
    [`%${oldest}%`],
  );
  for (const { table, options } of partitioned) {
    await db.query(`alter table ${table} detach partition ${table}_before`);
    for (const [index, month] of months.slice(0, -1).entries()) {
      const name = `${table}_${new Date(month).toISOString().slice(0, 7).replace('-', '_')}`;
      const to = prefixOf(months[index + 1] ?? month);
      await db.query(
        `create table ${name} partition of ${table} for values from ('${prefixOf(month)}') to ('${to}') ${options}`,
      );
    }
    await db.query(`alter table ${table} attach partition ${table}_before for values from (minvalue) to ('${oldest}')`);
  }
}

/**
 * Statements one after another by as many connections as there are writers, each of its own: the pool's has
 * patience for statements of players.
 */
async function inParallel(url: string, statements: readonly string[], onDone: () => void): Promise<void> {
  const waiting = [...statements];
  const write = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      // Rows that a power cut may take are no loss here. What a trigger would check was checked when
      // the first of them was written.
      await client.query(
        `set synchronous_commit = off; set session_replication_role = replica; set maintenance_work_mem = '1GB'`,
      );
      for (let statement = waiting.shift(); statement !== undefined; statement = waiting.shift()) {
        await client.query(statement);
        onDone();
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/**
 * How the keys of each table are taken away and made again, the table with most rows first. Two of one
 * table would wait for each other.
 */
async function readKeys(db: Db): Promise<{ drop: string; make: string }[]> {
  return query(
    db,
    'bench_grow_keys',
    `select string_agg(case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
         else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end, '; ') as drop,
       string_agg(case when c.oid is null then replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
         else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname,
           pg_get_constraintdef(c.oid)) end, '; ') as make
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid
     where i.indrelid = any($1::regclass[]) group by i.indrelid order by i.indrelid = 'ledger_entry'::regclass desc`,
    [TABLES],
  );
}

/** The tables that hold the rows, and how the room for updates that their pages keep becomes what it was. */
async function readRoom(db: Db): Promise<{ table: string; restore: string }[]> {
  return query(
    db,
    'bench_grow_room',
    `select c.oid::regclass::text as table, format('alter table %s set (fillfactor = %s)', c.oid::regclass,
       coalesce(substring(array_to_string(c.reloptions, ',') from 'fillfactor=([0-9]+)'), '100')) as restore
     from unnest($1::regclass[]) as t, lateral pg_partition_tree(t) as leaf, pg_class c
     where leaf.isleaf and c.oid = leaf.relid and t <> 'payment_attempt'::regclass
     union all select c.oid::regclass::text, format('alter table %s set (fillfactor = %s)', c.oid::regclass,
       coalesce(substring(array_to_string(c.reloptions, ',') from 'fillfactor=([0-9]+)'), '100'))
     from pg_class c where c.oid = any($1::regclass[]) and c.relkind = 'r'`,
    [TABLES],
  );
}

/** The rows of the real order, beside the table: in it they could not be found without its keys. */
async function keepLike(db: Db, table: string, like: { player_id: string; billing_no: string }): Promise<void> {
  // An idempotency key is found by its answer; everything else by the order.
  const where =
    table === 'idempotency'
      ? `player_id = '${like.player_id}' and answer ->> 'billing_no' = '${like.billing_no}'`
      : `billing_no = '${like.billing_no}'`;
  await db.query(`drop table if exists like_${table}`);
  await db.query(`create table like_${table} as select * from ${table} where ${where}`);
}

/** `insert into orders (...) select <copy of the real row, numbers made> from generate_series`. */
async function writeInsert(db: Db, table: string, kept: Kept): Promise<string> {
  const columns = await query<{ name: string }>(
    db,
    'bench_grow_columns',
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const isOver = (days: number) => `${AT} < now() - interval '${days} days'`;
  const values = names.map((name) => {
    const value = MADE[name] ?? `t.${name}`;
    const emptied = EMPTIED[name];
    return emptied === undefined ? value : `case when ${isOver(kept.exchanges)} then ${emptied} else ${value} end`;
  });
  const ending = ENDING[table];
  return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
    from generate_series($FROM, $TO) as g(n), like_${table} t
    ${ending === undefined ? '' : `where not (${isOver(kept[ending])})`}`;
}
