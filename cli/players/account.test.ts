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
  expect(issued.link).toBe(`http://watt.demo.localhost:8080${issued.path}`);
  const listed = await refill('beta', 'list', '--brand', 'watt');
  expect(listed.out).toContain('Tester Tom');
  expect(listed.out).not.toContain(issued.key);
  expect((await refill('beta', 'list', '--brand', 'product')).out).toBe('No keys.\n');
  const shown = await refill('beta', 'issue', '--brand', 'watt', '--label', 'x', '--days', '1');
  expect(shown.out).toMatch(/ http:\/\/watt\.demo\.localhost:8080\/\?beta_key=rb1_[\w-]{43}\n/);
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

test('a user id has one account, shut out or not, unless it is said to be shared; then its players are told apart', async () => {
  const add = (name: string, ...more: string[]) =>
    refill('account', 'add', '--brand', 'watt', '--name', name, '--user-id', 's-1', ...more);
  const playersOf = async () =>
    (await shop.db.query<{ player_id: string }>(`select player_id from player where suid = 's-1' order by created_at`))
      .rows;
  expect((await add('Sole')).code).toBe(0);
  const [sole] = await playersOf();
  expect(await add('Second')).toMatchObject({ code: 3, out: '', err: expect.stringContaining(sole!.player_id) });
  const json = await add('Second', '--json');
  expect([json.code, JSON.parse(json.out)]).toEqual([
    3,
    { ok: false, outcome: 'user_id_taken', player_id: sole!.player_id },
  ]);
  expect(JSON.parse((await add('Sole', '--json')).out)).toEqual({ ok: false, outcome: 'name_taken' });
  await refill('account', 'disable', '--brand', 'watt', '--player', 'user_id:s-1');
  expect((await add('Second')).code).toBe(3);
  await refill('account', 'enable', '--brand', 'watt', '--player', 'user_id:s-1');
  expect(await playersOf()).toHaveLength(1);

  expect((await add('Second', '--shared-user-id')).code).toBe(0);
  const ids = (await playersOf()).map((one) => `player_id:${one.player_id}`);
  expect(ids).toHaveLength(2);
  const end = (whom: string) => refill('account', 'end-sessions', '--brand', 'watt', '--player', whom);
  for (const whom of ['user_id:s-1', 's-1']) {
    const { code, err } = await end(whom);
    expect(code).toBe(1);
    for (const id of ids) expect(err).toContain(id);
  }
  for (const id of ids) expect((await end(id)).err).toContain('is logged in nowhere');
});

test('of two that add one user id at the same moment one is refused', async () => {
  const add = (name: string) => refill('account', 'add', '--brand', 'watt', '--name', name, '--user-id', 'r-1');
  const runs = await Promise.all(['Racer', 'Runner', 'Rider'].map(add));
  expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 3, 3]);
});
