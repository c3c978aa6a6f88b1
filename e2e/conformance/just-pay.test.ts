// Every channel of the shipped file, in every currency that a brand charges there, is paid by the button "Pay" of the
// simulated page alone: what the page asks for beside it is filled in, for the dearest goods too.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAllPlaces, listPrices } from '#e2e/places.ts';
import { type Currency, findPaymentProvider, parseDecimal } from '#testing/providers.ts';
import type { Declaration } from './kit/declaration.ts';
import { createProviderHarness } from './kit/provider-harness.ts';
import { startWorld, type World } from './kit/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world?.close());

const byProvider = Map.groupBy(listAllPlaces(), ({ provider }) => provider);

describe.each([...byProvider])('%s', (name, places) => {
  test.concurrent.each(places)('$channel in $currency', async (place) => {
    const { declaration } = (await import(`./${name}.ts`)) as { declaration: Declaration };
    const harness = createProviderHarness(world, findPaymentProvider(name)!, declaration);
    const amount = parseDecimal(listPrices(place)[0]!, place.currency as Currency)!;
    const { channelId, country } = place;
    const payment = await harness.start({ ...harness.newInput(amount), channelId, country });
    await harness.walk(payment, 'Pay');
    await harness.capture(payment);
    expect(await harness.settled(payment)).toMatchObject({ status: 'paid', amount });
  });
});
