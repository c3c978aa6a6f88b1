// Makes a folder that an operator named, and those above it that are missing.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * One by one from the nearest folder that exists: the recursive mkdir of Node never ends where a file system says of a
 * new folder that its parent is missing, as /proc does.
 * @param mode of those that are made; as the umask says unless given
 * @throws what the file system says, e.g. EEXIST where a file has the name
 */
export async function makeFolders(path: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); !(await isThere(at)); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) await makeOne(folder, mode);
  // Refused as any other: the name is a file's.
  if (missing.length === 0 && !(await isFolder(path))) await mkdir(path);
}

async function makeOne(folder: string, mode: number | undefined): Promise<void> {
  await mkdir(folder, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    // Another process may have made it meanwhile.
    if (error.code === 'EEXIST' && (await isFolder(folder))) return;
    throw error;
  });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && dirname(path) !== path) return false;
      throw error;
    },
  );
