// The environment of the process: all faults at once, and never a secret in one.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inspectConfig, readConfig, readDatabaseUrl } from './config.ts';

const DATABASE_URL = 'postgres://shop@db.example/refill';
function read(environment: Record<string, string> = {}) {
  const result = readConfig({ DATABASE_URL, REFILL_ENVIRONMENT: 'live', ...environment });
  if ('faults' in result) throw new Error(result.faults.join('\n'));
  return result.config;
}
const faultsOf = (environment: Record<string, string>) => {
  const result = readConfig({ REFILL_ENVIRONMENT: 'live', ...environment });
  return 'faults' in result ? result.faults : [];
};

test('what nobody set is safe', () => {
  expect(read()).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    role: 'all',
    trustedProxies: [],
    logLevel: 'info',
    maxOrdersPerMinute: 10,
    maxOpenOrders: 5,
    loginsPerMinute: 20,
  });
});

test('the environment has no default: without it there is one fault and nothing else is looked at', () => {
  expect(faultsOf({ DATABASE_URL, REFILL_ENVIRONMENT: '', REFILL_PAYPAL_DEMO_SECRET_FILE: '/nowhere' })).toEqual([
    'REFILL_ENVIRONMENT is missing: say which side this process serves, demo or live.',
  ]);
  for (const wrong of ['sandbox', 'LIVE', 'live '])
    expect(faultsOf({ DATABASE_URL, REFILL_ENVIRONMENT: wrong })).toEqual([
      `REFILL_ENVIRONMENT is "${wrong}": it must be demo or live.`,
    ]);
  expect(read().environment).toBe('live');
  expect(read({ REFILL_ENVIRONMENT: 'demo' }).environment).toBe('demo');
});

test('orders share transactions unless that is switched off', () => {
  expect(read().sharesTransactions).toBe(true);
  expect(read({ REFILL_SHARED_TRANSACTIONS: 'off' }).sharesTransactions).toBe(false);
});

test('every fault is told, with the value that is wrong', () => {
  const faults = faultsOf({
    PORT: '70000',
    REFILL_ROLE: 'boss',
    REFILL_POOL: '1.5',
    REFILL_LOG: 'loud',
    REFILL_SHARED_TRANSACTIONS: 'no',
    REFILL_TRUSTED_PROXIES: 'true',
  });
  expect(faults).toHaveLength(7);
  const names = ['PORT', 'REFILL_ROLE', 'REFILL_POOL', 'REFILL_LOG', 'REFILL_SHARED_TRANSACTIONS'];
  for (const name of [...names, 'REFILL_TRUSTED_PROXIES', 'DATABASE_URL'])
    expect(faults.filter((fault) => fault.startsWith(name))).toHaveLength(1);
  expect(faultsOf({ DATABASE_URL: 'mysql://x' })).toHaveLength(1);
});

test.each(['0x10', '1e1', ' 10', '+10', '10.0', 'ten', '1 0', 'Infinity'])('"%s" is no whole number', (text) => {
  expect(faultsOf({ DATABASE_URL, REFILL_POOL: text })).toEqual([
    expect.stringMatching(`^REFILL_POOL is "${text.replace('+', '.')}": it must be a whole number from`),
  ]);
});

test('settings of a provider belong to one provider; those of the other environment are not read', () => {
  const variables = {
    REFILL_PAYPAL_DEMO_CLIENT_ID: 'a',
    REFILL_PAYPAL_LIVE_CLIENT_ID: 'b',
    REFILL_BIG_BANK_LIVE_API_KEY: 'c',
    REFILL_BIG_LIVE_API_KEY: 'd',
    REFILL_PAYPAL_DEMO_EMPTY: '',
    REFILL_PAYPAL_DEMO_SECRET_FILE: '/nowhere/at/all',
  };
  expect(faultsOf({ DATABASE_URL, ...variables, REFILL_ENVIRONMENT: 'demo' })).toHaveLength(1);
  const { REFILL_PAYPAL_DEMO_SECRET_FILE: _, ...readable } = variables;
  expect(read({ ...readable, REFILL_ENVIRONMENT: 'demo' }).providerSettings('paypal')).toEqual({ CLIENT_ID: 'a' });
  const config = read(variables);
  expect(config.providerSettings('paypal')).toEqual({ CLIENT_ID: 'b' });
  expect(config.providerSettings('big-bank')).toEqual({ API_KEY: 'c' });
  expect(config.providerSettings('big')).toEqual({ API_KEY: 'd' });
  expect(config.providerSettings('adyen')).toEqual({});
});

test('a value may lie in a file; one that cannot be read is a fault without its content', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refill-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'secret');
  await writeFile(file, ' hunter2\n');
  expect(read({ REFILL_ADYEN_LIVE_API_KEY_FILE: file }).providerSettings('adyen')).toEqual({
    API_KEY: 'hunter2',
  });
  const faults = faultsOf({ DATABASE_URL, REFILL_ADYEN_LIVE_API_KEY_FILE: join(folder, 'none') });
  expect(faults).toEqual([expect.stringContaining('REFILL_ADYEN_LIVE_API_KEY_FILE')]);
});

