// The tests of abuse that every run of the tests can afford; all of them, and in full, with `npm run chaos -- abuse`.
import { testShortForm } from '../kit/in-vitest.ts';
import { ABUSE } from './all.ts';

for (const test of ABUSE) if (test.number === '34' || test.number === '38') testShortForm(test, 120_000);
