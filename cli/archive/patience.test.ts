// Archiving runs beside a shop that sells: by the operator's command it gets what the shop leaves of the processors.
import { execFile, spawnSync } from 'node:child_process';
import { constants, getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Every Node of the command tells how patient it was started. Word 41 is the policy. @source proc_pid_stat(5) */
const TELL =
  `data:text/javascript,import { getPriority } from 'node:os'; import { existsSync, readFileSync } from 'node:fs'; ` +
  `const stat = '/proc/self/stat'; const words = existsSync(stat) ? readFileSync(stat, 'utf8').split(') ')[1] : ''; ` +
  `console.error('nice ' + getPriority() + ' policy ' + (words.split(' ')[38] ?? ''));`;
/** @source sched(7) */
const SCHED_IDLE = 5;
const isKnown = spawnSync('chrt', ['--idle', '0', 'true']).status === 0;

type Scheduling = { readonly nice: number; readonly policy: number };

async function startedAt(...args: readonly string[]): Promise<Scheduling | undefined> {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['scripts/run.mjs', 'cli/main.ts', ...args, '--help'],
    {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_OPTIONS: `--import=${encodeURI(TELL)}` },
    },
  );
  const lines = [...stderr.matchAll(/^nice (-?\d+) policy (\d*)$/gm)];
  return lines.map(([, nice, policy]) => ({ nice: Number(nice), policy: Number(policy) })).at(-1);
}

test('archiving is patient from its start on, other commands are not', { timeout: 30_000 }, async () => {
  const [archive, orders] = await Promise.all([startedAt('archive'), startedAt('order')]);
  expect(archive?.nice).toBe(constants.priority.PRIORITY_LOW);
  expect(archive?.policy === SCHED_IDLE).toBe(isKnown);
  expect(orders?.nice).toBe(getPriority());
  expect(orders?.policy).not.toBe(SCHED_IDLE);
});
