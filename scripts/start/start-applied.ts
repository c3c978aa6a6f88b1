// Spares a start the reading of every brand, game and picture where nothing has changed since the last one.
import { readFile, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { hashFiles } from '#scripts/hash-files.ts';
import { projectRoot } from '#scripts/run-tool.ts';

/** The demonstration's configuration is made from these: its files, and the code that reads them. */
const INPUTS = ['brands', 'games', 'channels', 'messages', 'server', 'kernel', 'contracts', 'package-lock.json'];

type Applied = { readonly files: string; readonly database: string; readonly brands: string[] };

/**
 * @param note the file that keeps what was applied
 * @param configure brings the files into the database and answers the keys of the brands
 * @returns the keys of the brands
 */
export async function configureIfChanged(
  databaseUrl: string,
  note: string,
  configure: () => Promise<string[]>,
  inputs: readonly string[] = INPUTS,
): Promise<string[]> {
  const known = await readNote(note);
  const files = await hashFiles(projectRoot, inputs, (file) => file.endsWith('.test.ts'));
  if (known !== undefined && known.files === files && known.database === (await readRevision(databaseUrl)))
    return known.brands;
  const brands = await configure();
  const applied: Applied = { files, database: await readRevision(databaseUrl), brands };
  await writeFile(note, JSON.stringify(applied));
  return brands;
}

async function readNote(note: string): Promise<Applied | undefined> {
  try {
    return JSON.parse(await readFile(note, 'utf8')) as Applied;
  } catch {
    return undefined;
  }
}

/** The revision and its moment: another database, or a command of an operator in between, has others. */
async function readRevision(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ state: string }>(
      "select revision || ' ' || applied_at as state from configuration",
    );
    return rows[0]?.state ?? '';
  } finally {
    await client.end();
  }
}
