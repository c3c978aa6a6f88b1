// The only file that reads the environment. Every variable has its sentence here; all faults are told at once.
import type { Environment } from '#kernel/environment.ts';
import { readFileSync } from 'node:fs';

export type Role = 'all' | 'web' | 'worker';
export type Config = {
  /** REFILL_ENVIRONMENT: demo or live; which side this process and its database serve. There is no default: forgetting it must not decide. */
  readonly environment: Environment;
  /** PORT: where HTTP is served. */
  readonly port: number;
  /** REFILL_HOST: the address listened on; 127.0.0.1 unless told, because a proxy with TLS stands in front. */
  readonly host: string;
  /** REFILL_ROLE: web serves, worker delivers and sweeps, all does both. */
  readonly role: Role;
  /** DATABASE_URL, or DATABASE_URL_FILE naming a file that holds it: any PostgreSQL from 16 on. */
  readonly databaseUrl: string;
  /** REFILL_POOL: database connections of this process. */
  readonly poolSize: number;
  /** REFILL_SHARED_TRANSACTIONS: on, or off: no two orders share a database transaction; slower under load, and as right. */
  readonly sharesTransactions: boolean;
  /** REFILL_TRUSTED_PROXIES: comma list of addresses or networks whose X-Forwarded-* headers are believed; never "true". */
  readonly trustedProxies: readonly string[];
  /**
   * REFILL_HEALTH_PORT: a port for health alone, in every role; null: none. REFILL_HEALTH_HOST: where it listens, 127.0.0.1 unless told.
   * REFILL_HEALTH_TOKEN, or _FILE: opens `/healthz/details` as `Authorization: Bearer`, on any port; at least 24 characters.
   */
  readonly health: { readonly port: number | null; readonly host: string; readonly token: string | null };
  /** REFILL_LOG: pino level. */
  readonly logLevel: string;
  /** REFILL_MAX_ORDERS_PER_MINUTE and REFILL_MAX_OPEN_ORDERS: per player. @source SECURITY section 7: 10 a minute, 5 open */
  readonly maxOrdersPerMinute: number;
  readonly maxOpenOrders: number;
  /** REFILL_LOGINS_PER_MINUTE: password logins from one address. @source SECURITY section 7: 20 a minute */
  readonly loginsPerMinute: number;
  /** REFILL_DENIED_PASSWORDS_FILE: one password a line that no player may choose, e.g. of a list of leaked ones. */
  readonly deniedPasswords: ReadonlySet<string>;
  /** REFILL_<PROVIDER>_<DEMO|LIVE>_<NAME>, or the same with _FILE naming a file that holds the value. Only those of `environment` are read. */
  providerSettings(provider: string): Readonly<Record<string, string>>;
  /** REFILL_GAME_<GAME>_<DEMO|LIVE>_URL and _SECRETS (comma list, the first signs), of `environment`. Null: the game cannot be reached. */
  gameServer(gameId: string): { url: string; secrets: readonly string[] } | null;
};

type Variables = Readonly<Record<string, string | undefined>>;

const ENVIRONMENTS: readonly Environment[] = ['demo', 'live'];

/** Of REFILL_ENVIRONMENT; the fault is one sentence. */
export function readEnvironment(variables: Variables): { environment: Environment } | { fault: string } {
  const text = variables.REFILL_ENVIRONMENT ?? '';
  const environment = ENVIRONMENTS.find((one) => one === text);
  if (environment) return { environment };
  if (text === '') return { fault: 'REFILL_ENVIRONMENT is missing: say which side this process serves, demo or live.' };
  return { fault: `REFILL_ENVIRONMENT is "${text}": it must be demo or live.` };
}

