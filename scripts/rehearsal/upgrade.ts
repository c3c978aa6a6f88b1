// The upgrade from the release before under load: its program is at work, its database is migrated by this one, and its
// servers are replaced one by one. The load and the judgement are those of chaos/upgrade.ts.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { git } from '#scripts/release/git.ts';
import { projectRoot, runScript } from '#scripts/run-tool.ts';
import { runProgram } from './processes.ts';
import type { Step, World } from './run-steps.ts';

/** A folder with the release before, or why there is none. */
type Before = { readonly folder: string; readonly name: string } | { readonly notRun: string };

/** @param from a checkout of it, installed and built; see `findReleaseBefore` unless given */
export function makeUpgradeStep(from: string | undefined): Step {
  return {
    name: 'upgrade',
    about: 'the release before is at work, is migrated under load, and replaced server by server',
    isAlone: true,
    run: async (world) => {
      const before = from === undefined ? await checkOut(world) : { folder: resolve(from), name: from };
      if ('notRun' in before) return before;
      const args = ['upgrade', '--short', '--from', before.folder];
      const { exitCode, output } = await runScript('chaos/main.ts', args, 'keep');
      return tellUpgrade(before.name, exitCode, output);
    },
  };
}

/** Beside this checkout, in a work tree of its own. */
async function checkOut({ defer, scratch }: World): Promise<Before> {
  const tag = await findReleaseBefore(projectRoot);
  if (tag === null)
    return {
      notRun: 'no release before this commit, by tag or version; name an installed and built checkout: --from <folder>',
    };
  const folder = join(scratch, 'before');
  await git(projectRoot, 'worktree', 'add', '--quiet', '--detach', folder, tag);
  defer(() => git(projectRoot, 'worktree', 'remove', '--force', folder));
  // It installs its own packages first, as any command of a fresh checkout does.
  const built = await runProgram([
    process.execPath,
    join(folder, 'scripts', 'run.mjs'),
    join(folder, 'scripts', 'build.ts'),
  ]);
  if (built.code === 0 && existsSync(join(folder, 'web', 'dist'))) return { folder, name: tag };
  return { notRun: `${tag} could not be installed and built: ${lastLine(built.said)}` };
}

/**
 * The newest tag of a version below this commit; a tag of this commit is no release before. Without tags, the commit
 * below this one that gave package.json the newest version.
 */
export async function findReleaseBefore(root: string): Promise<string | null> {
  const here = new Set((await git(root, 'tag', '--points-at', 'HEAD')).split('\n'));
  const tags = (await git(root, 'tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*')).split('\n');
  const tag = tags.find((one) => /^v\d+\.\d+\.\d+$/.test(one) && !here.has(one));
  return tag ?? ((await findVersionCommit(root)) || null);
}

/** Empty for none. Nothing below the first commit, which has no release before it. */
async function findVersionCommit(root: string): Promise<string> {
  if ((await git(root, 'rev-list', '--count', 'HEAD')).trim() === '1') return '';
  const versions = ['-G', '^  "version": "', '--format=%H', 'HEAD~1', '--', 'package.json'];
  return (await git(root, 'log', '--max-count=1', ...versions)).trim();
}

/** Retells the output of chaos/main.ts as the step's own. @throws when something was lost, doubled or broken */
export function tellUpgrade(name: string, exitCode: number, output: string): string | { notRun: string } {
  const why = /NOT RUN.*\n\s*(.+)/.exec(output)?.[1];
  if (why !== undefined) return { notRun: why };
  if (exitCode !== 0) throw new Error(`from ${name}:\n${output}`);
  const under = /^ *(under the old servers: .*)$/m.exec(output)?.[1];
  return `from ${name}: ${[under, lastLine(output)].filter(Boolean).join('; ')}`;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
