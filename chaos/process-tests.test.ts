// The tests with real processes that every run of the tests can afford, one after the other; all
// of them with `npm run chaos`.
import { testShortForm } from './kit/in-vitest.ts';
import { processTests } from './process-tests.ts';

/**
 * One of each kind: a server is killed, killed at the worst moment and between a payment and its unblock, an answer is
 * cut, a clock is wrong, a replica stands still.
 */
const AFFORDABLE: readonly string[] = ['1', '4', '17', '24', '43'];

for (const test of processTests) if (AFFORDABLE.includes(test.number)) testShortForm(test, 180_000);
