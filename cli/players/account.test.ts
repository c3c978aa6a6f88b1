import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPlayer, type TestShop, createTestShop, credentials } from '#testing/shop.ts';
import { type Run, runCommand } from '#cli/test-run.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());

const refill = (...args: string[]): Promise<Run> => runCommand(args, { DATABASE_URL: shop.databaseUrl });
const logIn = async (name: string, password: string) => {
  const { code, cookies } = await shop.post('/util/login/auth', credentials(name, password));
  return { code, session: { brand: 'watt', token: cookies[0]?.value } as TestPlayer };
};
const isLive = async (session: TestPlayer) =>
  (await shop.get('/util/login/get_user_info?client_id=70021', { session })).code === 1;

test('is made, given another password, logged out, shut out and let in again, each with the name of who did it', async () => {
  const whose = ['--brand', 'watt', '--player', 'Merlin', '--by', 'anna'];
  const made = await refill(
    'account',
    'add',
    '--brand',
    'watt',
    '--name',
    ' Merlin ',
    '--user-id',
    'm-1',
    '--by',
    'anna',
    '--json',
  );
  const { password } = JSON.parse(made.out) as { password: string };
  expect(password).toMatch(/^[\w-]{20}$/);
  const first = await logIn('merlin', password);
  expect(first.code).toBe(1);
  expect((await refill('account', 'add', '--brand', 'watt', '--name', 'MERLIN', '--user-id', 'm-2')).code).toBe(3);

  expect(await refill('account', 'end-sessions', ...whose)).toMatchObject({
    code: 0,
    out: 'Merlin is logged out everywhere.\n',
  });
  expect(await isLive(first.session)).toBe(false);
  expect((await refill('account', 'end-sessions', ...whose)).code).toBe(3);

  const second = await logIn('merlin', password);
  const anew = /\n {2}([\w-]{20})\n$/.exec((await refill('account', 'password', ...whose)).out)?.[1] ?? '';
  expect(await isLive(second.session)).toBe(false);
  expect([(await logIn('merlin', password)).code, (await logIn('merlin', anew)).code]).toEqual([-1002, 1]);

  const third = await logIn('merlin', anew);
  expect((await refill('account', 'disable', ...whose)).code).toBe(0);
  expect([await isLive(third.session), (await logIn('merlin', anew)).code]).toEqual([false, -1002]);
  expect((await refill('account', 'disable', ...whose)).code).toBe(3);
  expect((await refill('account', 'enable', ...whose)).code).toBe(0);
  expect((await logIn('merlin', anew)).code).toBe(1);
  expect(await isLive(third.session)).toBe(false);

  const { rows } = await shop.db.query(`select act, details::text from audit_entry where actor = 'anna' order by id`);
  expect(rows.map(({ act }) => act)).toEqual([
    'account-add',
    'account-end-sessions',
    'account-password',
    'account-disable',
    'account-enable',
  ]);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${password}|${anew}`));
});

test.each([
  [['add', '--brand', 'dragon', '--name', 'x', '--user-id', 'y'], 'its game keeps the accounts'],
  [['add', '--brand', 'watt', '--name', ' ', '--user-id', 'y'], '--name'],
  [['disable', '--brand', 'watt', '--player', 'nobody'], 'no player of watt has this id'],
])('account %j: %s', async (args, sentence) => {
  const run = await refill('account', ...args);
  expect(run.code).toBe(1);
  expect(run.err).toContain(sentence);
});

test('a key of super mode is shown once, listed without itself, and revoked once', async () => {
  const issued = JSON.parse(
    (await refill('beta', 'issue', '--brand', 'watt', '--label', 'Tester Tom', '--by', 'anna', '--json')).out,
  );
  expect(issued.path).toBe(`/?beta_key=${issued.key}`);
  const listed = await refill('beta', 'list', '--brand', 'watt');
  expect(listed.out).toContain('Tester Tom');
  expect(listed.out).not.toContain(issued.key);
  expect((await refill('beta', 'list', '--brand', 'product')).out).toBe('No keys.\n');
  const shown = await refill('beta', 'issue', '--brand', 'watt', '--label', 'x', '--days', '1');
  expect(shown.out).toMatch(/https:\/\/pay\.watt\.example\/\?beta_key=rb1_[\w-]{43}\n/);
  expect((await refill('beta', 'revoke', issued.id, '--brand', 'product')).code).toBe(3);
  expect((await refill('beta', 'revoke', issued.id, '--brand', 'watt', '--by', 'anna')).code).toBe(0);
  expect((await refill('beta', 'revoke', issued.id, '--brand', 'watt')).code).toBe(3);
  expect((await refill('beta', 'issue', '--brand', 'watt', '--label', ' ')).err).toContain('--label');
  expect((await refill('beta', 'issue', '--brand', 'watt', '--label', 'x', '--days', '400')).err).toContain('--days');
});

test('a beta user beside an account leaves the account the one that is meant by its name', async () => {
  const made = await refill('account', 'add', '--brand', 'watt', '--name', 'Twin', '--user-id', 't-1', '--json');
  const { password } = JSON.parse(made.out) as { password: string };
  const { key } = JSON.parse((await refill('beta', 'issue', '--brand', 'watt', '--label', 'x', '--json')).out);
  const headers = { cookie: `refill-demo-beta=${key}` };
  expect((await shop.post('/util/login/auth', credentials('Twin', password), { headers })).code).toBe(1);
  expect((await shop.db.query(`select from player where suid = 't-1'`)).rowCount).toBe(2);
  expect((await refill('account', 'end-sessions', '--brand', 'watt', '--player', 't-1')).code).toBe(3);
  await logIn('Twin', password);
  expect((await refill('account', 'end-sessions', '--brand', 'watt', '--player', 't-1')).code).toBe(0);
});
