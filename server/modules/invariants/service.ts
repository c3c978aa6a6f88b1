// Looks whether the books, limits and states are as they must be. For an operator at any time,
// and once an hour in a worker.
import { type Db, transaction } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import { listInvariantViews, readBreaches, saveInvariantCheck, takeInvariantTurn } from './store.ts';

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

/** Runs every invariant, keeps the outcome for the health page, and answers it in the order of their numbers. */
export async function checkInvariants(db: Db): Promise<InvariantResult[]> {
  const results: InvariantResult[] = [];
  for (const view of await listInvariantViews(db)) {
    // One transaction each: one snapshot for one view is enough, and vacuum need not wait for all of them.
    const found = await transaction(db, async (client) => {
      await client.query(`set local statement_timeout = ${LONGEST_MS}`);
      return readBreaches(client, view.name, EXAMPLES, LONGEST_MS);
    });
    const [, number = '', words = ''] = /^invariant_i(\d+)_(.*)$/.exec(view.name) ?? [];
    results.push({ invariant: `I${number}`, sentence: view.sentence ?? words.replaceAll('_', ' '), ...found });
  }
  const broken = results.filter((result) => result.breaches > 0);
  await saveInvariantCheck(
    db,
    broken.map(({ invariant, breaches, examples }) => ({ invariant, breaches, example: nameOf(examples[0]) })),
  );
  return results;
}

/** Once an hour in all processes together; an alert for each invariant that is broken. */
export async function checkInvariantsHourly(deps: { db: Db; log: Log }): Promise<void> {
  if (!(await takeInvariantTurn(deps.db, 3600))) return;
  for (const { invariant, sentence, breaches, examples } of await checkInvariants(deps.db)) {
    if (breaches > 0)
      deps.log.error(
        { alert: 'invariant', invariant, breaches, example: nameOf(examples[0]) },
        `an invariant is broken: ${sentence}`,
      );
  }
}

/** What a person can look up, the nearest thing first; the views have different columns. */
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
