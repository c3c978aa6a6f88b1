// The form that an area wants beside the button that pays: today's version, or no order; and it is kept.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONFIRMATIONS } from '#contracts/confirmations.ts';
import { pay, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop({ brands: { watt: { areas: { universal: { confirmation: 'eu' } } } } });
  player = await shop.logIn();
  await showRoles(shop, player);
});
afterAll(() => shop.close());

const acceptedOf = async (billingNo: string) =>
  (await shop.db.query('select accepted from orders where billing_no = $1', [billingNo])).rows[0]?.accepted;

test.each([
  ['nothing', {}],
  ['the version before', { accepted: 'eu-2020-01' }],
  ['the form of another area', { accepted: CONFIRMATIONS.japan.version }],
])('an order with %s confirmed is refused', async (_what, body) => {
  expect(await pay(shop, player, { body: { domain_area: 'universal', ...body } })).toMatchObject({ code: -1066 });
});

test("today's version is kept with the order, its language and the terms", async () => {
  const { version } = CONFIRMATIONS.eu;
  const placed = await pay(shop, player, { body: { domain_area: 'universal', accepted: version, spec_lang: 'de' } });
  expect(placed.code).toBe(1);
  const terms = shop.configuration.brands.get('watt' as never)?.file.links.terms;
  expect(await acceptedOf(placed.content.billing_no)).toEqual({ version, language: 'de', terms });
});

test('where no form is wanted none can have been confirmed', async () => {
  const who = await shop.logIn();
  await showRoles(shop, who);
  const there = { domain_area: 'sea', country: 'SG' };
  expect((await pay(shop, who, { body: { ...there, price_minor: undefined, accepted: 'eu-2026-11' } })).code).toBe(
    -1066,
  );
  const placed = await pay(shop, who, { body: { ...there, price_minor: undefined } });
  expect(placed.code).toBe(1);
  expect(await acceptedOf(placed.content.billing_no)).toBeNull();
});
