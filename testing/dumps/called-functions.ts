// Signatures of the database's functions that the servers of this checkout call. Servers of one version go on calling
// them for a while when the database has had the next version's migrations, so the next version has to keep them.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '#server/platform/database/db.ts';
import { type RepeatableFile, readTwins } from '#server/platform/database/schema/sql-files.ts';

const CALLERS = ['server', 'cli'];

/**
 * "place_order(p_player_id uuid, p_billing_no text)", in the order of their names: parameters are called by theirs.
 */
export async function listCalledFunctions(
  db: Queryable,
  root: string,
  files: readonly RepeatableFile[],
): Promise<string[]> {
  const texts = (await Promise.all(CALLERS.map((folder) => readSources(join(root, folder))))).flat();
  const called = files.filter(
    ({ kind, name }) => kind === 'function' && texts.some((text) => new RegExp(`['"\`\\s.(]${name}['"\`(]`).test(text)),
  );
  const signatures = await listSignatures(db);
  return called.flatMap(({ name, sql }) => {
    // In a new database a file's functions came to be in its order. Nobody of this version calls its twins.
    const twins = readTwins(sql);
    return (signatures.get(name) ?? []).filter((_, index) => twins[index] === null);
  });
}

/** By name, oldest first. */
export async function listSignatures(db: Queryable): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ name: string; signatures: string[] }>(
    `select proname as name,
       array_agg(proname || '(' || pg_get_function_identity_arguments(oid) || ')' order by oid) as signatures
     from pg_proc where pronamespace = 'public'::regnamespace group by proname order by proname`,
  );
  return new Map(rows.map(({ name, signatures }) => [name, signatures]));
}

async function readSources(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true });
  const sources = paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
  return Promise.all(sources.map((path) => readFile(join(folder, path), 'utf8')));
}
