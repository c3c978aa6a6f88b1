// A start says what cannot be kept beside the database, for each role.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { inspectConfig } from '#server/platform/config.ts';
import { checkCallbackRecord, warnOfRecovery } from './check-record.ts';

let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'refill-record-'));
  await writeFile(join(scratch, 'file'), '');
  return () => rm(scratch, { recursive: true });
});

const read = (variables: Record<string, string>) =>
  inspectConfig({ DATABASE_URL: 'postgres://shop@127.0.0.1/refill', REFILL_ENVIRONMENT: 'live', ...variables }).config;

test.each([
  ['web', /callbacks are refused/, /erased/],
  ['worker', /who was erased is noted nowhere/, /callbacks/],
  ['all', /callbacks are refused .* who was erased is noted nowhere/, /^$/],
])('role %s: a folder that cannot be written says what is lost', async (role, says, saysNot) => {
  const unwritable = read({ REFILL_ROLE: role, REFILL_CALLBACK_RECORD: '/dev/null/refill' });
  const [finding, ...others] = await checkCallbackRecord(unwritable);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ name: 'REFILL_CALLBACK_RECORD' });
  expect(finding!.reason).toMatch(says);
  expect(finding!.reason).not.toMatch(saysNot);
  const writable = read({ REFILL_ROLE: role, REFILL_CALLBACK_RECORD: scratch, REFILL_CALLBACK_RECORD_MB: '1' });
  expect(await checkCallbackRecord(writable)).toEqual([]);
});

test('a live shop without REFILL_KEY_SECRETS is told that orders cannot be recovered', () => {
  expect(warnOfRecovery(read({}))).toMatchObject([{ name: 'REFILL_KEY_SECRETS' }]);
  expect(warnOfRecovery(read({ REFILL_KEY_SECRETS: '' }))).toHaveLength(1);
  expect(warnOfRecovery(read({ REFILL_KEY_SECRETS: 'q8Xz1LrW0vYc5TnB7mKd3GhJ9pAs2EfU' }))).toEqual([]);
  expect(warnOfRecovery(read({ REFILL_ENVIRONMENT: 'demo' }))).toEqual([]);
});
