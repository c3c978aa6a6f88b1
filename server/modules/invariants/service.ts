// Looks whether the books, limits and states are as they must be: all of them, or those of the players of whom
// something has changed (decision 65). For an operator at any time, and in a worker: what changed once an hour,
// everything once a night.
import { type Db, transaction } from '#server/platform/database/db.ts';
import type { Read, Reads } from '#server/platform/database/reads/reads.ts';
import type { Log } from '#server/platform/log.ts';
import {
  type BreachSummary,
  type InvariantView,
  isFullCheckDue,
  listBrokenPlayers,
  listChangedPlayers,
  listInvariantViews,
  listOverduePlayers,
  noteChanges,
  readBreaches,
  readBreachesOf,
  saveChangesCheck,
  saveFullCheck,
  takeChanges,
  leaseInvariantCheck,
} from './store.ts';

export type InvariantResult = {
  /** "I6". */
  readonly invariant: string;
  readonly sentence: string;
  readonly breaches: number;
  /** At most five rows of the view. */
  readonly examples: readonly Record<string, unknown>[];
};

const EXAMPLES = 5;

/** Our choice: the views read whole tables; ten minutes is far above what millions of orders take. */
const LONGEST_MS = 600_000;

/** Our choice: one transaction of a second or so; the statements read some hundred rows each. */
const PLAYERS_AT_ONCE = 200;

/** Our choice: so many players with a breach are looked at again each hour; more are seen by the full look alone. */
const MAX_BROKEN_PLAYERS = 1000;

/**
 * Runs every invariant over everything, keeps the outcome for the health page, and answers it in the order of their
 * numbers.
 * @param replica reads from there; what is kept goes to `db`
 */
export async function checkInvariants(db: Db, replica: Db | null = null): Promise<InvariantResult[]> {
  const from = replica ?? db;
  const results: InvariantResult[] = [];
  for (const view of await listInvariantViews(from)) {
    // One transaction each: one snapshot for one view is enough, and vacuum need not wait for all of them.
    const found = await transaction(from, async (client) => {
      // One processor: the shop sells meanwhile on the others.
      await client.query(`set local statement_timeout = ${LONGEST_MS}; set local max_parallel_workers_per_gather = 0`);
      const breaches = await readBreaches(client, view.name, EXAMPLES, LONGEST_MS);
      const isListed = breaches.breaches > 0 && view.is_by_player;
      return { breaches, players: isListed ? await listBrokenPlayers(client, view.name, MAX_BROKEN_PLAYERS) : [] };
    });
    // From now on each look at what changed reads them, until they are right.
    if (found.players.length > 0) await noteChanges(db, found.players);
    results.push({ ...titleOf(view), ...found.breaches });
  }
  await saveFullCheck(db, summarize(results), replica !== null);
  return results;
}

/**
 * Runs every invariant over the players of whom something has changed since they were looked at last, or has been open
 * for too long. One that sums over all players is left to the full look, and not answered here.
 */
export async function checkChanges(db: Db): Promise<{ players: number; results: InvariantResult[] }> {
  const all = await listInvariantViews(db);
  const views = all.filter((view) => view.is_by_player);
  const found = new Map(views.map((view) => [view.name, { ...titleOf(view), breaches: 0, examples: [] }]));
  let count = 0;
  const look = async (players: readonly string[]): Promise<void> => {
    count += players.length;
    await transaction(db, (client) => lookAtPlayers(client, views, players, found));
  };
  const overdue = await listOverduePlayers(db);
  const changed = new Set<string>();
  for (let after: string | null = null; ;) {
    const players = await listChangedPlayers(db, after, PLAYERS_AT_ONCE);
    if (players.length > 0) await look(players);
    for (const player of players) changed.add(player);
    after = players.at(-1) ?? after;
    if (players.length < PLAYERS_AT_ONCE) break;
  }
  const others = overdue.filter((player) => !changed.has(player));
  for (let at = 0; at < others.length; at += PLAYERS_AT_ONCE) await look(others.slice(at, at + PLAYERS_AT_ONCE));
  const results = [...found.values()];
  const fullOnly = all.filter((view) => !view.is_by_player).map((view) => titleOf(view).invariant);
  await saveChangesCheck(db, summarize(results), fullOnly);
  return { players: count, results };
}

