// One world in every run of the tests; all of them with `npm run chaos -- outage-of-hours`.
import { testShortForm } from './kit/in-vitest.ts';
import { outageOfHours } from './outage-of-hours.ts';

testShortForm(outageOfHours, 300_000);
