// The name that somebody meant who made one typing error: for messages about files and settings.

/** The first of `known` that is written almost like `written`, or is its singular or plural; null when none is. */
export function findNear(written: string, known: readonly string[]): string | null {
  return (
    known.find((name) => name.toLowerCase() === written.toLowerCase() || isOneStepAway(written, name)) ??
    known.find((name) => singularOf(name) === singularOf(written)) ??
    null
  );
}

const singularOf = (name: string): string => name.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');

/** One character more, less, other, or two swapped: how most typing errors look. */
function isOneStepAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
