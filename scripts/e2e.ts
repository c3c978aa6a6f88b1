// npm run e2e [-- noun ...]: builds the storefront and runs the browser flows, all of them or those of
// e2e/<noun>.e2e.ts, in full length. A noun that needs no page (wire, logins) is a test of Vitest, e2e/<noun>.test.ts.
// What begins with a dash goes to Playwright (npm run e2e -- purchase --project=phone).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runScript, toolPath } from './run-tool.ts';
import { answerHelp } from './usage.ts';

const given = process.argv.slice(2);
/** As `npm test` runs them. */
const isMain = given.includes('--main');
const nouns = given.filter((argument) => !argument.startsWith('-'));
const files = readdirSync(join(projectRoot, 'e2e'));
const nounsOf = (suffix: string) =>
  files.filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length));
const flows = nounsOf('.e2e.ts');
const tests = nounsOf('.test.ts').filter((noun) => !flows.includes(noun));
const unknown = nouns.filter((noun) => ![...flows, ...tests].includes(noun));

answerHelp(`Usage: npm run e2e [-- <noun> ...] [options of Playwright]

The flows of e2e/<noun>.e2e.ts in a browser, or the test e2e/<noun>.test.ts; without a noun every flow, also the
long ones; --main: those of them that npm test runs. Options go to Playwright: npm run e2e -- purchase --project=phone

Nouns: ${[...flows, ...tests].toSorted().join(', ')}.`);
process.exitCode = unknown.length > 0 ? refuse() : (await runTests()) || (await runFlows());

function refuse(): number {
  console.error(
    `No flows named ${unknown.join(', ')}. There are: ${[...flows, ...tests].toSorted().join(', ') || 'none'}.`,
  );
  return 2;
}

async function runTests(): Promise<number> {
  const chosen = nouns.filter((noun) => tests.includes(noun)).map((noun) => `e2e/${noun}.test.ts`);
  if (chosen.length === 0) return 0;
  return (await runScript(toolPath('vitest', 'vitest'), ['run', ...chosen], 'show')).exitCode;
}

async function runFlows(): Promise<number> {
  const chosen = nouns.filter((noun) => flows.includes(noun));
  if (nouns.length > 0 && chosen.length === 0) return 0;

  const build = join(projectRoot, 'scripts', 'build.ts');
  // A flow over yesterday's storefront proves nothing.
  if (existsSync(build)) {
    const built = await runScript(build, [], 'keep');
    if (built.exitCode !== 0) {
      console.error(`${built.output}\nThe storefront does not build: see above.`);
      return built.exitCode;
    }
  }
  // Also what is too long for `npm test`.
  if (!isMain) process.env['REFILL_E2E_ALL'] = '1';
  // Playwright takes the names as patterns of paths: anchored, or "order" would run "order-history" too.
  const patterns = chosen.map((noun) => `e2e/${noun}\\.e2e\\.ts$`);
  const flags = given.filter((argument) => argument.startsWith('-') && argument !== '--main');
  const { exitCode } = await runScript(
    toolPath('@playwright/test', 'playwright'),
    ['test', ...patterns, ...flags],
    'show',
  );
  return exitCode;
}
