// Archiving runs beside a shop that sells: by the operator's command it gets what the shop leaves of the processors.
import { execFile } from 'node:child_process';
import { constants, getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Every Node of the command tells how patient it was started. */
const TELL = `data:text/javascript,import { getPriority } from 'node:os'; console.error('nice ' + getPriority());`;

async function startedAt(...args: readonly string[]): Promise<number | undefined> {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['scripts/run.mjs', 'cli/main.ts', ...args, '--help'],
    {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_OPTIONS: `--import=${encodeURI(TELL)}` },
    },
  );
  return [...stderr.matchAll(/^nice (\d+)$/gm)].map(([, nice]) => Number(nice)).at(-1);
}

test('archiving is patient from its start on, other commands are not', { timeout: 30_000 }, async () => {
  const [archive, orders] = await Promise.all([startedAt('archive'), startedAt('order')]);
  expect(archive).toBe(constants.priority.PRIORITY_LOW);
  expect(orders).toBe(getPriority());
});
