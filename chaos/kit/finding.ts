// Declares the result of a fault test with real processes, and makes such a test one of the room.
import { type ChaosContext, type ChaosTest, FLAWLESS, type Outcome, type Size } from './chaos-test.ts';
import type { Verdict } from './verdict.ts';

/** With figures for a person: "worst wait 15.3 s, drained in 2.1 s". */
export type Finding = Outcome & { readonly result: string };

/** @param orders that were bought. @param faults promises that were not kept, as sentences */
export function toFinding(verdict: Verdict, orders: number, result: string, faults: readonly string[] = []): Finding {
  return { ...verdict, orders, faults, result };
}

/** @param why it cannot be run on this machine, and what is missing */
export function tellNotRun(why: string): Finding {
  return { ...FLAWLESS, notRun: why, result: '' };
}

/** The short form borrows its database; null in full, which has a PostgreSQL of its own. */
export type Borrowed = { readonly templateUrl: string } | null;

export async function borrowFor(size: Size, context: ChaosContext): Promise<Borrowed> {
  return size === 'short' ? { templateUrl: await context.template() } : null;
}

/** One test with its two loads; what they are made of is said by `describe`. */
export function processTest<Load>(test: {
  number: string;
  name: string;
  about: string;
  loads: Readonly<Record<Size, Load>>;
  describe: (load: Load) => string;
  run: (load: Load, borrowed: Borrowed, options: ChaosContext['options']) => Promise<Finding>;
}): ChaosTest {
  const { number, name, about, loads } = test;
  return {
    number,
    name,
    about,
    load: (size) => test.describe(loads[size]),
    run: async (size, context) => {
      const { result, ...outcome } = await test.run(loads[size], await borrowFor(size, context), context.options);
      // Why one was not run is said for all of them at one place.
      if (outcome.notRun === undefined) context.say(`      ${result}`);
      return outcome;
    },
  };
}
