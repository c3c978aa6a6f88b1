// The first connection of a start: waits for a database that is away, with an end, and tells what
// is wrong with one that is not.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Finding } from '#server/platform/settings/finding.ts';

/** 16 is the oldest PostgreSQL that the migrations are meant for. @source README.md */
const OLDEST_VERSION = 160_000;

/** Our choice: soon back after a restart, and no flood on a server that is starting. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 5000];

const CONNECT_MS = 5000;

/**
 * Matches a restart, a failover or a name that is not yet known; any other fault stays wrong however long one waits.
 * @source PostgreSQL appendix A: 08 connection exception, 57P01 to 57P03 shut down or
 *   starting, 53300 too many connections
 */
const PASSING =
  /^(?:08...|57P0[1-3]|53300|ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT)$/;

export type Reach = {
  readonly url: string;
  readonly waitSeconds: number;
  /** Hears of every attempt that failed and is made again. */
  readonly onRetry: (reason: string, secondsLeft: number) => void;
};

/** @returns null when the database answers and is new enough */
export async function reachDatabase({ onRetry, url, waitSeconds }: Reach): Promise<Finding | null> {
  const deadline = performance.now() + waitSeconds * 1000;
  for (let attempt = 0; ; attempt += 1) {
    const failure = await tryOnce(url);
    if (failure === null) return null;
    const left = deadline - performance.now();
    if (!failure.isPassing || left <= 0) return toFinding(url, failure, waitSeconds);
    onRetry(failure.reason, Math.ceil(left / 1000));
    await sleep(Math.min(PAUSES_MS[attempt] ?? PAUSES_MS.at(-1) ?? 0, Math.max(left, 0)));
  }
}

type Failure = {
  readonly isPassing: boolean;
  readonly reason: string;
  /** Stands alone where the version is too old. */
  readonly remedy?: string;
  readonly code?: string;
};

/** @source PostgreSQL appendix A: 28 invalid authorization, 3D000 no such database */
const REMEDIES: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^28/, 'mend the name or password in it'],
  [/^3D000$/, 'create that database, or mend its name in the address'],
];

async function tryOnce(url: string): Promise<Failure | null> {
  let client: pg.Client | null = null;
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      // A pooler takes connections while its database is away, and lets the statement wait for minutes.
      query_timeout: CONNECT_MS,
      application_name: 'refill',
    });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    const version = rows[0]?.version ?? 0;
    if (version >= OLDEST_VERSION) return null;
    const reason = `leads to PostgreSQL ${Math.floor(version / 10_000)}`;
    return { isPassing: false, reason, remedy: 'Refill needs 16 or newer' };
  } catch (error) {
    // Several addresses of one host that all refuse come as an AggregateError, whose own message is empty.
    const { code = '', message } = error as { code?: string; message?: string };
    const isPassing = PASSING.test(code) || /timeout|Connection terminated/.test(message ?? '');
    return { isPassing, code, reason: message || code || 'no answer' };
  } finally {
    // Whoever does not answer need not agree to the end either.
    void client?.end().catch(() => {});
  }
}

function toFinding(url: string, failure: Failure, waitSeconds: number): Finding {
  if (failure.remedy) return { name: 'DATABASE_URL', reason: failure.reason, remedy: failure.remedy };
  const where = URL.canParse(url) ? ` at ${new URL(url).host}` : '';
  const waited = failure.isPassing && waitSeconds > 0 ? ` within ${waitSeconds} s` : '';
  return {
    name: 'DATABASE_URL',
    reason: `leads to a database${where} that cannot be opened${waited} (${failure.reason})`,
    remedy: failure.isPassing
      ? 'start the database, or mend the address'
      : (REMEDIES.find(([code]) => code.test(failure.code ?? ''))?.[1] ?? 'mend the address'),
  };
}
