// Brings a backup into an empty database, in one transaction: it is there as a whole, or not at all.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import type { Environment } from '#kernel/environment.ts';
import { BackupFault, type BackupHeader, readParts } from './backup-format.ts';

export type RestoredBackup = BackupHeader & { readonly rows: number; readonly hasChecksum: boolean };

/**
 * @param url of an empty database, as the account that is to own the tables; it need not be a superuser
 * @throws BackupFault when the file is damaged, of the other environment, or the database is not empty
 */
export async function readBackup(url: string, environment: Environment, file: string): Promise<RestoredBackup> {
  const hasChecksum = await compareChecksum(file);
  const client = new pg.Client({ connectionString: url, application_name: 'refill restore' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin; set local statement_timeout = 0; set local synchronous_commit = on');
    await refuseFilled(client);
    const { header, rows } = await run(client, environment, file);
    await client.query('commit; analyze');
    return { ...header, rows, hasChecksum };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw explain(error, file);
  } finally {
    await client.end();
  }
}

async function run(client: pg.Client, environment: Environment, file: string) {
  let header: BackupHeader | undefined;
  const unzipped = createGunzip();
  // A file that cannot be read ends the reading below with the same error.
  pipeline(createReadStream(file), unzipped).catch(() => undefined);
  for await (const part of readParts(unzipped as AsyncIterable<Buffer>)) {
    if (part.kind === 'end' && header) return { header, rows: part.rows };
    if (part.kind === 'statement') await client.query(part.text);
    if (part.kind !== 'header') continue;
    header = part.header;
    if (header.environment !== environment)
      throw new BackupFault(
        `This backup is of the ${header.environment} environment and REFILL_ENVIRONMENT is ${environment}.`,
      );
  }
  throw new BackupFault('The backup is cut off: its end is missing.');
}

async function refuseFilled(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class 
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') limit 1`,
  );
  const [first] = rows;
  if (first)
    throw new BackupFault(
      `The database of DATABASE_URL is not empty (it has ${first.name}): bring a backup into a new one, \`createdb\`.`,
    );
}

/** @returns false where there is none to compare with */
async function compareChecksum(file: string): Promise<boolean> {
  const checksum = await readFile(`${file}.sha256`, 'utf8').catch(() => null);
  if (checksum === null) return false;
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    throw explain(error, file);
  }
  if (checksum.trim().split(/\s/)[0] === hash.digest('hex')) return true;
  throw new BackupFault(`${file} is damaged: its checksum is not the one in ${file}.sha256.`);
}

function explain(error: unknown, file: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new BackupFault(`There is no ${file}.`);
  if (code.startsWith('Z_')) return new BackupFault(`${file} is damaged: ${message}.`);
  return error;
}
