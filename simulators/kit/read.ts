// Reading unknown JSON step by step, without trusting its shape.

export type Fields = Record<string, unknown>;

/** The value as an object, or an empty one. */
export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Follows a dotted path (`purchase.checkout.amount`); undefined where it breaks off. */
export function at(value: unknown, path: string): unknown {
  let current: unknown = value;
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Fields)[step];
  }
  return current;
}

/** The text at the path, or undefined when absent, empty or not a text. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = at(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The finite number at the path, or undefined. */
export function numberAt(value: unknown, path: string): number | undefined {
  const found = at(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
