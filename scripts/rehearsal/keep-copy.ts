// A copy of the database, and the drill of bringing it back into an empty one.
import { join } from 'node:path';
import pg from 'pg';
import type { Step, World } from './run-steps.ts';

/** A database of this name beside the shop's, on the same server. */
async function makeDatabase(world: World, name: string): Promise<string> {
  const { DATABASE_URL: url = '' } = world.environment;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

export const copySteps: readonly Step[] = [
  {
    name: 'backup',
    about: 'refill backup --to <folder>, while the shop runs',
    async run(world) {
      const out = await world.refill(['backup', '--to', join(world.scratch, 'backups'), '--json']);
      const { bytes, file, rows } = JSON.parse(out) as { bytes: number; file: string; rows: number };
      world.facts.backup = file;
      return `${rows} rows, ${bytes} bytes`;
    },
  },
  {
    name: 'restore',
    about: 'refill restore <file> into an empty database: the books are looked at',
    async run(world) {
      const url = await makeDatabase(world, 'restored');
      const out = await world.refill(['restore', world.facts.backup ?? '', '--json'], {
        environment: { DATABASE_URL: url },
      });
      const { invariants, rows } = JSON.parse(out) as { invariants: string[]; rows: number };
      if (invariants.length > 0) throw new Error(`the books are broken there: ${invariants.join(', ')}`);
      return `${rows} rows are back, and the books hold`;
    },
  },
];
