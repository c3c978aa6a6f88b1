// Counts limits for all processes of a shop in one place: PostgreSQL or, where REDIS_URL names one, Valkey.
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterStoreAbstract,
} from 'rate-limiter-flexible';
import type { Environment } from '#kernel/environment.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';

/** `points` in `duration` seconds for each key under `keyPrefix`. */
export type LimitRule = { readonly keyPrefix: string; readonly points: number; readonly duration: number };

/** Opens the count of a rule. While its store is away the count goes on in this process: not without limit. */
export type LimitStore = (rule: LimitRule) => RateLimiterStoreAbstract;

/** In PostgreSQL: a statement for each count, nothing more to run. */
export function countInDatabase(db: Db): LimitStore {
  return (rule) =>
    new RateLimiterPostgres({
      ...rule,
      storeClient: db,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(rule),
    });
}

/** Our choice: a count that takes longer than a login may wait for is made in this process instead. */
const TIMEOUT_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Asks whether a Valkey answers at `url` now. @returns milliseconds, or why not: a word without the address */
export async function askValkey(url: string): Promise<number | string> {
  const { createClient } = await import('@redis/client');
  const client = createClient({ url, socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false } });
  // The call below fails by itself.
  client.on('error', () => undefined);
  const begun = performance.now();
  try {
    await client.connect();
    await client.ping();
    return Math.round(performance.now() - begun);
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return code ?? name;
  } finally {
    client.destroy();
  }
}

export type OpenLimitStore = { readonly store: LimitStore; readonly close: () => Promise<void> };

/** @param config.valkeyUrl empty: limits are counted in the database */
export async function openLimitStore(
  db: Db,
  config: { readonly valkeyUrl: string; readonly environment: Environment },
  log: Log,
): Promise<OpenLimitStore> {
  if (!config.valkeyUrl) return { store: countInDatabase(db), close: async () => undefined };
  return countInValkey(config.valkeyUrl, config.environment, log);
}

/**
 * In Valkey, or Redis: counts leave PostgreSQL alone and end by themselves. A start does not wait for it, and it may
 * go and come back at any time.
 * @param url `redis://[user:password@]host:port[/number]`, `rediss://` with TLS
 */
export async function countInValkey(url: string, environment: Environment, log: Log): Promise<OpenLimitStore> {
  // Its five hundred modules take 28 MB and a third of a second, which a shop without it does not spend.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: TIMEOUT_MS },
    socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, LONGEST_PAUSE_MS) },
  });
  let isAway = false;
  client.on('error', (error: NodeJS.ErrnoException) => {
    if (isAway) return;
    isAway = true;
    log.warn({ alert: 'limits', reason: error.code ?? error.name }, 'limits are counted in each process: no Valkey');
  });
  client.on('ready', () => {
    if (isAway) log.info('limits are counted in Valkey again');
    isAway = false;
  });
  // Never rejects while it may try again, and that it does for ever.
  void client.connect().catch(() => undefined);
  return {
    store: (rule) =>
      new RateLimiterRedis({
        ...rule,
        // Several shops may share one.
        keyPrefix: `refill:${environment}:${rule.keyPrefix}`,
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(rule),
      }),
    close: async () => client.destroy(),
  };
}