/** Reads and checks everything; the faults are whole sentences without any secret value. */
export function readConfig(variables: Variables = process.env): { config: Config } | { faults: string[] } {
  const faults: string[] = [];
  const wholeNumber = (name: string, fallback: number, min: number, max: number): number => {
    const text = variables[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    faults.push(`${name} is "${text}": it must be a whole number from ${min} to ${max}.`);
    return fallback;
  };
  const oneOf = <Value extends string>(name: string, values: readonly Value[], fallback: Value): Value => {
    const text = variables[name];
    if (text === undefined || text === '') return fallback;
    if ((values as readonly string[]).includes(text)) return text as Value;
    faults.push(`${name} is "${text}": it must be one of ${values.join(', ')}.`);
    return fallback;
  };
  const side = readEnvironment(variables);
  if ('fault' in side) faults.push(side.fault);
  // Without an environment there is no configuration at all, so the one that stands in here is read by nobody.
  const environment = 'fault' in side ? 'demo' : side.environment;
  const scoped: ReturnType<typeof readScopedSettings> =
    'fault' in side ? new Map() : readScopedSettings(variables, environment, faults);
  const fileOf = (name: string): string | null => {
    const path = variables[name];
    if (!path) return null;
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {
      faults.push(`${name} names the file ${path}, which can not be read.`);
      return null;
    }
  };
  const databaseUrl = fileOf('DATABASE_URL_FILE') ?? variables.DATABASE_URL ?? '';
  if (!/^postgres(ql)?:\/\//.test(databaseUrl))
    faults.push('DATABASE_URL is missing: give the address of a PostgreSQL, e.g. postgres://user@host/refill.');

  const config: Config = {
    environment,
    port: wholeNumber('PORT', 8080, 0, 65535),
    host: variables.REFILL_HOST || '127.0.0.1',
    role: oneOf('REFILL_ROLE', ['all', 'web', 'worker'], 'all'),
    databaseUrl,
    poolSize: wholeNumber('REFILL_POOL', 12, 2, 200),
    sharesTransactions: oneOf('REFILL_SHARED_TRANSACTIONS', ['on', 'off'], 'on') === 'on',
    trustedProxies: (variables.REFILL_TRUSTED_PROXIES ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
    health: {
      port: variables.REFILL_HEALTH_PORT ? wholeNumber('REFILL_HEALTH_PORT', 0, 0, 65535) : null,
      host: variables.REFILL_HEALTH_HOST || '127.0.0.1',
      token: fileOf('REFILL_HEALTH_TOKEN_FILE') || variables.REFILL_HEALTH_TOKEN || null,
    },
    logLevel: oneOf('REFILL_LOG', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    maxOrdersPerMinute: wholeNumber('REFILL_MAX_ORDERS_PER_MINUTE', 10, 1, 100_000),
    maxOpenOrders: wholeNumber('REFILL_MAX_OPEN_ORDERS', 5, 1, 100_000),
    loginsPerMinute: wholeNumber('REFILL_LOGINS_PER_MINUTE', 20, 1, 100_000),
    deniedPasswords: new Set(
      (fileOf('REFILL_DENIED_PASSWORDS_FILE') ?? '')
        .split('\n')
        .map((line) => line.trim().toLowerCase())
        .filter(Boolean),
    ),
    providerSettings: (provider) => scoped.get(upperSnake(provider)) ?? {},
    gameServer: (gameId) => {
      const settings = scoped.get(`GAME_${upperSnake(gameId)}`);
      if (!settings?.URL || !settings.SECRETS) return null;
      return {
        url: settings.URL,
        secrets: settings.SECRETS.split(',')
          .map((secret) => secret.trim())
          .filter(Boolean),
      };
    },
  };
  const { host: healthHost, token } = config.health;
  if (token !== null && token.length < 24)
    faults.push(
      'REFILL_HEALTH_TOKEN is too short: give 24 random characters or more, e.g. of `openssl rand -base64 24`.',
    );
  if (token === null && !['127.0.0.1', '::1', 'localhost'].includes(healthHost))
    faults.push(
      `REFILL_HEALTH_HOST is ${healthHost}, where others reach it: set REFILL_HEALTH_TOKEN as well, or leave it on 127.0.0.1.`,
    );
  if (config.trustedProxies.includes('true'))
    faults.push('REFILL_TRUSTED_PROXIES is "true": name the addresses of your proxies, or anyone could forge theirs.');
  return faults.length > 0 ? { faults } : { config };
}

function upperSnake(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/**
 * `REFILL_PAYPAL_DEMO_CLIENT_ID` -> scope "PAYPAL", name "CLIENT_ID"; `_FILE` values are read from the file. Those of the other environment
 * are not even looked at: a file may hold both, and a secret of the one never works in the other.
 */
function readScopedSettings(
  variables: Variables,
  environment: Environment,
  faults: string[],
): Map<string, Record<string, string>> {
  const scopes = new Map<string, Record<string, string>>();
  for (const [key, raw] of Object.entries(variables)) {
    const match = /^REFILL_([A-Z0-9]+(?:_[A-Z0-9]+)*?)_(DEMO|LIVE)_([A-Z0-9_]+?)(_FILE)?$/.exec(key);
    if (!match || raw === undefined || raw === '') continue;
    const [, owner = '', side, name = '', isFile] = match;
    if (side !== environment.toUpperCase()) continue;
    let value = raw;
    if (isFile) {
      try {
        value = readFileSync(raw, 'utf8').trim();
      } catch {
        faults.push(`${key} names the file ${raw}, which can not be read.`);
        continue;
      }
    }
    scopes.set(owner, { ...scopes.get(owner), [name]: value });
  }
  return scopes;
}
