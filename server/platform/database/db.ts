// PostgreSQL access: one pool, named prepared statements, transactions. SQL itself lives in each module's store.ts.
import pg from 'pg';
import { tracedInside } from '#server/platform/telemetry/telemetry.ts';

export type Db = pg.Pool;
/** Every span of a statement carries this beside its name. */
const DATABASE = { 'db.system.name': 'postgresql' };

/** A pool or a client inside a transaction: whatever a store may run a statement on. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

// bigint arrives as text; amounts and counts must be safe integers or it is a bug worth stopping for.
pg.types.setTypeParser(20, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond the safe range`);
  return value;
});

/**
 * How long the database has for a statement; and this side a little longer for its answer: a connection
 * whose other end has vanished without a word would else be waited for until TCP gives up, and the pool with it.
 */
const STATEMENT_MS = 10_000;
const ANSWER_MS = 12_000;
/** Our choice: routers between shop and database forget a connection on which nothing moves for some minutes. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Opens a pool. `onError` hears of connections that died while idle; without a listener that would end the process.
 * @param options.answerMs patience for one statement, for who raises the statement_timeout of the database as well
 * @param options.preparesStatements false: names of statements are not told to the database
 * @param options.isKept connections that were opened stay. A new one plans each statement at its first call, 10 to 30 ms
 *   a step of the money path in a shop of two years; closed after half a minute without work and opened at the next
 *   crowd, that was the tail of a shop with little to do
 */
export function openDb(
  url: string,
  options: {
    max: number;
    onError: (error: Error) => void;
    answerMs?: number;
    preparesStatements?: boolean;
    isKept?: boolean;
  },
): Db {
  const pool = new pg.Pool({
    connectionString: url,
    ...(options.preparesStatements === false ? { Client: NamelessClient } : {}),
    max: options.max,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    ...(options.isKept ? { min: options.max, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS } : {}),
    statement_timeout: STATEMENT_MS,
    query_timeout: options.answerMs ?? ANSWER_MS,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'refill',
  });
  pool.on('error', options.onError);
  // The pool listens to idle connections only. One that dies between two statements of a transaction
  // would end the process; its next statement fails and tells what happened.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Every statement is parsed anew: the next one may meet another connection of PostgreSQL behind a pooler. */
class NamelessClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const run = super.query.bind(this) as unknown as (...all: unknown[]) => unknown;
    const queryNameless = (statement: unknown, ...rest: unknown[]) => run(leaveOutName(statement), ...rest);
    this.query = queryNameless as unknown as pg.Client['query'];
  }
}

function leaveOutName(statement: unknown): unknown {
  // A statement that is no object is a text; one with `submit` is a cursor of the library.
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return statement;
  return { ...statement, name: undefined };
}

/**
 * Runs a named statement: parsed and planned once a connection. The name must belong to exactly one text.
 * @param answerMs instead of the usual patience, for who has raised the statement_timeout of the database as well
 */
export async function query<Row extends pg.QueryResultRow>(
  db: Queryable,
  name: string,
  text: string,
  values: unknown[] = [],
  answerMs?: number,
): Promise<Row[]> {
  const timeout = answerMs === undefined ? {} : { query_timeout: answerMs };
  const { rows } = await tracedInside(name, DATABASE, () => db.query<Row>({ name, text, values, ...timeout }));
  return rows;
}

/**
 * Calls a function of the database by the names of its parameters: `{ billing_no }` is its `p_billing_no`.
 * Objects and lists travel as jsonb.
 * @throws TypeError when a value is undefined: what is left out by mistake may decide about money
 */
export async function callFunction<Result>(
  db: Queryable,
  name: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Result> {
  refuseUndefined(name, values);
  const { keys, text } = callOf(name, values);
  const [row] = await query<{ answer: Result }>(
    db,
    name,
    text,
    keys.map((key) => toParameter(values[key])),
  );
  if (!row) throw new Error(`${name} answered nothing`);
  return row.answer;
}

type Call = { readonly keys: readonly string[]; readonly text: string };
const calls = new Map<string, Call>();

/** One name has one text: callers write the same values in different orders. */
function callOf(name: string, values: Readonly<Record<string, unknown>>): Call {
  const given = Object.keys(values);
  const known = calls.get(name);
  if (known && known.keys.length === given.length && known.keys.every((key) => key in values)) return known;
  const keys = given.toSorted();
  const parameters = keys.map((key, index) => `p_${key} => $${index + 1}`).join(', ');
  const made = { keys, text: `select ${name}(${parameters}) as answer` };
  calls.set(name, made);
  return made;
}

/** @throws TypeError when one of the values is undefined, which JSON and SQL would both take for "none" */
export function refuseUndefined(name: string, values: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(values))
    if (value === undefined) throw new TypeError(`${name}: ${key} is undefined`);
}

function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? toJsonb(value) : value;
}

/** PostgreSQL refuses NUL and lone surrogates; names, reasons and cut bodies from the outside may hold them. */
const cleanText = (text: string): string =>
  /[\0\ud800-\udfff]/.test(text) ? text.toWellFormed().replaceAll('\0', '') : text;

/**
 * A value as the text of a jsonb parameter. PostgreSQL refuses NUL and lone surrogates; names, reasons
 * and cut bodies from the outside may hold them, and money must not wait for a clean name.
 */
export function toJsonb(value: unknown): string {
  // JSON writes both as escapes. Hardly any text has one, and a replacer makes the writing several times as dear.
  const text = JSON.stringify(value);
  if (!text.includes('\\u') || !/\\u(?:0000|d[89a-f])/.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? cleanText(part) : part));
}

/**
 * One transaction; what `work` returns is committed. After an error the connection is thrown
 * away, for its state is unknown.
 */
export function transaction<Result>(db: Db, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  return inTransaction(db, 'commit', work);
}

/** Previews what `work` does: it is carried out and rolled back, so what it returns cannot be anything else. */
export function preview<Result>(db: Db, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  return inTransaction(db, 'rollback', work);
}

async function inTransaction<Result>(
  db: Db,
  end: 'commit' | 'rollback',
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await db.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query(end);
    return result;
  } catch (error) {
    failure = error as Error;
    // A connection that is broken or silent is only thrown away: the rollback would be waited for in vain.
    if (!isDatabaseDown(error)) await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release(failure);
  }
}

/** A connection may fail with these before PostgreSQL has answered: its name, its machine or its network is gone. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE',
]); /* a row a line */ // prettier-ignore

/** True for errors that mean "the database is not there now": answered 503, never 500. */
export function isDatabaseDown(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    /^(08|57P0|57014|53)/.test(code) ||
    UNREACHABLE.has(code) ||
    code === '25006' ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
      message,
    )
  );
}

/** True when the database itself refused a statement: nothing of it happened. After any other error nobody knows. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isDatabaseDown(error);
}
