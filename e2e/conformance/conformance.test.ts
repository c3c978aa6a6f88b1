// Every payment adapter against its simulator, over real HTTP: two readings of the same published
// documentation, written apart.
// One file beside this one declares each provider; what it cannot have is a sentence there,
// and a test here that tells it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentProviders } from '#testing/providers.ts';
import { paymentMounts } from '#simulators/payments/all.ts';
import { expectAbsent, isSentence, whyAbsent } from './kit/absence.ts';
import { type CaseName, caseNames } from './kit/case-names.ts';
import { backCases } from './kit/cases-back.ts';
import { callbackCases } from './kit/cases-callback.ts';
import { checkCases } from './kit/cases-check.ts';
import { createCases, type Run } from './kit/cases-create.ts';
import { doubtCases } from './kit/cases-doubt.ts';
import { payCases } from './kit/cases-pay.ts';
import { type Declaration, isNone } from './kit/declaration.ts';
import { createProviderHarness, type ProviderHarness } from './kit/provider-harness.ts';
import { startWorld, type World } from './kit/world.ts';

const cases: Readonly<Record<CaseName, Run>> = {
  ...checkCases,
  ...createCases,
  ...payCases,
  ...callbackCases,
  ...doubtCases,
  ...backCases,
};

const files = readdirSync(import.meta.dirname).filter((file) => /(?<!\.test)\.ts$/.test(file));
const declarations = new Map(
  await Promise.all(
    files.map(async (file) => {
      const { declaration } = (await import(`./${file}`)) as { declaration?: Declaration };
      return [file.replace(/\.ts$/, ''), declaration] as const;
    }),
  ),
);
const names = paymentProviders.map(({ name }) => name);
const root = join(import.meta.dirname, '../..');

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world?.close());

test('every declaration belongs to a provider of the registry', () => {
  expect([...declarations.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

/** Lists in sentences the parts that a provider of the registry lacks; without them its cases mean nothing. */
function whatIsMissing(name: string, declaration: Declaration | undefined): string[] {
  const missing: string[] = [];
  if (!Object.hasOwn(paymentMounts, name)) missing.push(`${name} has no simulator in simulators/payments/all.ts.`);
  if (!declaration) return [...missing, `e2e/conformance/${name}.ts with "export const declaration" is missing.`];
  const { vectors } = declaration;
  if (isNone(vectors)) {
    if (!isSentence(vectors.none)) missing.push(`${name} does not say in a sentence why no vectors are published.`);
    return missing;
  }
  const path = join('server/providers/payments', name, vectors.file);
  const file = join(root, path);
  if (!existsSync(file)) missing.push(`${path} with the published vectors is missing.`);
  else if (!/\btest\b/.test(readFileSync(file, 'utf8'))) missing.push(`${path} tests no vectors.`);
  return missing;
}

for (const provider of paymentProviders) {
  const { name } = provider;
  const declaration = declarations.get(name);
  // Providers side by side, the cases of one in order: faults are queued per simulator.
  describe(`${name}`, { concurrent: true }, () => {
    test('has all that the suite needs', { concurrent: false }, () => {
      const missing = whatIsMissing(name, declaration);
      expect(missing).toEqual([]);
      const { settings } = world.contextOf(name);
      const required = provider.settings.filter(({ isRequired }) => isRequired).map((one) => one.name);
      const unset = required.filter((one) => !settings[one]);
      expect(unset, `settings that the simulator of ${name} does not give`).toEqual([]);
      const { callbacks } = declaration ?? {};
      const signature = callbacks && !isNone(callbacks) && !isNone(callbacks.signature) ? callbacks.signature : null;
      const signedHeaders = signature?.in === 'header' ? [signature.name] : [];
      expect(provider.signedHeaders, 'headers that are signed').toEqual(expect.arrayContaining(signedHeaders));
    });
    if (!declaration) return;

    let harness: ProviderHarness;
    beforeAll(() => {
      harness = createProviderHarness(world, provider, declaration);
    });
    for (const one of caseNames) {
      const reason = whyAbsent(declaration, one);
      const title = reason === undefined ? one : `${one}: not applicable. ${reason}`;
      test(`${title}`, { concurrent: false }, async () => {
        if (reason === undefined) await cases[one](harness);
        else await expectAbsent(harness, one, reason);
        expect(harness.takeFailures(), 'what the adapter threw').toEqual([]);
      });
    }
  });
}