test('a game is reachable in the environment that has an address and a secret', () => {
  const variables = {
    REFILL_GAME_POCKET_PITCH_DEMO_URL: 'http://127.0.0.1:9',
    REFILL_GAME_POCKET_PITCH_DEMO_SECRETS: 'whsec_a, whsec_b,',
    REFILL_GAME_STARLANE_LIVE_URL: 'https://game.example',
  };
  const config = read(variables);
  expect(read({ ...variables, REFILL_ENVIRONMENT: 'demo' }).gameServer('pocket-pitch')).toEqual({
    url: 'http://127.0.0.1:9',
    secrets: ['whsec_a', 'whsec_b'],
  });
  expect(config.gameServer('pocket-pitch')).toBeNull();
  expect(config.gameServer('starlane')).toBeNull();
});

test('proxies are named one by one', () => {
  expect(read({ REFILL_TRUSTED_PROXIES: ' 10.0.0.0/8, 127.0.0.1 ,' }).trustedProxies).toEqual([
    '10.0.0.0/8',
    '127.0.0.1',
  ]);
});

test('secrets may stand in files: the database, and passwords nobody may choose', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refill-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'db'), 'postgres://from@file/refill\n');
  await writeFile(join(folder, 'denied'), 'Hunter2Hunter2\n\n letmein letmein \r\n');
  const config = read({
    DATABASE_URL_FILE: join(folder, 'db'),
    REFILL_DENIED_PASSWORDS_FILE: join(folder, 'denied'),
  });
  expect(config.databaseUrl).toBe('postgres://from@file/refill');
  expect([...config.deniedPasswords]).toEqual(['hunter2hunter2', 'letmein letmein']);
  const faults = faultsOf({ DATABASE_URL_FILE: join(folder, 'nothing'), DATABASE_URL: 'postgres://a@b/c' });
  expect(faults).toEqual([
    expect.stringContaining(`DATABASE_URL_FILE names the file ${join(folder, 'nothing')}, which cannot be read`),
  ]);
});

test.each([
  '1', 'true', 'proxy.example', 'loopback', '10.0.0.0/33', '10.0.0.0/', '0.0.0.0/0', '128.0.0.0/1', '::/0', '10.0.0.1/8/8', '::ffff:10.0.0.0/96', '::ffff:10.0.0.1', 'fe80::1%eth0',
])('%s is no proxy', (entry) => {
  const [fault, ...others] = faultsOf({ DATABASE_URL, REFILL_TRUSTED_PROXIES: `10.0.0.1,${entry}` });
  expect(fault).toMatch(/^REFILL_TRUSTED_PROXIES has "/);
  expect(fault).toContain(`"${entry}"`);
  expect(others).toEqual([]);
}); /* a row a line */ // prettier-ignore

test.each(['10.0.0.0/8', '192.168.1.7', '::1', 'fd00::/8', '2001:db8::/32'])('%s may be a proxy', (entry) => {
  expect(read({ REFILL_TRUSTED_PROXIES: entry }).trustedProxies).toEqual([entry]);
});

test('a start sees every fault beside usable defaults, and the names of what is set', () => {
  const { config, findings } = inspectConfig({ PORT: 'http', REFILL_POOL: '0', REFILL_ROEL: 'web' });
  expect(findings.map(({ name }) => name).toSorted()).toEqual([
    'DATABASE_URL',
    'PORT',
    'REFILL_ENVIRONMENT',
    'REFILL_POOL',
  ]);
  expect(config).toMatchObject({ port: 8080, poolSize: 12, databaseUrl: '' });
  expect(config.names).toContain('REFILL_ROEL');
});

test('settings of both environments are kept apart and in sight', () => {
  expect(read({ REFILL_ADYEN_LIVE_LIVE_PREFIX: 'a', REFILL_GAME_POCKET_PITCH_DEMO_URL: 'b' }).scoped).toEqual([
    { variable: 'REFILL_ADYEN_LIVE_LIVE_PREFIX', owner: 'ADYEN', environment: 'live', name: 'LIVE_PREFIX', value: 'a' },
    {
      variable: 'REFILL_GAME_POCKET_PITCH_DEMO_URL',
      owner: 'GAME_POCKET_PITCH',
      environment: 'demo',
      name: 'URL',
      value: 'b',
    },
  ]);
});

test('the database of a command is the one of the shop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refill-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'db'), 'postgres://from@file/refill\n');
  expect(readDatabaseUrl({})).toBeNull();
  expect(readDatabaseUrl({ DATABASE_URL })).toBe(DATABASE_URL);
  expect(readDatabaseUrl({ DATABASE_URL, DATABASE_URL_FILE: join(folder, 'db') })).toBe('postgres://from@file/refill');
  expect(() => readDatabaseUrl({ DATABASE_URL: 'mysql://x' })).toThrow(/^DATABASE_URL is no address of a PostgreSQL/);
});
