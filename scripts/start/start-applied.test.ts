// A start reads brands and games again when a file, the database or its configuration is another one.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { projectRoot } from '#scripts/run-tool.ts';
import { openTestDatabase } from '#testing/database.ts';
import { configureIfChanged } from './start-applied.ts';

test('configures once, and again after a change of a file or of the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refill-applied-'));
  const { db, url, drop } = await openTestDatabase(1);
  onTestFinished(() => Promise.all([drop(), rm(folder, { recursive: true, force: true })]).then(() => undefined));
  const file = join(folder, 'brand.yaml');
  await writeFile(file, 'name: Fjord');
  const configure = vi.fn<() => Promise<string[]>>(async () => {
    await db.query(
      `insert into configuration (revision, applied_by) values (1, 'test')
       on conflict (id) do update set revision = configuration.revision + 1, applied_at = clock_timestamp()`,
    );
    return ['fjord'];
  });
  const start = () => configureIfChanged(url, join(folder, 'applied.json'), configure, [relative(projectRoot, file)]);
  const countStarts = async () => {
    expect(await start()).toEqual(['fjord']);
    return configure.mock.calls.length;
  };
  expect(await countStarts()).toBe(1);
  expect(await countStarts()).toBe(1);
  await writeFile(file, 'name: Tarn');
  expect(await countStarts()).toBe(2);
  // `refill rollback` of an operator.
  await db.query('update configuration set revision = 7');
  expect(await countStarts()).toBe(3);
  await db.query("update configuration set applied_at = '2026-01-01'");
  expect(await countStarts()).toBe(4);
  await writeFile(join(folder, 'applied.json'), '{');
  expect(await countStarts()).toBe(5);
  expect(await countStarts()).toBe(5);
});
