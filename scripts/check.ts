// npm run check [-- name ...]: everything that can be said about the code without running
// it. All checks run, also after one has failed; each failure is shown in full, and a table at the end says which were
// well.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runScript, toolPath } from './run-tool.ts';
import { answerHelp } from './usage.ts';

const messages = join(projectRoot, 'scripts', 'messages.ts');

/** Name of the check -> the script that makes it, and its arguments. */
const checks: Record<string, [script: string, args: string[]]> = {
  // First, because it writes the types of the messages that the next one reads.
  ...(existsSync(messages) ? { messages: [messages, ['--check']] } : {}),
  types: [toolPath('typescript', 'tsc'), ['--noEmit']],
  lint: [toolPath('oxlint'), []],
  format: [toolPath('oxfmt'), ['--check', '--no-error-on-unmatched-pattern']],
  'dead-code': [toolPath('knip'), ['--no-progress']],
  packages: [join(projectRoot, 'scripts', 'packages.ts'), []],
  pictures: [join(projectRoot, 'scripts', 'pictures.ts'), []],
  words: [join(projectRoot, 'scripts', 'words.ts'), []],
};

const wanted = process.argv.slice(2);
answerHelp(`Usage: npm run check [-- <name> ...]

${Object.keys(checks).join(', ')}: all of them unless some are named. Exit code 1: one failed.`);
const unknown = wanted.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`No check named ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}.`);
  process.exitCode = 2;
} else {
  process.exitCode = await runChecks(Object.keys(checks).filter((name) => wanted.length === 0 || isAsked(name)));
}

/** Types read what the check of the messages writes: in a fresh checkout there is nothing else that has written it. */
function isAsked(name: string): boolean {
  return wanted.includes(name) || (name === 'messages' && wanted.includes('types'));
}

/** @returns the exit code: 0 when every check passed */
async function runChecks(names: readonly string[]): Promise<number> {
  const rows: string[] = [];
  const notes: string[] = [];
  let failures = 0;
  for (const name of names) {
    const [script, args] = checks[name] ?? [];
    if (script === undefined || args === undefined) continue;
    // One after the other: each of them uses all cores by itself.
    const { exitCode, output, milliseconds } = await runScript(script, args, 'keep');
    const isWell = exitCode === 0;
    if (!isWell) {
      failures += 1;
      console.error(`\n--- ${name} ---\n${output.trim()}`);
    }
    notes.push(...output.split('\n').filter((line) => line.startsWith('note: ')));
    rows.push(
      `${name.padEnd(12)}${(isWell ? 'ok' : 'FAILED').padEnd(8)}${(milliseconds / 1000).toFixed(1).padStart(6)} s`,
    );
  }
  console.log(['', ...rows, ...notes].join('\n'));
  return failures === 0 ? 0 : 1;
}
