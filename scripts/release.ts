// npm run release -- <version> [--check]: refuses what is not ready, each reason on a line; else writes the version and
// the changelog's heading, commits and tags. --check only says whether it would. How: docs/releases.md.
import { findRefusals } from './release/find-refusals.ts';
import { makeRelease } from './release/make-release.ts';
import { projectRoot, runScript } from './run-tool.ts';
import { answerHelp } from './usage.ts';

const USAGE = `Usage: npm run release -- <version> [--check]

Refuses what is not ready, each reason on a line; else writes version and changelog, commits and tags.
--check only says whether it would. Before it: docs/releases.md, "Making a version".`;

answerHelp(USAGE);
const given = process.argv.slice(2);
const [version, ...others] = given.filter((argument) => argument !== '--check');
if (version === undefined || others.length > 0) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const refusals = await findRefusals(projectRoot, version, { renewDumps });
  if (refusals.length > 0) {
    console.error(`${version} is not ready:\n${refusals.map((refusal) => `  - ${refusal}`).join('\n')}`);
    process.exitCode = 1;
  } else if (given.includes('--check')) {
    console.log(`${version} is ready.`);
  } else {
    await makeRelease(projectRoot, version, new Date());
    console.log(`v${version} is committed and tagged. Publish it: git push --follow-tags`);
  }
}

async function renewDumps(): Promise<void> {
  const { exitCode, output } = await runScript('scripts/dump.ts', ['schema', 'admin-api'], 'keep');
  if (exitCode !== 0) throw new Error(output);
}
