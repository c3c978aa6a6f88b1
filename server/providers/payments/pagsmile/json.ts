// Reading Pagsmile's JSON: numbers as the text they were written in, nulls as missing. Knows no shapes of its own.
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A reader of JSON text: null when it is no JSON or not of this shape. */
export function reader<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> | null {
  const validator = Compile(schema);
  return (text) => {
    const value = parse(text);
    return validator.Check(value) ? (value as Static<Schema>) : null;
  };
}

/** Amounts come as text or as numbers; 0.1 read as a float is another amount. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
      if (value === null) return undefined;
      return typeof value === 'number' ? (context?.source ?? String(value)) : value;
    });
  } catch {
    return undefined;
  }
}

/** Never more than 200 characters of somebody else's text. */
export function capped(text: string): string {
  return text.slice(0, 200);
}
