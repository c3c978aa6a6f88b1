// Archiving runs beside a shop that sells: by the operator's command it gets what the shop leaves of the processors.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Every Node of the command tells how patient it is once it has begun. */
const TELL =
  `data:text/javascript,import { getPriority } from 'node:os'; import { existsSync, readFileSync } from 'node:fs'; ` +
  `const file = '/proc/self/autogroup'; const session = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''; ` +
  `console.error(JSON.stringify({ nice: getPriority(), session, flags: process.execArgv.join(' ') }));`;

type Started = { readonly nice: number; readonly session: string; readonly flags: string };

async function startedAt(...args: readonly string[]): Promise<Started | undefined> {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['scripts/run.mjs', 'cli/main.ts', ...args, '--help'],
    {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_OPTIONS: `--import=${encodeURI(TELL)}` },
    },
  );
  return [...stderr.matchAll(/^\{"nice".*$/gm)].map(([line]) => JSON.parse(line) as Started).at(-1);
}

test('archiving is patient from its start on, other commands are not', { timeout: 30_000 }, async () => {
  const [archive, orders] = await Promise.all([startedAt('archive'), startedAt('order')]);
  const low = constants.priority.PRIORITY_LOW;
  expect(archive?.nice).toBe(low);
  expect(archive?.flags).toContain('--single-threaded-gc');
  // Linux may share processors among sessions: then it has one of its own, which is patient.
  expect(archive?.session).toMatch(existsSync('/proc/self/autogroup') ? new RegExp(`nice ${low}$`) : /^$/);
  expect(orders?.nice).toBe(getPriority());
  expect(orders?.flags).not.toContain('--single-threaded-gc');
  expect(orders?.session).not.toMatch(new RegExp(`nice ${low}$`));
});
