// Measures the cost of one statement when nothing else runs: the same on a spread database and on a plain one, so that
// the difference is the hop to another node.
import { type Db, transaction } from '#server/platform/database/db.ts';
import { median } from './figures.ts';

/** Our choice: the kernel counts processor time in hundredths of a second. */
const REPEATS = 400;

export type Hop = { readonly name: string; readonly ms: number; readonly postgresMs: number };

/** @param cpuMs of all servers that carry the database, so far */
export async function measureHops(db: Db, cpuMs: () => number): Promise<Hop[]> {
  // The most that lie apart: the first and the last of many are not on one node by chance only.
  const { rows } = await db.query<{ id: string }>(
    'select player_id::text as id from player order by player_id limit 64',
  );
  const ids = rows.map(({ id }) => id);
  const at = (turn: number): string => ids[turn % ids.length] ?? '';
  const change = 'update player set disabled_at = disabled_at where player_id = $1';
  const ways: Record<string, (turn: number) => Promise<unknown>> = {
    'one row read, by its player': (turn) => db.query('select erased_at from player where player_id = $1', [at(turn)]),
    'one row changed, by its player': (turn) => db.query(change, [at(turn)]),
    'rows of two players changed in one transaction': (turn) =>
      transaction(db, async (client) => {
        await client.query(change, [at(turn)]);
        await client.query(change, [at(turn + 1)]);
      }),
    'one row read, by what is no key': () =>
      db.query("select 1 from player where suid = 'nobody' and brand_key = 'none'"),
  };
  const hops: Hop[] = [];
  for (const [name, act] of Object.entries(ways)) {
    const took: number[] = [];
    const before = cpuMs();
    for (let turn = 0; turn < REPEATS; turn += 1) {
      const began = performance.now();
      await act(turn);
      took.push(performance.now() - began);
    }
    hops.push({ name, ms: median(took), postgresMs: (cpuMs() - before) / REPEATS });
  }
  return hops;
}
