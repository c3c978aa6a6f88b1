// npm run conformance: the suite over every payment provider, told as a table of providers and cases. Exit
// code 1 when anything failed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript, toolPath } from '#scripts/run-tool.ts';
import { answerHelp } from '#scripts/usage.ts';
import { paymentProviders } from '#testing/providers.ts';
import { drawConformance, readConformance } from './conformance/kit/matrix.ts';
import { type Declaration, isNone } from './conformance/kit/declaration.ts';

/** One line for each provider: the published vectors and where they come from, or why there are none. */
async function tellVectors(): Promise<string> {
  const lines = paymentProviders.map(async ({ name }) => {
    const path = join(import.meta.dirname, 'conformance', `${name}.ts`);
    if (!existsSync(path)) return `  ${name.padEnd(12)}no declaration`;
    const { declaration } = (await import(path)) as { declaration: Declaration };
    const { vectors } = declaration;
    const source = isNone(vectors) ? `none: ${vectors.none}` : `${vectors.source} (${vectors.file})`;
    return `  ${name.padEnd(12)}${source}`;
  });
  return ['Published vectors:', ...(await Promise.all(lines))].join('\n');
}

answerHelp(`Usage: npm run conformance

Every payment provider against its simulator, as a table of providers and cases; takes some minutes.
Exit code 1: a case failed. One provider alone: npm test -- e2e/conformance -t <name>`);
const folder = mkdtempSync(join(tmpdir(), 'refill-conformance-'));
try {
  const report = join(folder, 'report.json');
  const files = ['conformance', 'own-ways', 'own-checks'].map((name) => `e2e/conformance/${name}.test.ts`);
  const args = ['run', ...files, '--project=node', '--reporter=json', `--outputFile.json=${report}`];
  const { exitCode, milliseconds, output } = await runScript(toolPath('vitest'), args, 'keep');
  const found = existsSync(report) ? readConformance(JSON.parse(readFileSync(report, 'utf8'))) : null;
  if (!found || found.passed === 0) {
    console.error(output.trim());
    throw new Error('The suite did not run.');
  }
  console.log(`${drawConformance(found, process.stdout.columns || 120)}\n`);
  console.log(`${await tellVectors()}\n`);
  const seconds = Math.round(milliseconds / 1000);
  console.log(`${found.passed} ok, ${found.notApplicable} n.a., ${found.failed} FAILED, in ${seconds} s.`);
  // A run that failed without a failed case (a file that does not load) is a failure as well.
  process.exitCode = found.failed === 0 && exitCode === 0 ? 0 : 1;
  if (found.failed === 0 && exitCode !== 0) console.error(output.trim());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
