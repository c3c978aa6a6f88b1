// The version of this program, as its package says it, and the commit it was made of.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export function readVersion(): string {
  return (JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string }).version;
}

/**
 * The commit of a checkout, or what the build of an image wrote into `.commit` (deploy/Containerfile). Null: nobody
 * knows.
 * @param root with a slash at its end
 */
export function readCommit(root = ROOT): string | null {
  if (existsSync(`${root}.commit`)) return readFileSync(`${root}.commit`, 'utf8').trim() || null;
  // A package inside somebody else's repository must not take that one's commit for its own.
  if (!existsSync(`${root}.git`)) return null;
  try {
    const words = ['describe', '--always', '--exclude=*', '--abbrev=12', '--dirty'];
    return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
