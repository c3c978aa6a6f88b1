// Those that need no browser; the full numbers with `npm run security`.
import { SECURITY_TESTS } from './all.ts';
import { testShortForms } from './in-vitest.ts';

testShortForms(SECURITY_TESTS.filter(({ needsBrowser }) => !needsBrowser));
