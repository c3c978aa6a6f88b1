// Declares a test of this room: one attack in many forms, which counts tries, refusals and what was let through.
import type { Size } from '../kit/chaos-test.ts';
import type { TestHarness } from './test-harness.ts';

export type Counts = { tried: number; refused: number; allowed: number };

export type Round = {
  readonly harness: TestHarness;
  readonly size: Size;
  /** How often: the number of the list in full, less in short. */
  times(counts: Readonly<Record<Size, number>>): number;
  /** Something that must be refused. `seen` is told when it was not. */
  refused(what: string, isRefused: boolean, seen?: unknown): void;
  /** Something that must work. */
  allowed(what: string, isAllowed: boolean, seen?: unknown): void;
  /** Anything else that must be so. */
  holds(what: string, isSo: boolean, seen?: unknown): void;
  /** Runs at the end of the test, the last one first. */
  defer(step: () => Promise<unknown>): void;
};

export type SecurityTest = {
  /** In the list of all. */
  readonly number: string;
  /** Chapters of OWASP ASVS 5.0 that it proves. */
  readonly asvs: string;
  readonly about: string;
  /** Opens pages in Chromium. */
  readonly needsBrowser?: boolean;
  run(round: Round): Promise<void>;
};

export type Finding = Counts & { readonly faults: readonly string[] };

/** Never throws: a test that breaks off is a fault of its own. */
export async function runSecurityTest(test: SecurityTest, harness: TestHarness, size: Size): Promise<Finding> {
  const counts: Counts = { tried: 0, refused: 0, allowed: 0 };
  const faults: string[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  const look = (what: string, isSo: boolean, seen: unknown): void => {
    counts.tried += 1;
    if (!isSo) faults.push(seen === undefined ? what : `${what}: ${describe(seen)}`);
  };
  try {
    await test.run({
      harness,
      size,
      times: (given) => given[size],
      refused: (what, isRefused, seen) => {
        if (isRefused) counts.refused += 1;
        else counts.allowed += 1;
        look(`${what} is not refused`, isRefused, seen);
      },
      allowed: (what, isAllowed, seen) => {
        if (isAllowed) counts.allowed += 1;
        else counts.refused += 1;
        look(`${what} does not work`, isAllowed, seen);
      },
      holds: look,
      defer: (step) => void steps.push(step),
    });
  } catch (error) {
    faults.push((error as Error).stack ?? String(error));
  }
  for (const step of steps.toReversed())
    await step().catch((error: Error) => faults.push(`at the end: ${error.message}`));
  // A test that tried nothing proves nothing.
  if (counts.tried === 0) faults.push('nothing was tried');
  return { ...counts, faults };
}

function describe(seen: unknown): string {
  const text = typeof seen === 'string' ? seen : JSON.stringify(seen);
  return (text ?? String(seen)).slice(0, 400);
}
