// Tests how long a press of Pay is kept for the page after a login, and that one that was given up is not.
import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => localStorage.clear());

/** A page that is loaded: nothing is left of the one before but what the browser keeps. */
async function loadPage() {
  vi.resetModules();
  return import('./pay-wish.ts');
}

test.each([
  ['just before fifteen minutes', -1, true],
  ['after fifteen minutes', 0, false],
])('a kept press, %s: %j', async (_when, shiftMs, expected) => {
  const before = await loadPage();
  before.keepWish(Date.now() - 15 * 60_000 - shiftMs + (expected ? 1000 : 0));
  expect(before.hasWish()).toBe(expected);
  expect((await loadPage()).hasWish()).toBe(expected);
});

test('the page that keeps it for the next one does not act on it', async () => {
  const page = await loadPage();
  expect(page.hasWish()).toBe(false);
  page.keepWish();
  expect(page.hasWish()).toBe(false);
  expect((await loadPage()).hasWish()).toBe(true);
});

test('a press that was given up is gone, here and after a reload', async () => {
  const page = await loadPage();
  page.wishToPay();
  expect(page.hasWish()).toBe(true);
  page.dropWish();
  expect(page.hasWish()).toBe(false);
  expect((await loadPage()).hasWish()).toBe(false);
});
