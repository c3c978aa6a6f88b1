// All of them as tests of Vitest: the short forms, all on shops of one harness.
import { afterAll, expect, inject, test } from 'vitest';
import { openTestHarness } from './test-harness.ts';
import { type SecurityTest, runSecurityTest } from './security-test.ts';

/** @param timeoutMs of one test, for machines much slower than ours */
export function testShortForms(tests: readonly SecurityTest[], timeoutMs = 120_000): void {
  const harness = openTestHarness(async () => inject('templateDatabaseUrl'));
  afterAll(() => harness.close(), timeoutMs);
  for (const one of tests) {
    test(`${one.number} (ASVS ${one.asvs}) ${one.about}`, { timeout: timeoutMs }, async () => {
      const { faults, tried } = await runSecurityTest(one, harness, 'short');
      expect(faults).toEqual([]);
      expect(tried).toBeGreaterThan(0);
    });
  }
}
