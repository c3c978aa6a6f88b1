// What a fault test has found: counts for the last line of a run, and figures for a person.
import type { Verdict } from './verdict.ts';

export type Finding = {
  readonly lost: number;
  readonly doubled: number;
  /** Everything that is not as promised, as sentences; empty when the test passed. */
  readonly faults: readonly string[];
  /** What was measured, for the table: "worst wait 15.3 s, drained in 2.1 s". */
  readonly result: string;
};

/** At most three examples of each: the first is what a person looks at. */
export function toFinding(verdict: Verdict, result: string, faults: readonly string[] = []): Finding {
  const { lost, doubled, breaches } = verdict;
  return {
    lost: lost.length,
    doubled: doubled.length,
    faults: [...faults, ...lost.slice(0, 3), ...doubled.slice(0, 3), ...breaches.map((one) => `invariant ${one}`)],
    result,
  };
}
