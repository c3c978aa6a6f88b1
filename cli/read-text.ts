// Text of a file that an option names.
import { decodeUtf8 } from '#server/platform/utf8.ts';
import { InputFault } from './terminal.ts';

/** @throws InputFault that names file and line */
export function requireUtf8(path: string, bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (typeof text === 'string') return text;
  throw new InputFault(`${path}:${text.line}: ${text.reason}.`);
}
