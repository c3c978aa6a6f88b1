// Git in one folder.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @returns what it printed, without blanks around it. @throws with git's own words */
export async function git(root: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 ** 2 });
  return stdout.trim();
}
