// Reads files that people write. Bytes that are not UTF-8 would become question marks in a shop, so they are refused.
import { readFile } from 'node:fs/promises';

/** Says why a file has no text. `line` counts from 1. */
export type TextFault = { readonly line: number; readonly reason: string };

const UTF_16 = /^(?:\u00ff\u00fe|\u00fe\u00ff)/;
const REMEDY = 'save the file as UTF-8 (in Excel: "CSV UTF-8")';

/** Keeps a byte order mark, so that a file that is changed in place keeps it too. */
export function decodeUtf8(bytes: Uint8Array): string | TextFault {
  const text = tryDecode(bytes);
  if (text !== null) return text;
  if (UTF_16.test(String.fromCharCode(...bytes.subarray(0, 2)))) return { line: 1, reason: `is UTF-16; ${REMEDY}` };
  let line = 1;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start);
    // A line feed is no part of a longer character of UTF-8, so lines are decoded one by one.
    if (end < 0 || tryDecode(bytes.subarray(start, end)) === null) break;
    line += 1;
    start = end + 1;
  }
  return { line, reason: `has bytes that are not UTF-8; ${REMEDY}` };
}

const LINE_FEED = 10;

function tryDecode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Throws what the file system throws. */
export async function readUtf8(path: string): Promise<string | TextFault> {
  return decodeUtf8(await readFile(path));
}
