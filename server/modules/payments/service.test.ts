// How a payments service is made of a provider's settings; what it answers is in routes.test.ts.
import { expect, test } from 'vitest';
import { createFakeProvider } from '#testing/fake-payments.ts';
import { createPaymentsService } from './service.ts';

type Deps = Parameters<typeof createPaymentsService>[0];

const make = (settings: Record<string, string>) =>
  createPaymentsService({
    providers: [createFakeProvider('adyen')],
    environment: 'demo',
    providerSettings: () => ({ KEY: 'k', ...settings }),
    now: Date.now,
  } as unknown as Deps);

test('calls are bounded by a whole number, or not at all', () => {
  expect(make({}).account('adyen')).not.toBeNull();
  expect(make({ CALLS_PER_SECOND: '10' }).account('adyen')).not.toBeNull();
});

test.each(['ten', '0', '-1', '1.5', '0x10', ' 10', '1000000'])(
  '"%s" calls a second is no bound and no lack of one',
  (text) => {
    expect(() => make({ CALLS_PER_SECOND: text })).toThrow('CALLS_PER_SECOND of adyen is no whole number');
  },
);
