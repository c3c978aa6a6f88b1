// docs/reference is what the code says.
import { readFile, readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestShop, type TestShop } from '#testing/shop.ts';
import { listCommands, readProgram } from './cli-page.ts';
import { writeReference } from './write-pages.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'reference');
let shop: TestShop;
let written: Record<string, string>;

beforeAll(async () => {
  shop = await createTestShop();
  written = await writeReference(JSON.parse((await shop.get('/openapi.json')).text));
});
afterAll(() => shop.close());

test('the pages are those that `npm run dump -- reference` writes', async () => {
  const names = Object.keys(written);
  expect(names).toHaveLength(5);
  for (const name of names) expect([name, await readFile(join(folder, name), 'utf8')]).toEqual([name, written[name]]);
  expect((await readdir(folder)).toSorted()).toEqual([...names, 'README.md'].toSorted());
});

test('each route that a contract declares is served', async () => {
  const contracts = join(folder, '..', '..', 'contracts');
  const names = (await readdir(contracts)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const declared: string[] = [];
  for (const name of names) {
    const values: object[] = Object.values(await import(pathToFileURL(join(contracts, name)).href));
    // Those of the admin API have no access: they stand in docs/admin-openapi.json.
    for (const table of values.filter((value) => typeof value === 'object' && value !== null))
      declared.push(...Object.values(table).flatMap((one) => (one?.path && one.access ? [one.path] : [])));
  }
  expect(declared.length).toBeGreaterThan(50);
  const { paths } = JSON.parse(written['storefront-openapi.json'] ?? '{}') as { paths: Record<string, object> };
  expect(declared.filter((path) => !(path.replaceAll(/:(\w+)/g, '{$1}') in paths))).toEqual([]);
});

test('the pages are the same whoever writes them', () => {
  expect(written['cli.md']).not.toContain(`(\`${userInfo().username}\` unless given)`);
});

test('commands that only group others are left out, all others are told', () => {
  const paths = listCommands(readProgram()).map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'plan',
      'game check',
      'order refund',
      'report revenue',
      'key create',
      'archive',
      'revisions',
    ]),
  );
  expect(paths).not.toContain('order');
  for (const path of paths) expect(written['cli.md']).toContain(`\n## ${path}\n`);
});
