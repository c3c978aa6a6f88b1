// Reads the forms that the settings of all providers share: lists in one text, and numbers.

export function commaList(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * The whole number of a setting, `fallback` while it is unset. What a start has checked by its declaration never throws.
 */
export function wholeSetting(given: Readonly<Record<string, string>>, name: string, fallback: number): number {
  const text = given[name] ?? '';
  if (text === '') return fallback;
  if (!/^(?:0|[1-9]\d{0,14})$/.test(text)) throw new Error(`${name} must be a whole number`);
  return Number(text);
}
