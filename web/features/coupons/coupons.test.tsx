// The list of coupons on My: what each one says, and what can be done with it.
import { expect, test } from 'vitest';
import type { Coupon } from '#contracts/coupons.ts';
import { english } from '#testing/english.ts';
import { setActions } from '#web/platform/calls/reactions.ts';
import { setUser } from '#web/platform/visitor/session.ts';
import { appear, type Canned, draw, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { MyCoupons } from './MyCoupons.tsx';
import { chosenOf, firstChoice, sortByRate } from './rules.ts';
import { couponOf, EACH } from './test-coupons.ts';

speak(english);

const LIST = '/api/coupons/couponList';
const CLAIM = '/api/coupons/receiveCoupons';

async function openMy(list: readonly Coupon[], claim: Canned = { content: {} }, isVip = true) {
  const uses: (string | null)[] = [];
  const shown: string[] = [];
  const after = list.map((one) => (one.use_category === 'claim' ? { ...one, use_category: 'avail' } : one));
  const calls = serve({ [LIST]: [{ content: { list } }, { content: { list: after } }], [CLAIM]: claim });
  await draw(null);
  setUser({ username: 'kestrel', suid: 's1', oauth_token: 'o', gp_id: '' });
  const onUse = (goods: { product_id: string } | null) => uses.push(goods?.product_id ?? null);
  await draw(<MyCoupons gpId="7001" onUse={onUse} onShowOrder={(billingNo) => shown.push(billingNo)} />, {
    brand: { ...(await brand()), isVip },
  });
  await settle();
  return { calls, uses, shown };
}
const brand = async () => (await import('#web/platform/boot.ts')).readBoot().brand;
const cards = () =>
  [...document.querySelectorAll('li[data-ticket]')].map((card) => ({
    text: card.textContent ?? '',
    button: card.querySelector('button')?.textContent ?? null,
  }));
const cardOf = (code: string) => cards().find(({ text }) => text.includes(`Coupon ${code}`));

test("L105 L199 'claimable' receives the coupon, and a failure says so", async () => {
  const { calls } = await openMy(EACH);
  expect(cardOf('CLAIM')?.button).toBe('Claim');
  await press('Claim');
  expect(calls.find(({ path }) => path === CLAIM)?.fields).toMatchObject({ code: 'CLAIM' });
  expect(shownText()).toContain('Coupon CLAIM is yours now.');
  expect(cardOf('CLAIM')?.button).toBe('Use');
  const toasts: string[] = [];
  setActions({ toast: (text: string) => toasts.push(text), isSdkView: () => false } as never);
  await openMy(EACH, { name: 'receiveFailed' });
  await press('Claim');
  expect(toasts).toEqual(['says receiveFailed']);
});

test("L106 on My an available coupon is taken along to the goods by 'use'", async () => {
  const { uses } = await openMy(EACH);
  expect(cardOf('AVAIL')?.button).toBe('Use');
  await press('Use');
  expect(uses).toEqual([null]);
});

test("L107 a locked coupon is 'usable_no' and says why; one that an order holds leads there", async () => {
  await openMy(EACH);
  expect(cardOf('SOON')).toEqual({ text: expect.stringContaining('Not usable now'), button: null });
  expect(cardOf('SOON')?.text).toContain('From 2026/11/29 09:00 UTC+9');
  expect(cardOf('HELD')).toEqual({
    text: expect.stringContaining('an order that is not paid yet'),
    button: 'Show the order',
  });
});

test('a coupon that an order holds leads to that order', async () => {
  const { shown } = await openMy(EACH);
  await press('Show the order');
  expect(shown).toEqual(['B1']);
});

test('L53 L108 used and expired ones stand behind a button, with their time, and a button leads back', async () => {
  await openMy(EACH);
  expect(shownText()).not.toContain('Coupon USED');
  await press('Used and expired');
  expect(cards().map(({ button }) => button)).toEqual([null, null]);
  expect(cardOf('USED')?.text).toContain('Used 2026/11/30 08:00 UTC+9');
  expect(cardOf('OVER')?.text).toContain('Expired 2026/11/30 09:00 UTC+9');
  await press('Back to coupons');
  expect(cardOf('AVAIL')).toBeDefined();
});

test('L72 L205 a coupon shows its name in the language of the page, and its end with the offset of its zone', async () => {
  const named = couponOf('X', { name: '{"en":"Spring","ja":"春"}', name_shown: '春', time_zone: 'America/New_York' });
  await openMy([named]);
  expect(shownText()).toContain('春');
  expect(shownText()).toContain('Until 2026/11/29 19:00 UTC-5');
});

test('what a coupon is for stands on it', async () => {
  await openMy([couponOf('X', { products: ['p'], games_shown: ['Starlane'], min_spend_shown: { USD: '$9.99' } })]);
  const { text } = cards()[0] ?? { text: '' };
  for (const word of ['20% off', 'Only for Starlane', 'Only for some products', 'From $9.99'])
    expect(text).toContain(word);
});

test('it names what it can be used on, of the game at hand first, and leads there', async () => {
  const goods = (id: string, gpId: string) => ({ gp_id: gpId, product_id: id, name: `Goods ${id}`, price_shown: '$1' });
  const reach = [goods('x', '7002'), goods('a', '7001'), goods('b', '7001'), goods('y', '7002')];
  const { uses } = await openMy([couponOf('X', { products: ['a'], goods: reach })]);
  expect(cards()[0]?.text).toContain('For Goods a, Goods b, Goods x, 1 more');
  expect(cards()[0]?.text).not.toContain('Only for some products');
  await press('Use');
  expect(uses).toEqual(['a']);
});

test('a list that is empty, or did not come, says so', async () => {
  await openMy([]);
  expect(shownText()).toContain('Coupons you receive appear here.');
  serve({ [LIST]: { name: 'failed' } });
  setUser({ username: 'kestrel', suid: 's2', oauth_token: 'o', gp_id: '' });
  expect(await appear('Try again')).toBeDefined();
});

test('L134 without the VIP flag there are no coupons, and nobody asks for them', async () => {
  const { calls } = await openMy(EACH, { content: {} }, false);
  expect(calls).toEqual([]);
  expect(shownText()).not.toContain('Coupons');
});

test('L109 of those that work here the lowest discount_rate comes first', () => {
  const tenth = couponOf('TENTH', { discount_rate: '0.9' });
  const half = couponOf('HALF', { discount_rate: '0.5' });
  const unfit = couponOf('UNFIT', { discount_rate: '0.1', is_applicable: false });
  expect(sortByRate([tenth, half, unfit]).map(({ code }) => code)).toEqual(['UNFIT', 'HALF', 'TENTH']);
  expect(firstChoice([tenth, half, unfit])).toBe(half);
  // A coupon that the unpaid order of these goods holds stays with it.
  const held = couponOf('HELD', { discount_rate: '0.95', use_category: 'lock', billing_no: 'B' });
  expect(firstChoice([tenth, half, held])).toBe(held);
  expect(chosenOf([tenth, half], 'TENTH')).toBe(tenth);
  expect(chosenOf([tenth, half], '')).toBeNull();
  expect(chosenOf([tenth, half, unfit], 'UNFIT')).toBe(half);
  expect(firstChoice([unfit])).toBeNull();
});
