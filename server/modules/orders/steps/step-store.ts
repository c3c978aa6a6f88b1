// SQL of the steps of the money path: each is one function of the database; several can share a transaction.
import { type Queryable, callFunction, query, refuseUndefined, toJsonb } from '#server/platform/database/db.ts';

export type StepName =
  | 'place_order'
  | 'record_delivery_results'
  | 'record_delivery'
  | 'record_create_result'
  | 'receive_report';

export type Step<Answer = unknown> = {
  readonly name: StepName;
  /** The function's parameters by name, without their p_. All of them, also where they are null. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whose rows it locks, a player's or an order's. */
  readonly owner: string;
  /** Never there: it carries the type of the function's answer. */
  readonly answer?: Answer;
};

/** Runs one step by itself. */
export async function runStep<Answer>(db: Queryable, step: Step<Answer>): Promise<Answer> {
  return (await callFunction(db, step.name, step.values)) as Answer;
}

/**
 * Runs steps in their order in one transaction: all of them happen, or none.
 * @returns their answers in the same order
 * @throws the database's error also where one of them would have waited for a lock for more than 100 ms
 */
export async function runInOneTransaction(db: Queryable, steps: readonly Step[]): Promise<unknown[]> {
  for (const { name, values } of steps) refuseUndefined(name, values);
  const rows = await query<{ answer: unknown }>(db, 'run_steps', 'select run_steps($1::jsonb) as answer', [
    toJsonb(steps.map(({ name, values }) => ({ name, input: values }))),
  ]);
  if (rows.length !== steps.length) throw new Error(`run_steps answered ${rows.length} of ${steps.length} steps`);
  return rows.map(({ answer }) => answer);
}
