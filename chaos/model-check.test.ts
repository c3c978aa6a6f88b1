// A short check in every run of the tests; a long one with `npm run chaos -- model`.
import { testShortForm } from './kit/in-vitest.ts';
import { modelCheck } from './model-check.ts';

testShortForm(modelCheck, 120_000);
