// A data folder of PostgreSQL that was made once for a test file, for tests that begin where one is there already:
// making one takes several times as long as copying it.
import { randomBytes } from 'node:crypto';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkPostgres } from '#scripts/start/start-postgres.ts';

let made: Promise<string> | undefined;

/** As a run has left it that was ended in good order. */
export async function copyCluster(dataDir: string): Promise<void> {
  const source = await (made ??= makeCluster());
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Without the port: each chooses its own.
  for (const part of ['cluster', 'password']) await cp(join(source, part), join(dataDir, part), { recursive: true });
}

async function makeCluster(): Promise<string> {
  const dataDir = join(tmpdir(), `refill-made-${randomBytes(4).toString('hex')}`);
  const postgres = await forkPostgres({ dataDir });
  await postgres.stop();
  return dataDir;
}
