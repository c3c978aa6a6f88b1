// One child of a start: ready in time, too late, dead too early, and never outliving its launcher.
import { once } from 'node:events';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readCommand } from '#server/platform/database/embedded-postgres-running.ts';
import { type Child, type ChildOptions, startChild } from './start-child.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-child-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** @param code of a child that lives until it is told to end */
async function describeChild(code: string, more: Partial<ChildOptions> = {}): Promise<ChildOptions> {
  const file = join(folder, 'child.mjs');
  await writeFile(file, `setInterval(() => {}, 1000);\n${code}`);
  return {
    name: 'child',
    file,
    env: { ...process.env },
    logFile: join(folder, 'logs', 'child.log'),
    onTrouble: () => {},
    stopMs: 1_000,
    ...more,
  };
}

/** Waits pass by word of the test; the child's own run in its process. */
function holdWaits(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const sayReady = "console.log(JSON.stringify({ ready: true, url: 'http://here' }));";

async function start(options: ChildOptions): Promise<Child<{ url: string }>> {
  const child = await startChild<{ url: string }>(options);
  onTestFinished(child.stop);
  return child;
}

test('hands over the ready line, keeps the log, and leaves a ready child alone', async () => {
  const troubles: string[] = [];
  const code = `console.log('{"level":50,"msg":"bad"}'); console.log('{"level":30,"msg":"fine"}'); ${sayReady}
    setTimeout(() => console.error('late words'), 50);`;
  const child = await start(await describeChild(code, { readyMs: 5_000, onTrouble: (line) => troubles.push(line) }));
  expect(child.ready).toEqual({ ready: true, url: 'http://here' });
  await expect.poll(() => troubles).toEqual(['{"level":50,"msg":"bad"}', 'late words']);
  expect(await readFile(join(folder, 'logs', 'child.log'), 'utf8')).toContain('"fine"');
});

/** As the system says it: "SCHED_BATCH"; "" where it cannot say. */
function readPolicy(pid: number): string {
  const { stdout } = spawnSync('chrt', ['--pid', String(pid)], { encoding: 'utf8' });
  return /SCHED_\w+/.exec(stdout ?? '')?.[0] ?? '';
}

test('where the system can, a child waits for its turn on the processor', async () => {
  const isPossible = spawnSync('chrt', ['--batch', '0', 'true']).status === 0;
  const child = await start(await describeChild(sayReady));
  expect(readPolicy(child.pid)).toBe(isPossible ? 'SCHED_BATCH' : readPolicy(process.pid));
});

test('a child that was ready in time is not stopped when that time is over', async () => {
  holdWaits();
  const child = await start(await describeChild(sayReady, { readyMs: 2_000 }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await readCommand(child.pid)).toContain(folder);
});

test('a child that dies before it is ready is quoted', async () => {
  await expect(startChild(await describeChild("console.error('PORT is odd.'); process.exit(7);"))).rejects.toThrow(
    `The child ended with exit code 7 before it was ready: see ${join(folder, 'logs', 'child.log')}\n  PORT is odd.`,
  );
});

test('a child that is not ready in time is ended, even when it will not listen', async () => {
  const code =
    "process.on('SIGTERM', () => {}); (await import('node:fs')).writeFileSync(process.env.PID_FILE, " +
    'String(process.pid));';
  const pidFile = join(folder, 'pid');
  const options = await describeChild(code, {
    readyMs: 60_000,
    stopMs: 12_000,
    env: { ...process.env, PID_FILE: pidFile },
  });
  holdWaits();
  const starting = startChild(options);
  await expect.poll(() => readFile(pidFile, 'utf8').catch(() => '')).not.toBe('');
  vi.advanceTimersByTime(60_000);
  vi.advanceTimersByTime(12_000);
  await expect(starting).rejects.toThrow('was not ready in time');
  expect(await readCommand(Number(await readFile(pidFile, 'utf8')))).toBe('');
});

test('a stop drains: one SIGTERM, however often it is asked for', async () => {
  const code =
    `let count = 0; process.on('SIGTERM', () => { count += 1; setTimeout(() => process.exit(count), 300); }); ` +
    `${sayReady}`;
  const child = await start(await describeChild(code));
  await Promise.all([child.stop(), child.stop()]);
  expect(await child.exited).toBe('exit code 1');
});

test('a child gets SIGTERM when its launcher is killed', async () => {
  const mark = join(folder, 'drained');
  const write = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(mark)}, 'yes')`;
  const code = `process.on('SIGTERM', () => { ${write}; process.exit(0); }); ${sayReady}`;
  const options = await describeChild(code);
  const launcher = `
    import { startChild } from ${JSON.stringify(new URL('./start-child.ts', import.meta.url).href)};
    const child = await startChild({ ...${JSON.stringify(options)}, onTrouble: () => {} });
    process.send(child.pid);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', launcher], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [pid] = (await once(parent, 'message')) as [number];
  parent.kill('SIGKILL');
  await expect.poll(() => readCommand(pid), { timeout: 5_000 }).toBe('');
  expect(await readFile(mark, 'utf8')).toBe('yes');
});
