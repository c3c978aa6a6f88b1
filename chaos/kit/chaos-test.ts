// Declares a test of this room: a module that can run short (inside npm test) and in full (npm run chaos), and says
// what it counted.

export type Size = 'short' | 'full';

/** Counted, never assumed. All lists empty: the promises held. */
export type Outcome = {
  readonly orders: number;
  /** Instead of orders, where a test counts something else. */
  readonly unit?: string;
  /** Orders, money or goods that nobody looks after any more, one line each. */
  readonly lost: readonly string[];
  /** Money or goods given twice. */
  readonly doubled: readonly string[];
  /** Invariants of the database that do not hold. */
  readonly breaches: readonly string[];
  /** Anything else that was promised and is not so. */
  readonly faults: readonly string[];
  /** Why it could not be run here, and how it can; such a test has neither passed nor failed. */
  readonly notRun?: string;
};

export type ChaosContext = {
  /** Connection string of a migrated template database, to be cloned; made when it is first asked for. */
  readonly template: () => Promise<string>;
  /** From the command line: `--seeds 50` is `{ seeds: '50' }`. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** A line for whoever waits, or looks for the reason of a failure. */
  readonly say: (line: string) => void;
};

export type ChaosTest = {
  /** Number in the list of forty, or what it is beside them. */
  readonly number: string;
  /** Its name on the command line, kebab-case. */
  readonly name: string;
  /** Describes the fault in a few words. */
  readonly about: string;
  readonly load: (size: Size, options: ChaosContext['options']) => string;
  run(size: Size, context: ChaosContext): Promise<Outcome>;
};

export const FLAWLESS: Outcome = { orders: 0, lost: [], doubled: [], breaches: [], faults: [] };

export function addOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    orders: outcomes.reduce((sum, outcome) => sum + outcome.orders, 0),
    lost: outcomes.flatMap((outcome) => outcome.lost),
    doubled: outcomes.flatMap((outcome) => outcome.doubled),
    breaches: outcomes.flatMap((outcome) => outcome.breaches),
    faults: outcomes.flatMap((outcome) => outcome.faults),
  };
}

/** Also false of what has not been run. */
export function isFlawless(outcome: Outcome): boolean {
  if (outcome.notRun !== undefined) return false;
  return [outcome.lost, outcome.doubled, outcome.breaches, outcome.faults].every((list) => list.length === 0);
}