type Found = { invariant: string; sentence: string; breaches: number; examples: Record<string, unknown>[] };

/** In one transaction: a change is taken out with the look at it, or not at all. */
async function lookAtPlayers(
  client: Parameters<typeof takeChanges>[0],
  views: readonly InvariantView[],
  players: readonly string[],
  found: ReadonlyMap<string, Found>,
): Promise<void> {
  // By their keys, whatever the statistics of the day say: the tables are as large as the shop is old.
  await client.query(
    `set local statement_timeout = ${LONGEST_MS}; set local enable_seqscan = off; set local enable_hashjoin = off; ` +
      'set local enable_mergejoin = off; set local jit = off',
  );
  await takeChanges(client, players);
  const broken = new Set<string>();
  for (const view of views) {
    const into = found.get(view.name);
    for (const row of await readBreachesOf(client, view.name, players, LONGEST_MS)) {
      broken.add(row.player_id);
      if (!into) continue;
      into.breaches += row.breaches;
      if (into.examples.length < EXAMPLES) into.examples.push(row.example);
    }
  }
  // Until they are right, each look finds them.
  if (broken.size > 0) await noteChanges(client, [...broken]);
}

const titleOf = ({ name, sentence }: InvariantView): { invariant: string; sentence: string } => {
  const [, number = '', words = ''] = /^invariant_i(\d+)_(.*)$/.exec(name) ?? [];
  return { invariant: `I${number}`, sentence: sentence ?? words.replaceAll('_', ' ') };
};

const summarize = (results: readonly InvariantResult[]): BreachSummary[] =>
  results
    .filter((result) => result.breaches > 0)
    .map(({ invariant, breaches, examples }) => ({ invariant, breaches, example: nameOf(examples[0]) }));

/**
 * Once an hour in all processes together what changed, and after the hour `fullHour` of each day everything; an alert
 * for each invariant that is broken.
 */
export async function checkInvariantsHourly(deps: { db: Db; log: Log; reads: Reads; fullHour: number }): Promise<void> {
  const { db, log, reads } = deps;
  if (!(await leaseInvariantCheck(db, 3600))) return;
  const found = new Map<string, InvariantResult>();
  const keep = (results: readonly InvariantResult[]) => results.forEach((one) => found.set(one.invariant, one));
  try {
    keep((await checkChanges(db)).results);
    if (await isFullCheckDue(db, deps.fullHour)) keep((await checkFully(db, reads)).value);
  } finally {
    // Each once, also where the night's look gave up after this hour's.
    alertAll(log, [...found.values()]);
  }
}

/** Our choice: a replica that replays what a night's job wrote is waited for a moment. */
const WAIT_FOR_REPLICA_MS = 3000;

/** Everything, from the replica where there is one that is near enough. */
export const checkFully = (db: Db, reads: Reads): Promise<Read<InvariantResult[]>> =>
  reads.read((from) => checkInvariants(db, from === db ? null : from), WAIT_FOR_REPLICA_MS);

function alertAll(log: Pick<Log, 'error'>, results: readonly InvariantResult[]): void {
  for (const { invariant, sentence, breaches, examples } of results) {
    if (breaches > 0)
      log.error(
        { alert: 'invariant', invariant, breaches, example: nameOf(examples[0]) },
        `an invariant is broken: ${sentence}`,
      );
  }
}

/** A person can look these up, the nearest one first; the views have different columns. */
const NAMING_COLUMNS = [
  'billing_no',
  'reward_no',
  'product_id',
  'txn_id',
  'player_id',
  'currency',
  'provider',
] as const;

function nameOf(example: Record<string, unknown> | undefined): string | null {
  const column = NAMING_COLUMNS.find((one) => example?.[one] !== null && example?.[one] !== undefined);
  return column === undefined ? null : `${column} ${String(example?.[column])}`;
}
