// Those that open pages in Chromium, against the built storefront; all of them, and in full numbers, with
// `npm run security`.
import { SECURITY_TESTS } from './all.ts';
import { testShortForms } from './in-vitest.ts';

/**
 * Every run of the tests can afford these: tokens in addresses, a link with another account's token, scripts in every
 * text, frames, nonces.
 */
const AFFORDABLE: readonly string[] = ['1', '10', '15', '16', '17'];

testShortForms(SECURITY_TESTS.filter(({ needsBrowser, number }) => needsBrowser && AFFORDABLE.includes(number)));
