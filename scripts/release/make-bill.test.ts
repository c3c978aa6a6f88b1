// The bill of materials against the lockfile: nothing of a server or the storefront is missing, nothing of tests is in.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#scripts/run-tool.ts';
import { setOfEntry } from '#scripts/package-sets.mjs';
import { makeBill } from './make-bill.ts';

type Entry = { version: string; dev?: boolean; peer?: boolean; devOptional?: boolean };

test('names every package that a release brings into production, and no other', async () => {
  const bill = JSON.parse(await makeBill(projectRoot)) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { name: string; version: string }[];
  };
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'refill' } } });
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  const wanted = Object.entries(packages)
    // Types that only an optional peer of a package asks for.
    .filter(([path, entry]) => path !== '' && !entry.devOptional && setOfEntry(entry) !== 'tests')
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`);
  const named = bill.components.map(({ name, version }) => `${name} ${version}`);
  expect(named).toEqual(expect.arrayContaining(wanted));
  expect(named.filter((one) => /^(vitest|typescript|oxlint) /.test(one))).toEqual([]);
});
