// `refill key` as an operator types it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { runCommand } from './test-run.ts';

let db: Db;
let drop: () => Promise<void>;
let url: string;
beforeAll(async () => {
  ({ db, drop, url } = await openTestDatabase(2));
});
afterAll(() => drop());

const refill = (...args: string[]) =>
  runCommand(['key', ...args], { DATABASE_URL: url, REFILL_KEY_SECRETS: 'a-root-of-secrets-that-is-long-enough-1' });

test('a key is made, shown once, listed and revoked, each act with its line', async () => {
  const made = JSON.parse(
    (await refill('create', 'helpdesk', '--scopes', 'support,read', '--by', 'anna', '--json')).out,
  );
  expect(made).toMatchObject({ scopes: ['support', 'read'], secret: expect.stringMatching(/^whsec_/) });
  const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(89);
  expect(days).toBeLessThan(91);
  // Audit lines know keys by their names: two live ones with one name could not be told apart.
  expect(await refill('create', 'helpdesk', '--scopes', 'read')).toMatchObject({ code: 3 });
  expect((await refill('list')).out).toMatch(/helpdesk +support read +live/);
  expect((await refill('list', '--json')).out).not.toMatch(/whsec_|hash/);
  expect((await refill('revoke', made.key_id)).code).toBe(0);
  expect((await refill('revoke', made.key_id)).code).toBe(3);
  expect((await refill('list')).out).toMatch(/helpdesk +support read +revoked/);
  expect((await refill('create', 'helpdesk', '--scopes', 'read')).code).toBe(0);
  const { rows } = await db.query('select act from audit_entry order by id');
  expect(rows.map(({ act }) => act as string)).toEqual(['key-create', 'key-revoke', 'key-create']);
});

test.each([
  [['create', 'help desk', '--scopes', 'read'], '"help desk"'],
  [['create', 'x', '--scopes', 'everything'], '--scopes "everything"'],
  [['create', 'x', '--scopes', 'read', '--days', '5000'], '--days "5000"'],
])('%j says what is wrong', async (args, sentence) => {
  expect(await refill(...args)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});

test('without the setting no key is made', async () => {
  const run = await runCommand(['key', 'create', 'x', '--scopes', 'read'], { DATABASE_URL: url });
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining('REFILL_KEY_SECRETS is not set') });
});
