// Reads the SQL files of a checkout and refuses what cannot be applied in one certain order. Knows no database.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

export type SqlFile = {
  /** Of a versioned file its file name, of a repeatable one the name of its function or view. */
  readonly name: string;
  /** From the root of the checkout, with slashes, for messages. */
  readonly path: string;
  readonly sql: string;
  readonly sha256: string;
};

/** `definitions`: how many functions of its name the file makes; more than one means that it has twins. */
export type RepeatableFile = SqlFile & { readonly kind: 'function' | 'view'; readonly definitions: number };

/** `message` is one sentence for a person; print it without a stack. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
}

const VERSIONED = 'migrations';
const MODULES = 'server/modules';

/** A dump that a test compares with the database; no migration. */
const SCHEMA_FILE = 'schema.sql';

export const BREACH_VIEW = 'invariant_breach';

/** @param root of a checkout */
export async function readVersioned(root: string): Promise<SqlFile[]> {
  const found = await readdir(join(root, VERSIONED));
  const names = found.filter((name) => name.endsWith('.sql') && name !== SCHEMA_FILE).toSorted();
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}-/.test(name) || names[index - 1]?.slice(0, 4) === name.slice(0, 4)) {
      throw new MigrationFault(
        `The migration ${name} needs a number of its own in front: four digits, higher than those of the files before.`,
      );
    }
  }
  return Promise.all(names.map((name) => readSql(root, name, `${VERSIONED}/${name}`)));
}

/**
 * Functions first, then views, each in the order of their names. Functions find each other when they are called, and
 * views may use functions.
 * @param root of a checkout
 */
export async function readRepeatable(root: string): Promise<RepeatableFile[]> {
  const found = (await readdir(join(root, MODULES), { recursive: true })).map((path) => path.replaceAll('\\', '/'));
  const paths = found.filter((path) => /(^|\/)sql\/[^/]+\.sql$/.test(path));
  const files = await Promise.all(
    paths.map((path) => readSql(root, basename(path, '.sql'), `${MODULES}/${path}`).then(readDefinitions)),
  );
  const sorted = files.toSorted((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name));
  const byName = new Map<string, RepeatableFile>();
  for (const file of sorted) {
    const twice = byName.get(file.name);
    if (twice) throw new MigrationFault(`Two files make ${file.name}: ${twice.path} and ${file.path}.`);
    byName.set(file.name, file);
  }
  return sorted;
}

function readDefinitions(file: SqlFile): RepeatableFile {
  const made = [...file.sql.matchAll(/^create or replace (function|view) (\w+)/gm)];
  const stranger = made.find(([, , name]) => name !== file.name);
  const [first] = made;
  if (first === undefined || stranger || file.name === BREACH_VIEW) {
    throw new MigrationFault(
      `The file ${file.path} must hold "create or replace function ${file.name}" (or view), and nothing else.`,
    );
  }
  return { ...file, kind: first[1] === 'view' ? 'view' : 'function', definitions: made.length };
}

/**
 * A definition each of a file's text, in their order: the version that ends it, or null for what stays. `-- until
 * 0.3: servers of 0.2` above a definition marks a twin: a second signature for callers of the version before.
 */
export function readTwins(sql: string): (string | null)[] {
  const lines = sql.split('\n');
  return lines.flatMap((line, index) => {
    if (!/^create or replace (function|view) /.test(line)) return [];
    let until: string | null = null;
    for (let above = index - 1; lines[above]?.startsWith('--'); above -= 1) {
      until ??= /^-- until (\d+(?:\.\d+){1,2}): \S.*$/.exec(lines[above] ?? '')?.[1] ?? null;
    }
    return [until];
  });
}

async function readSql(root: string, name: string, path: string): Promise<SqlFile> {
  const sql = await readFile(join(root, path), 'utf8');
  return hashSql(name, path, sql);
}

export function hashSql(name: string, path: string, text: string): SqlFile {
  // A checkout on Windows may turn line ends over; that is not a change.
  const sql = text.replaceAll('\r\n', '\n');
  return { name, path, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

/** By code units: the order must not depend on the locale of a machine. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The version of Refill that a checkout is, "0.1.0". */
export async function readVersion(root: string): Promise<string> {
  return (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Below zero when `a` is the older of two versions like "0.1.0" or "0.3"; marks of pre-releases are not looked at. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => version.split(/[.-]/).map(Number));
  for (let place = 0; place < 3; place += 1) {
    const difference = (x?.[place] ?? 0) - (y?.[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
