// Reads docs/glossary.md: the words that the project refuses, and the names that stay all the same.

/** `isWhole`: the identifier as it is written, "*" for any end; else its parts in a row, so `pay_back` is in payBackAll. */
type NameRule = { readonly say: string; readonly name: string; readonly isWhole: boolean };
type PhraseRule = { readonly say: string; readonly phrase: string };
/** A refused name that stays in files whose path begins with one of `where`. */
type Kept = { readonly name: string; readonly where: readonly string[] };
export type Glossary = {
  readonly names: readonly NameRule[];
  readonly phrases: readonly PhraseRule[];
  readonly kept: readonly Kept[];
};

/** Throws when a table is missing: a check without rules would pass everything. */
export function readGlossary(document: string): Glossary {
  const words = rowsOf(document, 'say');
  const names = words.flatMap(([say = '', , not = '']) =>
    [...not.matchAll(/`(=?)([\w*]+)`/g)].map(([, mark, name = '']) => ({
      say: plain(say),
      name,
      isWhole: mark === '=',
    })),
  );
  const phrases = words.flatMap(([say = '', , not = '']) =>
    [...not.matchAll(/"([^"]+)"/g)].map(([, phrase = '']) => ({ say: plain(say), phrase })),
  );
  const kept = rowsOf(document, 'name').flatMap(([name = '', where = '']) =>
    [...name.matchAll(/`(\w+)`/g)].map(([, one = '']) => ({ name: one, where: plain(where).split(', ') })),
  );
  if (names.length === 0 || phrases.length === 0) throw new Error('docs/glossary.md has no table with refused words.');
  return { names, phrases, kept };
}

/** "pay_back", "payBack" and "PAY_BACK" are all [pay, back]. */
export function partsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
    .filter((part) => part !== '');
}

/** Rows of the table whose first heading is `heading`. */
function rowsOf(document: string, heading: string): string[][] {
  const lines = document.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  if (start === -1) return [];
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end === -1 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const plain = (cell: string): string => cell.replaceAll('`', '');
