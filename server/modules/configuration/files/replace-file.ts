// A file of the shop that a command changes: checked with all others first, then replaced as a whole.
import { rename, rm, writeFile } from 'node:fs/promises';
import type { Fault } from '#server/modules/configuration/checks/finding-types.ts';
import { readFiles, type ReadOptions } from './read-files.ts';

/** Returns the faults that the checks of all files find with the changed files and not without them. */
export async function findNewFaults(
  root: string,
  replacing: ReadonlyMap<string, string>,
  options: ReadOptions,
): Promise<Fault[]> {
  const [before, after] = await Promise.all([readFiles(root, options), readFiles(root, { ...options, replacing })]);
  if (after.ok) return [];
  const nameOf = (fault: Fault) => `${fault.file} ${fault.field} ${fault.reason}`;
  const known = new Set(before.ok ? [] : before.faults.map(nameOf));
  return after.faults.filter((fault) => !known.has(nameOf(fault)));
}

/** Lists what to do by the code of the file system. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'let the account of this process write into its folder',
  EPERM: 'let the account of this process write into its folder',
  EROFS: 'its file system is read-only, so import where the files are written',
  ENOSPC: 'make room on its disk',
  EDQUOT: 'make room on its disk',
};

/**
 * Whole or not at all: an editor or a plan may be reading.
 * @returns why it cannot be written; null when it is
 */
export async function replaceFile(path: string, text: string): Promise<string | null> {
  const draft = `${path}.${process.pid}`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
    return null;
  } catch (error) {
    // A draft of a full disk is a part of the file; one that could not be made is not there.
    await rm(draft, { force: true }).catch(() => undefined);
    const { code = '' } = error as NodeJS.ErrnoException;
    const remedy = REMEDIES[code];
    if (remedy === undefined) throw error;
    return `cannot be written (${code}); ${remedy}`;
  }
}
