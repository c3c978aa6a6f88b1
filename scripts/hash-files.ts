// One hash of many files, to know whether what was made of them is still of today.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * @param root of the project
 * @param inputs files and folders in it
 * @param isLeftOut absolute paths that change nothing
 */
export async function hashFiles(
  root: string,
  inputs: readonly string[],
  isLeftOut: (file: string) => boolean,
): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of await listFiles(join(root, input))) {
      if (isLeftOut(file)) continue;
      hash
        .update(`${relative(root, file)}\0`)
        .update(await readFile(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/** Every file under a path, or the path itself, in a fixed order. */
export async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
