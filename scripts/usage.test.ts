import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from './run-tool.ts';

const SCRIPTS = [
  'scripts/start.ts',
  'scripts/test.mjs',
  'scripts/check.ts',
  'scripts/e2e.ts',
  'e2e/shots/shots.ts',
  'bench/main.ts',
  'chaos/main.ts',
  'scripts/rehearsal.ts',
  'chaos/security/main.ts',
  'e2e/conformance.ts',
  'scripts/audit.ts',
  'scripts/messages.ts',
  'scripts/release.ts',
  'scripts/build.ts',
  'scripts/lean.mjs',
  'scripts/dump.ts',
];

const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(projectRoot, script), ...args], { cwd: projectRoot, encoding: 'utf8' });

test.each(SCRIPTS)('%s --help says how it is called, and does nothing', { timeout: 60_000 }, (script) => {
  const { status, stdout, stderr } = run(script, '--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: npm (run )?\w+/);
});

test('an option that the pictures do not know is told with the usage, without a stack', { timeout: 60_000 }, () => {
  const { status, stderr } = run('e2e/shots/shots.ts', '--colour');
  expect(status).toBe(2);
  expect(stderr).toContain('Usage: npm run shots');
  expect(stderr).not.toMatch(/^\s+at /m);
});
