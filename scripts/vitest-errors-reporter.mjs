// A reporter of Vitest that stores the errors of no test (a rejected promise that nobody awaits, a worker that ended):
// its JSON report leaves them out, and a run that only they made fail could not be explained by its report.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from './ensure-installed.mjs';

export const errorsReport = join(projectRoot, '.data', 'test-results', 'vitest-errors.json');

export default class ErrorsReporter {
  /** @param {readonly { message?: string, stack?: string, VITEST_TEST_PATH?: string }[]} unhandled */
  onTestRunEnd(modules, unhandled) {
    mkdirSync(dirname(errorsReport), { recursive: true });
    writeFileSync(errorsReport, JSON.stringify(unhandled.map(describeError)));
  }
}

function describeError(error) {
  const message = `${error.name ?? 'Error'}: ${error.message ?? String(error)}`.split('\n', 1)[0];
  const place = (error.stacks ?? []).map(({ file, line }) => `${relative(projectRoot, file)}:${line}`);
  const path = error.VITEST_TEST_PATH;
  return [message, ...place.slice(0, 3), path && `while ${relative(projectRoot, path)} ran`].filter(Boolean).join(', ');
}
