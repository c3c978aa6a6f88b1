// The text of a backup: SQL that psql understands, whose comments say how long each statement is, so that it can be
// read statement by statement without understanding SQL. First the header, last the end with the count of rows.
import type { Environment } from '#kernel/environment.ts';

export const FORMAT = 1;

export type BackupHeader = {
  readonly format: number;
  readonly environment: Environment;
  readonly takenAt: string;
  /** The versioned files that the database had had. */
  readonly migrations: readonly string[];
  /** Version of the PostgreSQL that it was taken from. */
  readonly server: string;
};

/** The whole story, one sentence. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}

export const writeHeader = (header: BackupHeader): string => `-- refill backup ${JSON.stringify(header)}\n`;

export function writeStatement(text: string): string {
  const statement = text.trimEnd().endsWith(';') ? text.trimEnd() : `${text.trimEnd()};`;
  return `-- ${Buffer.byteLength(statement)}\n${statement}\n`;
}

/** A part of a backup as it is read. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'statement'; readonly text: string }
  | { readonly kind: 'end'; readonly rows: number };

/**
 * Reads the unzipped bytes of a backup.
 * @throws BackupFault when it is none, or ends too early
 */
export async function* readParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const reader = createReader(bytes);
  const first = /^-- refill backup (\{.*\})$/.exec((await reader.line()) ?? '');
  if (!first) throw new BackupFault('This is no backup of `refill backup`.');
  const header = JSON.parse(first[1] ?? '') as BackupHeader;
  if (header.format !== FORMAT)
    throw new BackupFault(`This backup has the format ${header.format}, and this version reads ${FORMAT}.`);
  yield { kind: 'header', header };
  for (;;) {
    const line = await reader.line();
    const [, length, rows] = /^-- (?:(\d+)|end, (\d+) rows)$/.exec(line ?? '') ?? [];
    if (rows !== undefined) return yield { kind: 'end', rows: Number(rows) };
    const text = length === undefined ? null : await reader.take(Number(length) + 1);
    if (text === null) throw new BackupFault('The backup is cut off: its end is missing.');
    yield { kind: 'statement', text: text.toString('utf8') };
  }
}

function createReader(bytes: AsyncIterable<Buffer>) {
  const source = bytes[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { done, value } = await source.next();
    if (done) return false;
    held = Buffer.concat([held, value]);
    return true;
  };
  return {
    /** @returns null at the end */
    line: async (): Promise<string | null> => {
      for (;;) {
        const end = held.indexOf(10);
        if (end >= 0) {
          const text = held.subarray(0, end).toString('utf8');
          held = held.subarray(end + 1);
          return text;
        }
        if (!(await more())) return null;
      }
    },
    take: async (length: number): Promise<Buffer | null> => {
      while (held.length < length) if (!(await more())) return null;
      const part = held.subarray(0, length);
      held = held.subarray(length);
      return part;
    },
  };
}
