// Reading somebody else's JSON by its shape, numbers as the text they were written in. No shapes of its own.
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A reader of JSON text: null when it is no JSON or not of this shape. Nulls count as absent. */
export function reader<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> | null {
  const validator = Compile(schema);
  return (text) => {
    const value = parse(text);
    return validator.Check(value) ? (value as Static<Schema>) : null;
  };
}

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
