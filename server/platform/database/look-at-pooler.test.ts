import { globSync, readFileSync } from 'node:fs';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#testing/database.ts';
import { startTransactionPooler } from '#testing/transaction-pooler.ts';
import { lookAtPooler } from './look-at-pooler.ts';

let url: string;
beforeAll(async () => {
  const database = await createTestDatabase();
  ({ url } = database);
  return database.drop;
});

async function through(mode?: 'transaction' | 'statement'): Promise<string> {
  const pooler = await startTransactionPooler(url, mode);
  onTestFinished(pooler.close);
  return pooler.url;
}

test('a pooler that drops prepared statements is found each time, and is well without them', async () => {
  const pooled = await through();
  for (let time = 0; time < 3; time += 1)
    expect(await lookAtPooler('DATABASE_URL', pooled, true)).toMatchObject({
      name: 'DATABASE_URL',
      reason: expect.stringContaining('does not keep prepared statements') as string,
      remedy: expect.stringMatching(/^set REFILL_PREPARED_STATEMENTS=off, /) as string,
    });
  expect(await lookAtPooler('DATABASE_URL', pooled, false)).toBeNull();
});

test('a pooler by statements has no transactions, whatever is prepared', async () => {
  const pooled = await through('statement');
  for (const prepares of [true, false])
    expect((await lookAtPooler('DATABASE_READ_URL', pooled, prepares))?.remedy).toBe(
      'set pool_mode to transaction or session',
    );
});

test('the database itself is well, and one that is away is told by others', async () => {
  expect(await lookAtPooler('DATABASE_URL', url, true)).toBeNull();
  expect(await lookAtPooler('DATABASE_URL', 'postgres://nobody@127.0.0.1:9/none', true)).toBeNull();
});

test('every pool says whether it prepares statements', () => {
  const files = globSync(['cli/**/*.ts', 'server/**/*.ts', 'scripts/**/*.ts'], { cwd: process.cwd() });
  const calls = files
    .filter((path) => !path.endsWith('.test.ts') && path !== 'server/platform/database/db.ts')
    .flatMap((path) => readFileSync(path, 'utf8').match(/\bopenDb\([^;]*;/g) ?? []);
  expect(calls.length).toBeGreaterThan(3);
  expect(calls.filter((call) => !call.includes('preparesStatements'))).toEqual([]);
});
