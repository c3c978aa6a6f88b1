// SQL of the partitions that tables of orders lie in, one a month (decision 62).
import { type Queryable, query } from '#server/platform/database/db.ts';

/** Makes those of this month and the next that are not there. @returns the names of what it made */
export async function makePartitions(db: Queryable): Promise<string[]> {
  const rows = await query<{ name: string }>(db, 'partitions_make', 'select make_partitions() as name');
  return rows.map(({ name }) => name);
}

export type PartitionNumbers = {
  /** Months after this one that every table has its partition for: one or more when all is well; three at most. */
  readonly monthsAhead: number;
  /** Orders whose month nobody had made, a thousand at most. They are well, and cannot be archived with their month. */
  readonly strays: number;
};

export async function readPartitionNumbers(db: Queryable): Promise<PartitionNumbers> {
  // Two statements: on a spread database the one reads the catalogue here, the other asks the nodes (decision 64).
  const [months] = await query<{ ahead: number }>(
    db,
    'partitions_ahead',
    `select (min(n) - 1)::integer as ahead from list_partitioned() as name, generate_series(1, 4) as n
     where n = 4 or to_regclass(name || to_char(date_trunc('month',
       now() at time zone 'UTC') + n * interval '1 month', '_YYYY_MM')) is null`,
  );
  const [found] = await query<{ strays: number }>(
    db,
    'partitions_strays',
    'select count(*)::integer as strays from (select 1 as one from orders_default limit 1000) stray',
  );
  return { monthsAhead: months?.ahead ?? 0, strays: found?.strays ?? 0 };
}
