// The steps of the money path, each a function of the database. Steps of several orders may share a transaction: all of them happen or
// none, and where none did because one met a lock or a fault of its own, each is run by itself.
import { type Queryable, isDatabaseDown, query } from '#server/platform/db.ts';
import { gather } from '#server/platform/gather.ts';
import type { Repeat } from '#server/platform/repeat.ts';

export type StepName = 'place_order' | 'finish_deliveries' | 'finish_create' | 'apply_report';

export type Step = {
  readonly name: StepName;
  /** The text of its one parameter, jsonb. */
  readonly input: string;
  /** Whose rows it locks, a player's or an order's: steps of a transaction go in this order, so that two transactions do not meet crosswise. */
  readonly owner: string;
};

/**
 * Runs steps, together with others where there are any. For what most orders need, and only that: a step that locks what many orders share
 * (stock, cards) or counters after its order (what was reserved goes back) goes by itself.
 */
export type Steps = { run(step: Step): Promise<unknown> };

/** As everywhere: counters of players, then deliveries, then orders. @source ARCHITECTURE.md, lock order */
const RANKS: Record<StepName, number> = { place_order: 0, finish_deliveries: 1, finish_create: 2, apply_report: 2 };

export function createSteps(db: Queryable, repeat?: Repeat): Steps {
  return { run: gather((steps: readonly Step[]) => runTogether(db, steps), repeat) };
}

/** Runs one step: by itself on a connection, or with others. */
export async function runStep(on: Queryable | Steps, step: Step): Promise<unknown> {
  if ('run' in on) return on.run(step);
  const [row] = await query<{ answer: unknown }>(on, step.name, `select ${step.name}($1::jsonb) as answer`, [
    step.input,
  ]);
  if (!row) throw new Error(`${step.name} answered nothing`);
  return row.answer;
}

async function runTogether(db: Queryable, steps: readonly Step[]): Promise<readonly unknown[]> {
  const [only] = steps;
  if (only && steps.length === 1) return [await runStep(db, only)];
  const sorted = steps.toSorted((a, b) => RANKS[a.name] - RANKS[b.name] || (a.owner < b.owner ? -1 : 1));
  try {
    const rows = await query<{ answer: unknown }>(db, 'run_steps', 'select run_steps($1, $2::jsonb[]) as answer', [
      sorted.map(({ name }) => name),
      sorted.map(({ input }) => input),
    ]);
    if (rows.length !== steps.length) throw new Error(`run_steps answered ${rows.length} of ${steps.length} steps`);
    const answers = new Map(sorted.map((step, index) => [step, rows[index]?.answer]));
    return steps.map((step) => answers.get(step));
  } catch (error) {
    // A database that is gone may have committed: then nobody knows, and each caller is told so.
    if (!(error as { code?: string }).code || isDatabaseDown(error)) throw error;
    return steps.map((step) => runStep(db, step));
  }
}
