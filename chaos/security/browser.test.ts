// Those that open pages in Chromium, against the built storefront; the full numbers with `npm run security`.
import { SECURITY_TESTS } from './all.ts';
import { testShortForms } from './in-vitest.ts';

testShortForms(SECURITY_TESTS.filter(({ needsBrowser }) => needsBrowser));
