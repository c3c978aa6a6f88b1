// Mutants of a money function: its text with one condition dropped, decided or flipped. Pure.

export type Mutant = {
  /** Name of the function. */
  readonly of: string;
  /** Line in its file, from 1. */
  readonly line: number;
  readonly from: string;
  readonly to: string;
  /** The whole mutated file. */
  readonly sql: string;
};

/** A place to mutate: start and end in the text, and what stands there instead. */
type Change = { readonly start: number; readonly end: number; readonly to: string };

const FLIPS: Readonly<Record<string, string>> = {
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  '<>': '=',
  'is not true': 'is true',
  'is distinct from': 'is not distinct from',
  'is not distinct from': 'is distinct from',
  'not exists': 'exists',
  'is not null': 'is null',
};

/**
 * @param name of the function
 * @param sql text of its file
 * @returns every mutant, in the order of the text. Terms that compare `player_id` are left alone: billing_no,
 *   code and card_id are unique by themselves, the player only says on which shard the row lies.
 */
export function listMutants(name: string, sql: string): Mutant[] {
  const masked = mask(sql);
  const body = masked.indexOf('begin');
  const isBody = (change: Change) => change.start > (body === -1 ? masked.indexOf('$$') : body);
  const changes = [...listDecided(masked), ...listDropped(masked), ...listFlipped(masked)].filter(isBody);
  const seen = new Set<string>();
  return changes
    .toSorted((a, b) => a.start - b.start || a.to.localeCompare(b.to))
    .flatMap(({ start, end, to }) => {
      const mutated = sql.slice(0, start) + to + sql.slice(end);
      if (mutated === sql || seen.has(mutated)) return [];
      seen.add(mutated);
      const line = sql.slice(0, start).split('\n').length;
      return [{ of: name, line, from: oneLine(sql.slice(start, end)), to: oneLine(to), sql: mutated }];
    });
}

/**
 * Comments and texts in quotes as blanks of the same length, so that positions stay. The body's own quotes, $$, stay.
 */
function mask(sql: string): string {
  return sql
    .replaceAll(/--[^\n]*/g, (text) => ' '.repeat(text.length))
    .replaceAll(/'(?:[^']|'')*'/g, (text) => `'${'_'.repeat(Math.max(0, text.length - 2))}'`);
}

/** `if <condition> then`: never and always. The doors that raise are only tried without. */
function listDecided(masked: string): Change[] {
  return [...masked.matchAll(/\b(?:els)?if\s+((?:(?!\bthen\b)[\s\S])+?)\s+then\b/g)].flatMap((match) => {
    const condition = match[1] ?? '';
    const start = match.index + match[0].indexOf(condition);
    const end = start + condition.length;
    const never = { start, end, to: 'false' };
    return /\bnum_nulls\b|\bnot found\b/.test(condition) ? [never] : [never, { start, end, to: 'true' }];
  });
}

const TERM =
  /\s+and\s+(?:not\s+)?[\w.]+(?:\([^()]*\))?\s*(?:=|<>|<=|>=|<|>|is not true|is null|is not null)(?:\s*(?:any|all)\s*\([^()]*\)|\s*'_*'|\s*[\w.]+(?:\([^()]*\))?)?/g;

/** One term less of `... and ...`. */
function listDropped(masked: string): Change[] {
  return [...masked.matchAll(TERM)]
    .filter(([text]) => !/\bplayer_id\b/.test(text) && !/\bbetween\b/.test(text))
    .map((match) => ({ start: match.index, end: match.index + match[0].length, to: '' }));
}

function listFlipped(masked: string): Change[] {
  const words = Object.keys(FLIPS).filter((key) => /\w/.test(key));
  const pattern = new RegExp(
    `\\b(?:${words.toSorted((a, b) => b.length - a.length).join('|')})\\b|(?<![<>=:-])(?:<=|>=|<>|<|>)(?![>=@?|])`,
    'g',
  );
  return [...masked.matchAll(pattern)].flatMap((match) => {
    const to = FLIPS[match[0]];
    return to === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, to }];
  });
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
