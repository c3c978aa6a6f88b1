// The one door to the steps of the money path, and the only place that knows which of them may share a transaction with
// steps of other orders. Callers just call; everything is right without sharing, which REFILL_SHARED_TRANSACTIONS
// switches off.
import {
  type DeliveryResult,
  recordDeliveryResultsStep,
  recordDeliveryStep,
} from '#server/modules/orders/deliveries/delivery-store.ts';
import {
  type CreateResult,
  type PlaceInput,
  type PlaceOutcome,
  placeOrderStep,
  recordCreateResultStep,
} from '#server/modules/orders/store.ts';
import {
  type ReportInput,
  type ReportOutcome,
  receiveReportStep,
} from '#server/modules/orders/payments/report-store.ts';
import { type Queryable, isRefused } from '#server/platform/database/db.ts';
import { gather } from '#server/platform/gather.ts';
import type { Repeat } from '#server/platform/repeat.ts';
import type { Nodes } from '#server/platform/database/nodes.ts';
import { createNodeSteps } from './at-nodes.ts';
import { type Step, type StepName, runInOneTransaction, runStep } from './step-store.ts';

export type Steps = {
  placeOrder(input: PlaceInput): Promise<PlaceOutcome>;
  /** Records what the provider answered to create. */
  recordCreateResult(input: CreateResult): Promise<void>;
  /** Takes in what a provider says of a payment. */
  receiveReport(input: ReportInput): Promise<ReportOutcome>;
  recordDeliveryResults(results: readonly DeliveryResult[]): Promise<void>;
};

/**
 * As everywhere: counters of players, then deliveries, then orders; a kind after the other, for steps of one kind are
 * one statement (sql/run_steps.sql). @source ARCHITECTURE.md, lock order
 */
const RANKS: Record<StepName, number> = {
  place_order: 0,
  record_delivery_results: 1,
  record_delivery: 1,
  record_create_result: 2,
  receive_report: 3,
};

/**
 * @param options.isSharing steps that meet share a transaction; else each has its own
 * @param options.nodes of a spread database: steps are shared where the rows of their players are
 * @param options.batchDb few connections that nothing else uses, for the batches; `db` unless given
 */
export function createSteps(
  db: Queryable,
  options: {
    isSharing: boolean;
    batchDb?: Queryable | undefined;
    nodes?: Nodes | undefined;
    repeat?: Repeat | undefined;
  },
): Steps {
  const { batchDb = db } = options;
  const gathered = gather((steps: readonly Step[]) => runBatch(db, batchDb, steps), options.repeat);
  const alone = <Answer>(step: Step<Answer>): Promise<Answer> => runStep(db, step);
  const shared = options.nodes
    ? createNodeSteps(db, options.nodes, { sort: compare, repeat: options.repeat })
    : options.isSharing
      ? <Answer>(step: Step<Answer>): Promise<Answer> => gathered(step) as Promise<Answer>
      : alone;
  // Shared is what most orders need and no more. A step that locks what many orders use (stock, promo codes, cards,
  // balances), or
  // counters after its order (reservations that are released), goes alone: in a batch it would make strangers wait.
  return {
    placeOrder: (input) =>
      (input.has_stock || input.tender || input.sold.promo ? alone : shared)(placeOrderStep(input)),
    recordCreateResult: (input) => (input.state === 'failed' ? alone : shared)(recordCreateResultStep(input)),
    receiveReport: (input) => (input.report.status === 'paid' ? shared : alone)(receiveReportStep(input)),
    recordDeliveryResults: async (results) => {
      // Unshared, each order's end is a transaction of its own as well: of a database that is spread over machines it
      // touches one.
      if (!options.isSharing)
        await Promise.all(results.map((one) => (one.kind === 'done' ? shared : alone)(recordDeliveryStep(one))));
      else await (results.some(({ kind }) => kind === 'declined') ? alone : shared)(recordDeliveryResultsStep(results));
    },
  };
}

const compare = (a: Step, b: Step): number =>
  RANKS[a.name] - RANKS[b.name] || Number(a.owner > b.owner) - Number(a.owner < b.owner);

/** Runs a batch in one transaction. If it is refused because of one step's lock or fault, each step runs by itself. */
async function runBatch(db: Queryable, batchDb: Queryable, steps: readonly Step[]): Promise<readonly unknown[]> {
  const [only] = steps;
  if (only && steps.length === 1) return [await runStep(batchDb, only)];
  // One order for all, so that two transactions do not meet crosswise.
  const sorted = steps.toSorted(compare);
  try {
    const answers = await runInOneTransaction(batchDb, sorted);
    const answerOf = new Map(sorted.map((step, index) => [step, answers[index]]));
    return steps.map((step) => answerOf.get(step));
  } catch (error) {
    // A database that is gone may have committed: then nobody knows, and each caller is told so.
    if (!isRefused(error)) throw error;
    return steps.map((step) => runStep(db, step));
  }
}
