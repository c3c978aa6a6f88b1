// Reading somebody else's JSON by its shape, numbers as the text they were written in. Knows no shapes of its own.
import { hasInexactNumbers, mapNumbers } from '#kernel/json-numbers.ts';
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

/** The text of a number is kept: 0.1 as a float is another amount, an id of 19 digits as a double another payment. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (!hasInexactNumbers(text)) return withNumbersAsText(value);
    return withNumbersAsText(JSON.parse(mapNumbers(text, (digits) => `"${digits}"`)));
  } catch {
    return undefined;
  }
}

/** Without nulls as well. Changes what was parsed, which nobody else has. */
function withNumbersAsText(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(withNumbersAsText);
  if (!isRecord(value)) return value;
  const known = value as Record<string, unknown>;
  for (const key of Object.keys(known)) {
    const part = known[key];
    if (part === null) delete known[key];
    else if (typeof part === 'number') known[key] = String(part);
    else if (typeof part === 'object') known[key] = withNumbersAsText(part);
  }
  return known;
}

/** Never more than 200 characters of somebody else's text. */
export function capped(text: string): string {
  return text.slice(0, 200);
}

/**
 * One word of an answer whose shape does not fit, so that "paid" is heard all the same; undefined when it is not there.
 * @param path keys from the top, e.g. `data`, `status`
 */
export function wordAt(text: string, ...path: readonly string[]): string | undefined {
  let value = parse(text);
  for (const key of path) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The elements of a list in an answer whose shape does not fit, each as JSON text. @param path keys from the top */
export function listAt(text: string, ...path: readonly string[]): readonly string[] {
  let value = parse(text);
  for (const key of path) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(value) ? value.map((one) => JSON.stringify(one ?? null)) : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
