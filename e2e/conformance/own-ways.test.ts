// Tests verbs that only one provider has, against its simulator: access tokens, captures nobody approved, questions
// about players.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPaymentProvider } from '#testing/providers.ts';
import { declaration as paypalDeclaration } from './paypal.ts';
import { createProviderHarness, type ProviderHarness } from './kit/provider-harness.ts';
import { startWorld, type World } from './kit/world.ts';
import { declaration as xsollaDeclaration } from './xsolla.ts';

let world: World;
let paypal: ProviderHarness;
let xsolla: ProviderHarness;

beforeAll(async () => {
  world = await startWorld();
  paypal = createProviderHarness(world, adapter('paypal'), paypalDeclaration);
  xsolla = createProviderHarness(world, adapter('xsolla'), xsollaDeclaration);
});
afterAll(async () => world?.close());

function adapter(name: string) {
  const provider = findPaymentProvider(name);
  if (!provider) throw new Error(`no adapter is called ${name}`);
  return provider;
}

test('PayPal captures nothing that nobody approved', async () => {
  const { known } = await paypal.start();
  expect(await paypal.provider.capture?.(paypal.context, known)).toMatchObject({
    status: 'pending',
    reason: expect.stringContaining('ORDER_NOT_APPROVED'),
  });
});

test('PayPal is asked for one token by many calls', async () => {
  const context = paypal.changed({});
  const payment = await paypal.start();
  const reports = await Promise.all(Array.from({ length: 10 }, () => paypal.query(payment, context)));
  expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(['pending']));
  expect(context.cache.size).toBe(1);
});

test('a token that PayPal no longer takes is renewed', async () => {
  const context = paypal.changed({});
  const payment = await paypal.start();
  await paypal.query(payment, context);
  const [key = '', kept] = [...context.cache.entries()][0] ?? [];
  context.cache.set(key, { value: 'stale', expiresAt: kept?.expiresAt ?? 0 });
  expect(await paypal.query(payment, context)).toMatchObject({ status: 'pending', reason: 'PAYER_ACTION_REQUIRED' });
});

test('Xsolla asks whether the player exists', async () => {
  const payment = await xsolla.start();
  await xsolla.pay(payment);
  await xsolla.settled(payment);
  const questions = world.shop.received.filter(({ name, reading }) => name === 'xsolla' && reading.kind === 'question');
  expect(questions[0]?.reading).toMatchObject({ playerRef: payment.input.playerRef });
});
