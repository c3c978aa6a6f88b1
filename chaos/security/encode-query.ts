// Inputs of calls as the text of a query or of a form.

/** Values that are neither text nor number are written as JSON. */
export function encodeQuery(input: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return new URLSearchParams(pairs).toString();
}
