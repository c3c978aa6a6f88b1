// Steps of several orders share a transaction. Where it did not happen because one of them met a lock or a fault of its own, each is run by itself.
import { type Queryable, isRefused } from '#server/platform/database/db.ts';
import { gather } from '#server/platform/gather.ts';
import type { Repeat } from '#server/platform/repeat.ts';
import { type Step, type StepName, type Steps, runInOneTransaction, runStep } from './step-store.ts';

/** As everywhere: counters of players, then deliveries, then orders. @source ARCHITECTURE.md, lock order */
const RANKS: Record<StepName, number> = {
  place_order: 0,
  record_delivery_results: 1,
  record_create_result: 2,
  receive_report: 2,
};

export function createSteps(db: Queryable, repeat?: Repeat): Steps {
  return { run: gather((steps: readonly Step[]) => runTogether(db, steps), repeat) };
}

async function runTogether(db: Queryable, steps: readonly Step[]): Promise<readonly unknown[]> {
  const [only] = steps;
  if (only && steps.length === 1) return [await runStep(db, only)];
  // One order for all, so that two transactions do not meet crosswise.
  const sorted = steps.toSorted(
    (a, b) => RANKS[a.name] - RANKS[b.name] || Number(a.owner > b.owner) - Number(a.owner < b.owner),
  );
  try {
    const answers = await runInOneTransaction(db, sorted);
    const answerOf = new Map(sorted.map((step, index) => [step, answers[index]]));
    return steps.map((step) => answerOf.get(step));
  } catch (error) {
    // A database that is gone may have committed: then nobody knows, and each caller is told so.
    if (!isRefused(error)) throw error;
    return steps.map((step) => runStep(db, step));
  }
}
