// Which database a command may open: that of the environment it is told, and the demonstration's without a word.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assignEnvironment } from '#server/platform/database/environment.ts';
import { type TestDatabase, openTestDatabase } from '#testing/database.ts';
import { readCommandConfig, readCommandEnvironment } from './environment.ts';
import { runCommand } from './test-run.ts';

let database: TestDatabase;
beforeAll(async () => {
  const opened = await openTestDatabase(1);
  database = opened;
  await assignEnvironment(opened.db, 'live');
});
afterAll(() => database.drop());

test.each([
  [['order', 'find', '--state', 'paid']],
  [['order', 'deadletters']],
  [['card', 'list']],
  [['wallet', 'report']],
  [['beta', 'list', '--brand', 'watt']],
  [['invariants']],
])('%j refuses a database of the other environment in one sentence', async (args) => {
  const run = await runCommand(args, { DATABASE_URL: database.url, REFILL_ENVIRONMENT: 'demo' });
  expect(run).toEqual({
    code: 1,
    out: '',
    err:
      'refill: This database belongs to the live environment and REFILL_ENVIRONMENT is demo: give each environment ' +
      'a database of its own.\n',
  });
  expect((await runCommand(args, { DATABASE_URL: database.url, REFILL_ENVIRONMENT: '' })).err).toMatch(
    /REFILL_ENVIRONMENT is missing/,
  );
});

test('the database of npm start needs no word; one that is named does', () => {
  expect(readCommandEnvironment({})).toBe('demo');
  expect(readCommandEnvironment({ REFILL_ENVIRONMENT: 'live' })).toBe('live');
  expect(() => readCommandEnvironment({ DATABASE_URL: 'postgres://x' })).toThrow('REFILL_ENVIRONMENT is missing');
  expect(() => readCommandEnvironment({ DATABASE_URL_FILE: '/x' })).toThrow('REFILL_ENVIRONMENT is missing');
  expect(() => readCommandEnvironment({ REFILL_ENVIRONMENT: 'test' })).toThrow('must be demo or live');
  const both = { REFILL_CARD_DEMO_PEPPER: 'd', REFILL_CARD_LIVE_PEPPER: 'l' };
  expect(readCommandConfig(both, 'postgres://x').providerSettings('card')).toEqual({ PEPPER: 'd' });
  expect(readCommandConfig({ ...both, REFILL_ENVIRONMENT: 'live' }, 'postgres://x').providerSettings('card')).toEqual({
    PEPPER: 'l',
  });
});
