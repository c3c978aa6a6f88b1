// A short check in every run of the tests; a thousand histories with `npm run chaos -- codes`.
import { codeHistories } from './code-histories.ts';
import { testShortForm } from './kit/in-vitest.ts';

testShortForm(codeHistories, 120_000);
