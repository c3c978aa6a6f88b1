// The path of a field as a person reads it.
import type { FieldPath } from './finding-types.ts';

/** `goods[ember_1280].prices.USD`: an entry of a list carries its id, key or code in place of its number. */
export function writePath(body: unknown, path: FieldPath): string {
  let value = body;
  let text = '';
  for (const step of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined;
    text += typeof step === 'number' ? `[${nameOf(value) ?? step}]` : `${text === '' ? '' : '.'}${step}`;
  }
  return text;
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { id, key, code } = entry as Record<string, unknown>;
  return [id, key, code].find((name): name is string => typeof name === 'string');
}
