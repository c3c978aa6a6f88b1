// SQL of the steps of the money path: each is a function of the database that takes one jsonb; several can share a transaction.
import { type Queryable, query } from '#server/platform/database/db.ts';

export type StepName = 'place_order' | 'finish_deliveries' | 'finish_create' | 'apply_report';

export type Step = {
  readonly name: StepName;
  /** The text of its parameter. */
  readonly input: string;
  /** Whose rows it locks, a player's or an order's. */
  readonly owner: string;
};

/**
 * Runs steps, together with others where there are any. For what most orders need, and only that: a step that locks what many orders share
 * (stock, cards) or counters after its order (what was reserved goes back) goes by itself.
 */
export type Steps = { run(step: Step): Promise<unknown> };

/** Runs one step: by itself on a connection, or with others. */
export async function runStep(on: Queryable | Steps, step: Step): Promise<unknown> {
  if ('run' in on) return on.run(step);
  const [row] = await query<{ answer: unknown }>(on, step.name, `select ${step.name}($1::jsonb) as answer`, [
    step.input,
  ]);
  if (!row) throw new Error(`${step.name} answered nothing`);
  return row.answer;
}

/**
 * Runs steps in their order in one transaction: all of them happen, or none.
 * @returns their answers in the same order
 * @throws the database's error also where one of them would have waited for a lock for more than 100 ms
 */
export async function runInOneTransaction(db: Queryable, steps: readonly Step[]): Promise<unknown[]> {
  const rows = await query<{ answer: unknown }>(db, 'run_steps', 'select run_steps($1::jsonb) as answer', [
    // The inputs are JSON already.
    `[${steps.map(({ name, input }) => `{"name":"${name}","input":${input}}`).join(',')}]`,
  ]);
  if (rows.length !== steps.length) throw new Error(`run_steps answered ${rows.length} of ${steps.length} steps`);
  return rows.map(({ answer }) => answer);
}
