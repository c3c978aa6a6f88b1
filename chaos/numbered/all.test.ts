// The numbered tests in short form; the full numbers with `npm run chaos -- numbered`.
import { testShortForm } from '../kit/in-vitest.ts';
import { NUMBERED } from './all.ts';

for (const numbered of NUMBERED) testShortForm(numbered);
