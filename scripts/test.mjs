// npm test: types, lint, the storefront's build, all tests of Vitest, then the flows in a browser. Works on a fresh
// machine. The last line is "N passed, N failed" over both kinds of tests; the exit code is 0 only when nothing failed.
// npm test -- --changed [base]: only what a change touches (scripts/test-changed.ts).
// npm test -- <arguments>: only Vitest, with these arguments (npm test -- kernel/money).
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureInstalled, pinnedNode, projectRoot, runOrExplain } from './ensure-installed.mjs';
import { errorsReport } from './vitest-errors-reporter.mjs';

const results = join(projectRoot, '.data', 'test-results');
const vitest = join('node_modules', 'vitest', 'vitest.mjs');
const playwright = join('node_modules', '@playwright', 'test', 'cli.js');

const USAGE = `Usage: npm test
       npm test -- --changed [base]
       npm test -- <arguments of Vitest>

Types, lint, the build, all unit tests and the main flows in a browser. --changed: only what a change since base
touches, and what it did not run. Else a path or a name: npm test -- kernel/money, npm test -- e2e/conformance -t adyen`;

await runOrExplain(async () => {
  await ensureInstalled();
  const given = process.argv.slice(2);
  if (given.includes('--help') || given.includes('-h')) {
    console.log(USAGE);
    return;
  }
  if (given[0] === '--changed') process.exitCode = await runNode(['scripts/test-changed.ts', ...given.slice(1)]);
  else process.exitCode = given.length > 0 ? await runNode([vitest, 'run', ...given]) : await runAll();
});

/** @returns {Promise<number>} the exit code */
async function runAll() {
  // A report of the last run must never be counted as one of this run.
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });

  const faults = [];
  const checks = ['messages', 'types', 'lint', 'packages', 'pictures'];
  if ((await runNode(['scripts/check.ts', ...checks])) !== 0) faults.push('the checks');

  const isBuilt = !existsSync(join(projectRoot, 'scripts', 'build.ts')) || (await runNode(['scripts/build.ts'])) === 0;
  if (!isBuilt) faults.push('the build of the storefront');

  const unitReport = join(results, 'vitest.json');
  const unitReporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${unitReport}`,
    '--reporter=./scripts/vitest-errors-reporter.mjs',
  ];
  const unitCode = await runNode([vitest, 'run', ...unitReporters]);
  const unit = countUp('unit tests', unitCode, unitReport, countVitest);

  const flowReport = join(results, 'playwright.json');
  // Flows over a storefront that does not build would only repeat that one fault many times.
  const flowCode = isBuilt
    ? await runNode([playwright, 'test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: flowReport })
    : 1;
  const flows = countUp('browser flows', flowCode, flowReport, countPlaywright);

  const passed = unit.passed + flows.passed;
  const failed = unit.failed + flows.failed;
  console.log('');
  for (const { name, ...count } of [unit, flows]) {
    console.log(`${name}: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
  // By name once more: the report of a run is long, and often only its end is kept.
  for (const name of [...unit.names, ...flows.names]) console.log(`failed: ${name}`);
  const unhandled = existsSync(errorsReport) ? JSON.parse(readFileSync(errorsReport, 'utf8')) : [];
  for (const error of unhandled) console.log(`an error of no unit test: ${error}`);
  for (const name of flows.second) console.log(`passed at the second try only: ${name}`);
  if (faults.length > 0) console.log(`Not well either: ${faults.join(' and ')} (see above).`);
  console.log(`${passed} passed, ${failed} failed`);
  const isWell = failed === 0 && faults.length === 0 && unit.passed > 0 && flows.passed > 0;
  if (isWell) notePassed();
  return isWell ? 0 : 1;
}

/** For `npm run release`: the commit that all tests passed on, when nothing but it was tested. */
function notePassed() {
  const git = (...args) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim();
  try {
    if (git('status', '--porcelain') !== '') return;
    writeFileSync(join(results, 'passed.json'), `${JSON.stringify({ commit: git('rev-parse', 'HEAD') })}\n`);
  } catch {
    // A copy without git is tested as well; no version is made of it.
  }
}

/**
 * Counts one runner's report. A runner that failed without a failed test (a set-up that broke, no
 * report) counts as one failure.
 */
function countUp(name, exitCode, report, count) {
  const counted = existsSync(report)
    ? count(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0, names: [], second: [] };
  const isUntold = counted.failed === 0 && (exitCode !== 0 || counted.passed === 0);
  const names = [`the run of the ${name} itself (exit code ${exitCode})`];
  return isUntold ? { name, ...counted, failed: 1, names } : { name, ...counted };
}

function countVitest(report) {
  // A file that does not even load has no tests to fail, so it counts as one.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    names: report.testResults.flatMap((file) => {
      const place = relative(projectRoot, file.name);
      if (broken.includes(file)) return [`${place} (does not run: ${firstLine(file.message)})`];
      const failed = file.assertionResults.filter((test) => test.status === 'failed');
      return failed.map((test) => `${place} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
    }),
  };
}

function countPlaywright({ stats, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    names: suites.flatMap((suite) => namesOf(suite, (spec) => !spec.ok)),
    second: suites.flatMap((suite) => namesOf(suite, (spec) => spec.tests.some((test) => test.status === 'flaky'))),
  };
}

/** Names of the flows of a suite, and of those inside it, that `isWanted` takes; `path`: titles of suites around. */
function namesOf({ title, specs = [], suites = [] }, isWanted, path = []) {
  const here = [...path, title];
  const own = specs.filter(isWanted).map((spec) => [...here, spec.title, spec.tests[0]?.projectName].join(' > '));
  return [...own, ...suites.flatMap((suite) => namesOf(suite, isWanted, here))];
}

function firstLine(text = '') {
  return text.split('\n', 1)[0];
}

/** Runs a script on the pinned Node with the terminal handed on. */
function runNode(args, extraEnv = {}) {
  const child = spawn(pinnedNode, args, {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, ...extraEnv },
  });
  // The runner gets to stop its own servers first; then all is over, without the steps that were to follow.
  let stoppedBy;
  const stop = (signal) => {
    stoppedBy = signal;
    // A terminal hands Ctrl-C to the child by itself.
    if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      if (stoppedBy !== undefined) process.exit(stoppedBy === 'SIGINT' ? 130 : 143);
      resolve(code ?? 1);
    });
  });
}
