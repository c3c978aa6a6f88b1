// A part of the sweep in every run of the tests; all of it with `npm run chaos -- crash-points`.
import { crashPoints } from './crash-points.ts';
import { testShortForm } from './kit/in-vitest.ts';

testShortForm(crashPoints, 300_000);
