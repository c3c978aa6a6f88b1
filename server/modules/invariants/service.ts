// Looks whether the books, limits and states are as they must be: all of them, or those of the players of whom
// something has changed (decision 65). For an operator at any time, and in a worker: what changed once an hour,
// everything once a night.
import { type Db, transaction } from '#server/platform/database/db.ts';
import type { Read, Reads } from '#server/platform/database/reads/reads.ts';
import { isSpread } from '#server/platform/database/schema/spread.ts';
import type { Log } from '#server/platform/log.ts';
import { type Pace, unpaced } from '#server/platform/pace.ts';
import {
  type BreachSummary,
  type InvariantView,
  type Whose,
  isFullCheckDue,
  listBrokenPlayers,
  listChangedPlayers,
  listInvariantViews,
  listOverduePlayers,
  listPlayerRanges,
  noteChanges,
  readBreaches,
  readBreachesOf,
  renewInvariantCheck,
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

/** Our choice: as many as have some hundred orders together, of which a statement reads milliseconds. */
const PLAYERS_AT_ONCE = 10;

/** Our choice: so many players with a breach are looked at again each hour; more are seen by the full look alone. */
const MAX_BROKEN_PLAYERS = 1000;

/** Our choice: far below an hour, after which another worker would take the turn of one that has ended. */
const RENEWED_MS = 300_000;

/**
 * Runs every invariant over everything, keeps the outcome for the health page, and answers it in the order of their
 * numbers. Players in pieces of some hundred orders: statements of milliseconds, however large the shop is.
 * @param replica reads from there; what is kept goes to `db`
 * @param pace rests between two statements
 */
export async function checkInvariants(
  db: Db,
  replica: Db | null = null,
  pace: Pace = unpaced,
): Promise<InvariantResult[]> {
  const from = replica ?? db;
  const views = await listInvariantViews(from);
  // There one statement asks all nodes at once; in pieces each would be asked thousands of times.
  const isWhole = await isSpread(from);
  const [byPlayer, whole] = isWhole ? [[], views] : partition(views, (view) => view.is_by_player);
  const found = newFound(views);
  const renew = createRenewal(db);
  let notedPlayers = 0;
  const note = async (players: readonly string[]): Promise<void> => {
    // From now on each look at what changed reads them, until they are right.
    const noted = players.slice(0, MAX_BROKEN_PLAYERS - notedPlayers);
    if (noted.length > 0) await noteChanges(db, noted);
    notedPlayers += noted.length;
  };
  const look = async (whose: Whose): Promise<void> => {
    await note([...(await transaction(from, (client) => lookAt(client, byPlayer, whose, found, pace)))]);
    await renew();
  };
  for (const view of whole) {
    const { breaches, players } = await transaction(from, (client) => lookAtWhole(client, view));
    Object.assign(found.get(view.name) ?? {}, breaches);
    await note(players);
    await pace();
  }
  if (byPlayer.length > 0) {
    for await (const range of listPlayerRanges(from)) await look(range);
    await look(null);
  }
  const results = [...found.values()];
  await saveFullCheck(db, summarize(results), replica !== null);
  return results;
}

/** One snapshot for one view is enough, and vacuum need not wait for all of them. */
async function lookAtWhole(
  client: Parameters<typeof takeChanges>[0],
  view: InvariantView,
): Promise<{ breaches: Pick<Found, 'breaches' | 'examples'>; players: string[] }> {
  // One processor: the shop sells meanwhile on the others.
  await client.query(`set local statement_timeout = ${LONGEST_MS}; set local max_parallel_workers_per_gather = 0`);
  const breaches = await readBreaches(client, view.name, EXAMPLES, LONGEST_MS);
  const isListed = breaches.breaches > 0 && view.is_by_player;
  return { breaches, players: isListed ? await listBrokenPlayers(client, view.name, MAX_BROKEN_PLAYERS) : [] };
}

/**
 * Runs every invariant over the players of whom something has changed since they were looked at last, or has been open
 * for too long. One that sums over all players is left to the full look, and not answered here.
 * @param pace rests between two statements
 */
export async function checkChanges(
  db: Db,
  pace: Pace = unpaced,
): Promise<{ players: number; results: InvariantResult[] }> {
  const all = await listInvariantViews(db);
  const views = all.filter((view) => view.is_by_player);
  const found = newFound(views);
  const renew = createRenewal(db);
  let count = 0;
  const look = async (players: readonly string[]): Promise<void> => {
    count += players.length;
    await transaction(db, (client) => lookAtChanged(client, views, players, found, pace));
    await renew();
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

/**
 * Runs every invariant over these players alone, whoever has changed them, and over what belongs to nobody. Nothing is
 * kept of it. @returns those that are broken
 */
export async function findBrokenOf(
  db: Db,
  players: AsyncIterable<readonly string[]>,
  pace: Pace,
): Promise<InvariantResult[]> {
  const views = (await listInvariantViews(db)).filter((view) => view.is_by_player);
  const found = newFound(views);
  const look = (whose: Whose) => transaction(db, (client) => lookAt(client, views, whose, found, pace));
  for await (const some of players) await look(some);
  await look(null);
  return [...found.values()].filter(({ breaches }) => breaches > 0);
}

type Found = { invariant: string; sentence: string; breaches: number; examples: Record<string, unknown>[] };

/** Keeps the turn of a look that takes long, now and then. */
function createRenewal(db: Db): () => Promise<void> {
  let renewed = performance.now();
  return async () => {
    if (performance.now() - renewed < RENEWED_MS) return;
    await renewInvariantCheck(db);
    renewed = performance.now();
  };
}

const newFound = (views: readonly InvariantView[]): Map<string, Found> =>
  new Map(views.map((view) => [view.name, { ...titleOf(view), breaches: 0, examples: [] }]));

/** In one transaction: a change is taken out with the look at it, or not at all. */
async function lookAtChanged(
  client: Parameters<typeof takeChanges>[0],
  views: readonly InvariantView[],
  players: readonly string[],
  found: ReadonlyMap<string, Found>,
  pace: Pace,
): Promise<void> {
  await takeChanges(client, players);
  const broken = await lookAt(client, views, players, found, pace);
  // Until they are right, each look finds them.
  if (broken.size > 0) await noteChanges(client, [...broken]);
}

/** Adds to `found` what is broken of some players. @returns of whom */
async function lookAt(
  client: Parameters<typeof takeChanges>[0],
  views: readonly InvariantView[],
  whose: Whose,
  found: ReadonlyMap<string, Found>,
  pace: Pace,
): Promise<Set<string>> {
  // By their keys, whatever the statistics of the day say: tables are as large as the shop is old. And planned once:
  // over the months of two years that takes longer than to look at the players. Citus has no plan for all calls.
  await client.query(
    `set local statement_timeout = ${LONGEST_MS}; set local enable_seqscan = off; set local enable_hashjoin = off; ` +
      'set local enable_mergejoin = off; set local jit = off; set local max_parallel_workers_per_gather = 0; ' +
      "select set_config('plan_cache_mode', case when to_regclass('pg_dist_partition') is null then " +
      "'force_generic_plan' else 'auto' end, true)",
  );
  const broken = new Set<string>();
  for (const view of views) {
    const into = found.get(view.name);
    for (const row of await readBreachesOf(client, view.name, whose, LONGEST_MS)) {
      if (row.player_id !== null) broken.add(row.player_id);
      if (!into) continue;
      into.breaches += row.breaches;
      if (into.examples.length < EXAMPLES) into.examples.push(row.example);
    }
    await pace();
  }
  return broken;
}

const partition = <Item>(items: readonly Item[], has: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(has),
  items.filter((item) => !has(item)),
];

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
export async function checkInvariantsHourly(deps: {
  db: Db;
  log: Log;
  reads: Reads;
  fullHour: number;
  /** Of a look, from its beginning on. */
  newPace: () => Pace;
}): Promise<void> {
  const { db, log, reads } = deps;
  if (!(await leaseInvariantCheck(db, 3600))) return;
  const found = new Map<string, InvariantResult>();
  const keep = (results: readonly InvariantResult[]) => results.forEach((one) => found.set(one.invariant, one));
  try {
    keep((await checkChanges(db, deps.newPace())).results);
    if (await isFullCheckDue(db, deps.fullHour)) keep((await checkFully(db, reads, deps.newPace())).value);
  } finally {
    // Each once, also where the night's look gave up after this hour's.
    alertAll(log, [...found.values()]);
  }
}

/** Our choice: a replica that replays what a night's job wrote is waited for a moment. */
const WAIT_FOR_REPLICA_MS = 3000;

/**
 * Everything, from the replica where there is one that is near enough. @param pace for the sake of who buys meanwhile,
 * where it is read from the database itself
 */
export const checkFully = (db: Db, reads: Reads, pace: Pace = unpaced): Promise<Read<InvariantResult[]>> =>
  reads.read(
    (from) => (from === db ? checkInvariants(db, null, pace) : checkInvariants(db, from)),
    WAIT_FOR_REPLICA_MS,
  );

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
