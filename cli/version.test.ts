import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCommit, readVersion } from '#server/platform/version.ts';
import { runCommand } from './test-run.ts';

test('version, commit and newest migration are told', async () => {
  const printed = JSON.parse((await runCommand(['version', '--json'], {})).out) as Record<string, string | null>;
  expect(printed).toEqual({
    version: readVersion(),
    commit: readCommit(),
    migration: expect.stringMatching(/^\d{4}-[a-z-]+$/),
  });
  const line = (await runCommand(['version'], {})).out;
  expect(line).toContain(`refill ${printed['version']}`);
  expect(line).toContain(`newest migration ${printed['migration']}`);
});

test('the commit is the one of the checkout, marked where files differ; of an image what its build wrote; else none', async () => {
  const root = `${await mkdtemp(join(tmpdir(), 'refill-version-'))}/`;
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  expect(readCommit(root)).toBe(null);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  git('init', '-q');
  await writeFile(join(root, 'a.txt'), 'a');
  git('add', '.');
  git('commit', '-qm', 'A');
  const commit = git('rev-parse', 'HEAD').trim();
  expect(readCommit(root)).toBe(commit.slice(0, 12));
  await writeFile(join(root, 'a.txt'), 'b');
  expect(readCommit(root)).toBe(`${commit.slice(0, 12)}-dirty`);
  await writeFile(join(root, '.commit'), 'abc\n');
  expect(readCommit(root)).toBe('abc');
});
