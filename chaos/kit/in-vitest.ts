// A test of this room as a test of Vitest: the short form, on a clone of the run's own template database.
import { expect, inject, test } from 'vitest';
import { type ChaosTest, isFlawless } from './chaos-test.ts';

/** @param timeoutMs for machines much slower than ours */
export function testShortForm(chaos: ChaosTest, timeoutMs = 60_000): void {
  test(
    `${chaos.number} ${chaos.name}: ${chaos.about} (${chaos.load('short', {})})`,
    async () => {
      const said: string[] = [];
      const outcome = await chaos.run('short', {
        template: async () => inject('templateDatabaseUrl'),
        options: {},
        say: (line) => said.push(line),
      });
      const { orders, ...found } = outcome;
      if (!isFlawless(outcome)) console.log(said.join('\n'));
      expect(found).toEqual({ lost: [], doubled: [], breaches: [], faults: [] });
      // A test that played nothing proves nothing.
      expect(orders).toBeGreaterThan(0);
    },
    timeoutMs,
  );
}
