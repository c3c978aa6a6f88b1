// Attempts on real PostgreSQL: one taker, one browser, one brand, one kind, ten minutes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toOwnPath } from '#kernel/own-path.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { openTestDatabase } from '#testing/database.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Attempt, findAttempt, saveAttempt, takeAttempt } from './attempt-store.ts';
import { hashSecret } from '#server/modules/accounts/logins/login-deps.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(10));
});
afterAll(() => drop());

const watt = 'watt' as BrandKey;
const browserHash = hashSecret('browser');
const attempt: Attempt = {
  brandKey: watt,
  kind: 'google',
  purpose: 'login',
  playerId: null,
  clientId: '70021',
  appId: 'a',
  redirectUri: 'https://x.example/',
  kept: { nonce: 'n' },
  display: 'popup',
  returnTo: toOwnPath('/my'),
};
let states = 0;
async function begin() {
  states += 1;
  const stateHash = hashSecret(`state ${states}`);
  await saveAttempt(db, stateHash, browserHash, attempt);
  return { stateHash, browserHash, brandKey: watt, kind: 'google' } as const;
}

test.each(['//evil.example', '/\\evil', '/x/../y', '', 'x'])(
  'a way back like %j is kept by no attempt',
  async (path) => {
    const bad = saveAttempt(db, Buffer.from(path), Buffer.from('b'), { ...attempt, returnTo: path as never });
    await expect(bad).rejects.toThrow('login_attempt_return_to_check');
  },
);

test('twenty takers at once: one has it, and nobody after that', async () => {
  const wanted = await begin();
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeAttempt(db, wanted)));
  expect(taken.filter((one) => one !== null)).toEqual([attempt]);
  expect(await takeAttempt(db, wanted)).toBeNull();
});

test('everything must fit, and a wrong guess does not use it up', async () => {
  const wanted = await begin();
  const wrong = [
    { stateHash: hashSecret('another state') },
    { browserHash: hashSecret('another browser') },
    { brandKey: 'product' as BrandKey },
    { kind: 'huawei' as const },
  ];
  for (const change of wrong) expect(await takeAttempt(db, { ...wanted, ...change })).toBeNull();
  expect(await takeAttempt(db, wanted)).toEqual(attempt);
});

test('ten minutes, not eleven', async () => {
  const wanted = await begin();
  const { rows } = await db.query<{ seconds: number }>(
    'select extract(epoch from expires_at - now())::integer as seconds from login_attempt where state_hash = $1',
    [wanted.stateHash],
  );
  expect(rows[0]?.seconds).toBeGreaterThan(590);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(600);
  await db.query('update login_attempt set expires_at = now() where state_hash = $1', [wanted.stateHash]);
  expect(await takeAttempt(db, wanted)).toBeNull();
});

test('the callback page hears what it needs of its own brand, used or not; no secret is stored in clear', async () => {
  const wanted = await begin();
  const shown = { kind: 'google', purpose: 'login', display: 'popup', returnTo: '/my' };
  expect(await findAttempt(db, wanted.stateHash, watt)).toEqual(shown);
  expect(await findAttempt(db, wanted.stateHash, 'product' as BrandKey)).toBeNull();
  const { rows } = await db.query<{ text: string }>('select login_attempt::text as text from login_attempt');
  expect(rows.map(({ text }) => text).join('\n')).not.toMatch(new RegExp(`state ${states}|browser`));
});

test('what is long over goes away with the next ones', async () => {
  const old = await begin();
  await db.query(`update login_attempt set expires_at = now() - interval '2 hours' where state_hash = $1`, [
    old.stateHash,
  ]);
  await begin();
  expect(await findAttempt(db, old.stateHash, watt)).toBeNull();
});

test('a link is somebody’s, and nothing else is', async () => {
  await expect(saveAttempt(db, hashSecret('l'), browserHash, { ...attempt, purpose: 'link' })).rejects.toThrow('check');
});
