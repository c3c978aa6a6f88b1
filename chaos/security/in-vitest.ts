// All of them as tests of Vitest: the short forms, all on shops of one rig.
import { afterAll, expect, inject, test } from 'vitest';
import { openRig } from './rig.ts';
import { type SecurityTest, runSecurityTest } from './security-test.ts';

/** @param timeoutMs of one test, for machines much slower than ours */
export function testShortForms(tests: readonly SecurityTest[], timeoutMs = 120_000): void {
  const rig = openRig(async () => inject('templateDatabaseUrl'));
  afterAll(() => rig.close(), timeoutMs);
  for (const one of tests) {
    test(`${one.number} (ASVS ${one.asvs}) ${one.about}`, { timeout: timeoutMs }, async () => {
      const { faults, tried } = await runSecurityTest(one, rig, 'short');
      expect(faults).toEqual([]);
      expect(tried).toBeGreaterThan(0);
    });
  }
}
