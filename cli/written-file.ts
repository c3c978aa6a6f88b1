// Says in one sentence why a command cannot write the file or folder that it is told to.
import { userInfo } from 'node:os';
import { InputFault } from './terminal.ts';

/** Lists reason and remedy by the code of the file system. */
const REASONS: Readonly<Record<string, () => [reason: string, remedy: string]>> = {
  EACCES: () => [`the account ${userInfo().username} may not write there`, 'name a place where it may'],
  EPERM: () => [`the account ${userInfo().username} may not write there`, 'name a place where it may'],
  EROFS: () => ['the file system is read-only', 'name another place'],
  ENOENT: () => ['there is no such folder', 'make it first, or name another place'],
  // The folder above is there: server/platform/make-folders.ts.
  'ENOENT mkdir': () => ['its file system takes no folders', 'name another place'],
  ENOTDIR: () => ['a part of the path is no folder', 'name another place'],
  EISDIR: () => ['it is a folder', 'name a file in it'],
  EEXIST: () => ['it is there already', 'name another place'],
  ENOSPC: () => ['the disk is full', 'make room, or name another disk'],
  EDQUOT: () => ['the quota of the account is used up', 'make room, or name another disk'],
};

/**
 * Runs `write`, which writes to the path of an option.
 * @param option its name, `--out`
 * @throws InputFault for what the file system refuses; anything else as it is
 */
export async function writeTo<Result>(option: string, path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw explainWriting(option, path, error);
  }
}

/** @returns an InputFault for what the file system refused, else the error itself */
export function explainWriting(option: string, path: string, error: unknown): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // A database may stand at a path too.
  const advice = syscall === 'connect' ? undefined : (REASONS[`${code} ${syscall}`]?.() ?? REASONS[code]?.());
  return advice
    ? new InputFault(`${option} "${path}" cannot be written (${code}: ${advice[0]}): ${advice[1]}.`)
    : error;
}
