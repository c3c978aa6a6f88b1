// The question before the first payment: are host and credentials right. It must make nothing, and must not take a
// stranger or a maintenance page for a yes.
import { expect } from 'vitest';
import { type Checked, checkProvider, type Outbound, type ProviderContext } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';
import { type Run, unreachable } from './cases-create.ts';
import type { ProviderHarness } from './provider-harness.ts';

type CheckCase = Extract<CaseName, `check${string}`>;

/** As the operator's command does it. */
export async function check(
  { provider, context }: ProviderHarness,
  over: Partial<ProviderContext> = {},
): Promise<Checked> {
  if (!provider.check) expect.fail('the adapter has no check; its declaration must say why under absent');
  const { environment, now, outbound, settings } = { ...context, ...over };
  return checkProvider(provider, { environment, settings, now, open: () => outbound });
}

async function countAll({ control }: ProviderHarness): Promise<number> {
  return (await control.look('?limit=10000')).payments.length;
}

const page: Outbound = async () => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  text: '<!doctype html><title>Maintenance</title><p>Back soon.',
});

const broken: Outbound = async () => ({
  status: 500,
  headers: { 'content-type': 'application/json' },
  text: '{"message":"internal error"}',
});

export const checkCases: Readonly<Record<CheckCase, Run>> = {
  async check(harness) {
    const before = await countAll(harness);
    const checked = await check(harness);
    expect(checked.outcome, `${JSON.stringify(checked.outcome)}`).toMatchObject({ kind: 'ok' });
    const { outcome } = checked;
    const proven = outcome?.kind === 'ok' ? outcome.proven : [];
    const secrets = harness.provider.settings.filter(({ isRequired, isSecret }) => isRequired && isSecret);
    expect(
      secrets.some(({ name }) => proven.includes(name)),
      `proves a secret: ${proven.join(', ')}`,
    ).toBe(true);
    expect(harness.provider.settings.map(({ name }) => name)).toEqual(expect.arrayContaining([...proven]));
    // Hosts of pages may be the provider's own, which no test goes to.
    expect(checked.hosts.filter(({ status, use }) => use === 'api' && status === null)).toEqual([]);
    expect(checked.clockSeconds, 'the clock of this very machine').toSatisfy(
      (seconds: number) => Math.abs(seconds) < 5,
    );
    expect(await countAll(harness), 'payments that were made').toBe(before);
  },

  async 'check with wrong credentials'(harness) {
    const { wrongSettings } = harness.declaration;
    if (!wrongSettings) return expect.fail('the declaration names no wrongSettings');
    const { outcome } = await check(harness, harness.changed({ settings: { ...wrongSettings } }));
    expect(outcome, `${JSON.stringify(outcome)}`).toMatchObject({ kind: 'refused' });
    const lookAt = outcome?.kind === 'refused' ? outcome.lookAt : [];
    expect(lookAt, 'the settings to look at').toEqual(expect.arrayContaining(Object.keys(wrongSettings)));
  },

  /** Silence, a page of somebody else's, a broken server: none of them is an answer. */
  async 'check that nobody hears'(harness) {
    for (const outbound of [unreachable, page, broken]) {
      const { outcome } = await check(harness, { outbound });
      expect(outcome?.kind, `${JSON.stringify(outcome)}`).toBe('unreachable');
    }
  },
};
