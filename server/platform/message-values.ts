// The values of a message ({amount}, {n, plural, ...}): a text that stands for another must have the same ones.
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

/** How a message uses a value: 'text' is anything, 'number' is for plurals, a list are the cases of a select. */
export type Params = Map<string, 'text' | 'number' | readonly string[]>;

/**
 * Names and kinds of the values in a compiled message, also those inside its cases.
 * @param found is filled; made when left out
 */
export function readParams(message: CompiledMessage, found: Params = new Map()): Params {
  for (const token of message) {
    if (typeof token === 'string') continue;
    const [name, kind, choices] = token;
    const cases = choices !== null && typeof choices === 'object' ? (choices as Record<string, CompiledMessage>) : null;
    const inner = cases ? Object.entries(cases).filter(([key]) => key !== 'offset') : [];
    // "#" inside a plural speaks of the number that is asked about already.
    if (name !== '#') found.set(name, found.get(name) ?? kindOf(kind, inner));
    for (const [, part] of inner) if (Array.isArray(part)) readParams(part, found);
  }
  return found;
}

function kindOf(kind: string | undefined, cases: [string, unknown][]): 'text' | 'number' | readonly string[] {
  if (kind === 'plural' || kind === 'selectordinal' || kind === 'number') return 'number';
  if (kind !== 'select') return 'text';
  const names = cases.map(([key]) => key);
  return names.includes('other') ? 'text' : names;
}

/** Why `text` cannot stand for `source`, without its full stop; null when it can. */
export function findTextFault(source: string, text: string): string | null {
  if (text.trim() === '') return 'is empty';
  try {
    const wanted = [...readParams(compileMessageOrThrow(source)).keys()].toSorted().join(', ');
    const has = [...readParams(compileMessageOrThrow(text)).keys()].toSorted().join(', ');
    return wanted === has ? null : `has the values {${has}}, but the source has {${wanted}}`;
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
