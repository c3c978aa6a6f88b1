// The walls between the rooms stand: a tree of planted breaches, linted with the project's
// own configuration, must yield exactly the breaches that its files announce with "// BREACH <rules>" on the line, and
// nothing for the clean lines.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Diagnostic = { code?: string; filename: string; labels: { span: { line: number } }[] };

const projectRoot = join(import.meta.dirname, '..');
const fixture = join(projectRoot, 'testing', 'fixtures', 'walls');
const oxlint = join(projectRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');

let copy: string;

beforeAll(async () => {
  // The patterns of the configuration count from the project's root, so the fixture has to be one.
  copy = await mkdtemp(join(tmpdir(), 'refill-walls-'));
  await cp(fixture, copy, { recursive: true });
  for (const path of ['.oxlintrc.json', 'package.json', 'tsconfig.json', 'scripts/lint']) {
    await cp(join(projectRoot, path), join(copy, path), { recursive: true });
  }
  await symlink(join(projectRoot, 'node_modules'), join(copy, 'node_modules'), 'junction');
});

afterAll(() => rm(copy, { recursive: true, force: true }));

/** Breaches as "file:line rule", sorted. */
async function lint(): Promise<string[]> {
  const output = await promisify(execFile)(process.execPath, [oxlint, '-f', 'json'], {
    cwd: copy,
    maxBuffer: 16 << 20,
  }).catch((error: { stdout: string }) => error);
  const { diagnostics } = JSON.parse(output.stdout) as { diagnostics: Diagnostic[] };
  return diagnostics
    .map(
      ({ code, filename, labels }) => `${filename.replaceAll('\\', '/')}:${lineOf(code, labels)} ${code ?? 'no code'}`,
    )
    .toSorted();
}

// A file that is too long, or lies outside every room, is reported as a whole: its announcement stands on any line.
function lineOf(code: string | undefined, labels: Diagnostic['labels']): number | 'file' {
  return isAboutFile(code) ? 'file' : (labels[0]?.span.line ?? 0);
}

function isAboutFile(code: string | undefined): boolean {
  return code === 'eslint(max-lines)' || code === 'boundaries(no-unknown-files)';
}

/** Reads the breaches that the files of the fixture announce, in the same form. */
async function readAnnouncements(): Promise<string[]> {
  const files = await readdir(fixture, { recursive: true });
  const perFile = await Promise.all(
    files
      .filter((file) => /\.tsx?$/.test(file))
      .map(async (file) => {
        const lines = (await readFile(join(fixture, file), 'utf8')).split('\n');
        return lines.flatMap((line, index) => {
          const codes = line.match(/\/\/ BREACH (.+)$/)?.[1]?.split(' ') ?? [];
          return codes.map((code) => `${file.replaceAll('\\', '/')}:${isAboutFile(code) ? 'file' : index + 1} ${code}`);
        });
      }),
  );
  return perFile.flat().toSorted();
}

test('every planted breach is reported by its rule, and every clean line passes', { timeout: 60_000 }, async () => {
  const announced = await readAnnouncements();
  // Guards against a fixture that was emptied by accident: two empty lists are equal as well.
  expect(announced.length).toBeGreaterThan(80);
  expect(await lint()).toEqual(announced);
});
