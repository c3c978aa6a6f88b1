// npm run e2e [-- noun ...]: builds the storefront and runs the browser flows, all of them or those of
// e2e/<noun>.e2e.ts, in full length.
// What begins with a dash goes to Playwright (npm run e2e -- purchase --project=phone).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runScript, toolPath } from './run-tool.ts';

const suffix = '.e2e.ts';
const given = process.argv.slice(2);
const nouns = given.filter((argument) => !argument.startsWith('-'));
const known = readdirSync(join(projectRoot, 'e2e'))
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));
const unknown = nouns.filter((noun) => !known.includes(noun));

process.exitCode = unknown.length > 0 ? refuse() : await run();

function refuse(): number {
  console.error(`No flows named ${unknown.join(', ')}. There are: ${known.join(', ') || 'none'}.`);
  return 2;
}

async function run(): Promise<number> {
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
  process.env['REFILL_E2E_ALL'] = '1';
  // Playwright takes the names as patterns of paths: anchored, or "order" would run "order-history" too.
  const files = nouns.map((noun) => `e2e/${noun}\\.e2e\\.ts$`);
  const flags = given.filter((argument) => argument.startsWith('-'));
  const { exitCode } = await runScript(
    toolPath('@playwright/test', 'playwright'),
    ['test', ...files, ...flags],
    'show',
  );
  return exitCode;
}
