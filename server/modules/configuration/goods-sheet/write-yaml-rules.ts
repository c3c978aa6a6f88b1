// Values as YAML, in the way of the files that are there: one line a field, small groups in braces, money in single
// quotes. Pure.

/** Words that YAML, or a reader of an older YAML, takes for something else than text. */
const RESERVED = /^(?:true|false|yes|no|on|off|y|n|null|nan)$/i;

/** @param style of the scalar that it replaces, as the YAML library names it */
export function writeScalar(value: unknown, style?: string): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = /^[A-Za-z][\w-]*(?: [\w-]+)*$/.test(value) && !RESERVED.test(value);
  if (/[\n\r\t]/.test(value) || style === 'QUOTE_DOUBLE') return JSON.stringify(value);
  if (isPlain && style !== 'QUOTE_SINGLE') return value;
  return `'${value.replaceAll("'", "''")}'`;
}

export function writeKey(key: string): string {
  return /^[A-Za-z][\w-]*$/.test(key) ? key : `'${key.replaceAll("'", "''")}'`;
}

/** `{ USD: '0.99', EUR: '0.99' }` */
export function writeFlow(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(writeFlow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return writeScalar(value);
  const entries = Object.entries(value).map(([key, entry]) => `${writeKey(key)}: ${writeFlow(entry)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A field of a block map; lists of groups stand on lines of their own. @param column where its key begins */
export function writeBlock(key: string, value: unknown, column: number): string {
  const isList = Array.isArray(value) && value.some((entry) => typeof entry === 'object');
  if (!isList) return `${writeKey(key)}: ${writeFlow(value)}`;
  const lines = value.map((entry) => `${' '.repeat(column + 2)}- ${writeFlow(entry)}`);
  return [`${writeKey(key)}:`, ...lines].join('\n');
}
