// Ends a run of the browser flows with one line that people and programs read alike: "N passed, N failed".
import type { FullResult, Reporter, TestCase } from '@playwright/test/reporter';

export default class CountReporter implements Reporter {
  readonly #tests = new Set<TestCase>();
  #errors = 0;

  onTestEnd(test: TestCase): void {
    this.#tests.add(test);
  }

  /** A failure outside of every test: a set-up that broke, a file that does not load. */
  onError(): void {
    this.#errors += 1;
  }

  onEnd(result: FullResult): void {
    const outcomes = [...this.#tests].map((test) => test.outcome());
    const passed = outcomes.filter((outcome) => outcome === 'expected' || outcome === 'flaky').length;
    const failed = outcomes.filter((outcome) => outcome === 'unexpected').length + this.#errors;
    // A run that was stopped must not read as a good one.
    const isCutShort = failed === 0 && result.status !== 'passed';
    process.stdout.write(`\n${passed} passed, ${isCutShort ? 1 : failed} failed\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
