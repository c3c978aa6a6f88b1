// Reads settlement files of providers, as downloaded, and names the one that cannot be read.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CsvError } from 'csv-parse';
import { InputFault } from '#cli/terminal.ts';

type Chunks = AsyncIterable<Uint8Array>;

/** @param told is how the command was given it. @throws InputFault for a path that is no readable file */
export async function requireFile(path: string, shown = path): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new InputFault(`--file "${shown}" cannot be read (${error.code ?? error.message}): name a file that can.`);
  });
  if (found.isDirectory()) throw new InputFault(`--file "${shown}" is a folder: name the files in it.`);
}

/**
 * Yields the lines of a file of the provider.
 * @param read throws with a sentence for a file of another kind
 * @throws InputFault that names the file
 */
export async function* readSettlementFile<Line>(
  provider: string,
  path: string,
  read: (chunks: Chunks) => AsyncIterable<Line>,
  chunks: Chunks = createReadStream(path),
): AsyncGenerator<Line> {
  const lines = read(requireUtf8Chunks(chunks))[Symbol.asyncIterator]();
  for (;;) {
    // Faults of whoever takes the lines are none of the file's.
    const next = await lines.next().catch((error: Error) => {
      const reason =
        error instanceof CsvError
          ? `line ${(error as { lines?: number }).lines ?? 1} is no CSV (${error.message})`
          : error.message.replace(/\.$/, '');
      throw new InputFault(
        `--file "${path}": ${reason}. Give the file as ${provider} wrote it (docs/providers/${provider}.md).`,
      );
    });
    if (next.done === true) return;
    yield next.value;
  }
}

/** A name or reference with a replaced character would match nothing. @throws Error that says which line */
async function* requireUtf8Chunks(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  const check = (bytes?: Uint8Array): void => {
    try {
      line += decoder.decode(bytes, { stream: bytes !== undefined }).split('\n').length - 1;
    } catch {
      throw new Error(`has bytes behind line ${line} that are not UTF-8`);
    }
  };
  // The readers of CSV know UTF-16 by its byte order mark.
  let isUtf16: boolean | undefined;
  for await (const chunk of chunks) {
    isUtf16 ??= chunk[0] === 0xff && chunk[1] === 0xfe;
    if (!isUtf16) check(chunk);
    yield chunk;
  }
  if (isUtf16 === false) check();
}
