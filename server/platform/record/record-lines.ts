// How an entry lies in a record: one line, its digest before it, so that a line that was cut or changed is seen.
import { createHash } from 'node:crypto';
import type { RecordFolder } from './record-folder.ts';

const DIGEST = 16;

export type RecordLine =
  | { readonly kind: 'entry'; readonly line: string; readonly value: unknown }
  /** The file ends in the middle of it: nobody was told that it was written. */
  | { readonly kind: 'torn' }
  /** Whole, but not what was written. */
  | { readonly kind: 'damaged'; readonly line: string };

export function writeLine(value: object): string {
  const text = JSON.stringify(value);
  return `${digestOf(text)} ${text}\n`;
}

export async function* readLines(folder: RecordFolder, name: string): AsyncIterable<RecordLine> {
  let rest = '';
  for await (const piece of folder.read(name)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield readLine(line);
  }
  if (rest !== '') yield { kind: 'torn' };
}

function readLine(line: string): RecordLine {
  const text = line.slice(DIGEST + 1);
  if (line.slice(0, DIGEST) !== digestOf(text)) return { kind: 'damaged', line };
  return { kind: 'entry', line: `${line}\n`, value: JSON.parse(text) as unknown };
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, DIGEST);
