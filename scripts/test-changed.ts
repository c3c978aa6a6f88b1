// npm test -- --changed [base]: types and lint, the tests that a change touches, and the flows of what changed; at its
// end what it did not run. A change is everything since `base` (the branch that this one left, unless given), committed
// or not.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { selectTests } from './changed/select-tests.ts';
import { projectRoot, runScript, toolPath } from './run-tool.ts';

const VITEST = toolPath('vitest', 'vitest');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim();
const lines = (text: string): string[] => text.split('\n').filter(Boolean);

const base = process.argv[2] ?? findBase();
const changed = [
  ...new Set([
    ...lines(git('diff', '--name-only', '--relative', `${base}...HEAD`)),
    ...lines(git('diff', '--name-only', '--relative', 'HEAD')),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ]),
];
process.exitCode = changed.length > 0 ? await runChanged() : tellNothing();

function tellNothing(): number {
  console.log(`Nothing has changed since ${base}.`);
  return 0;
}

async function runChanged(): Promise<number> {
  const known = {
    tests: lines(git('ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx')),
    flows: readdirSync(join(projectRoot, 'e2e')).flatMap((name) => /^(.+)\.e2e\.ts$/.exec(name)?.[1] ?? []),
  };
  const { flows, tests, untested } = selectTests(changed, known);
  console.log(`${changed.length} files changed since ${base}.`);
  const failed: string[] = [];
  const run = async (what: string, script: string, args: readonly string[]): Promise<void> => {
    if ((await runScript(script, args, 'show')).exitCode !== 0) failed.push(what);
  };
  await run('messages, types or lint', 'scripts/check.ts', ['messages', 'types', 'lint']);
  const files = [...new Set([...tests, ...(await listImporting())])].toSorted();
  if (files.length > 0) await run('tests', VITEST, ['run', ...files]);
  if (flows.length > 0) await run('flows', 'scripts/e2e.ts', ['--main', ...flows]);

  console.log(`\nRun: ${files.length} of ${known.tests.length} test files; flows: ${flows.join(', ') || 'none'}.`);
  const others = known.flows.filter((flow) => !flows.includes(flow));
  console.log(
    `Not run: ${known.tests.length - files.length} test files; flows: ${others.join(', ') || 'none'}. \`npm ` +
      `test\` runs all; \`npm run e2e -- <flow>\` the long ones too.`,
  );
  if (untested.length > 0) console.log(`No test is known for ${untested.join(', ')}.`);
  console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}.` : 'All of it passed.');
  return failed.length > 0 ? 1 : 0;
}

/** Test files that a changed file reaches through imports, as Vitest follows them. */
async function listImporting(): Promise<string[]> {
  const listed = await runScript(VITEST, ['list', '--filesOnly', '--json', '--changed', base], 'keep');
  // Warnings of Vite stand around it, and begin with a bracket too.
  const json = /^\[(?:\n[^]*?\n)?\]$/m.exec(listed.output)?.[0] ?? '[]';
  const rows = JSON.parse(json) as { file: string }[];
  return rows.map(({ file }) => file.slice(projectRoot.length + 1));
}

/** Finds the commit where this branch left the main one; on the main branch itself the last commit. */
function findBase(): string {
  const here = git('rev-parse', '--abbrev-ref', 'HEAD');
  const branches = ['origin/main', 'main'].filter((branch) => {
    try {
      return branch !== here && git('rev-parse', '--verify', '--quiet', branch) !== '';
    } catch {
      return false;
    }
  });
  return branches[0] && here !== 'main' ? git('merge-base', 'HEAD', branches[0]) : 'HEAD';
}
