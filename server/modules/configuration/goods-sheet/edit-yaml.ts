// Brings a YAML text to another content and leaves every byte alone that says the same: comments, order, quotes, blank
// lines. Knows nothing of games.
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { readYaml } from '#server/modules/configuration/files/read-yaml.ts';
import { writeBlock, writeFlow, writeKey, writeScalar } from './write-yaml-rules.ts';

type Edit = { readonly start: number; readonly end: number; readonly text: string };
type Plain = Readonly<Record<string, unknown>>;

/**
 * @param body what the text shall say; entries of lists are told apart by `id`, `key`, `from` or their place, and their
 *   order stays
 * @returns null when the text is not written in a way that can be edited in place
 */
export function editYaml(text: string, body: unknown): string | null {
  const document = parseDocument(text, { stringKeys: true });
  const edits: Edit[] = [];
  if (document.errors.length > 0 || !document.contents) return null;
  editNode(text, document.contents, body, edits);
  // From the end, so that offsets before an edit stay true. At one place what goes is taken out first, and of two new
  // ones the later comes behind.
  const ordered = edits.map((edit, index) => ({ ...edit, index }));
  ordered.sort((a, b) => b.start - a.start || b.end - a.end || b.index - a.index);
  const edited = ordered.reduce(
    (rest, { start, end, text: now }) => rest.slice(0, start) + now + rest.slice(end),
    text,
  );
  const read = readYaml(edited);
  return read.syntaxFaults.length === 0 && isDeepStrictEqual(read.body, body) ? edited : null;
}

function editNode(text: string, node: Node, value: unknown, edits: Edit[]): void {
  if (isScalar(node)) {
    if (node.value !== value && node.range)
      edits.push({ start: node.range[0], end: node.range[1], text: writeScalar(value, node.type) });
  } else if (isMap(node) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    editMap(text, node, value as Plain, edits);
  } else if (isSeq(node) && Array.isArray(value)) {
    editSeq(text, node, value, edits);
  } else if (node.range) {
    edits.push({ start: node.range[0], end: node.range[1], text: writeFlow(value) });
  }
}

const keyOf = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : '');
const startOf = (pair: Pair): number => (pair.key as Node).range?.[0] ?? 0;
const endOf = (pair: Pair): number => ((pair.value ?? pair.key) as Node).range?.[1] ?? 0;

function editMap(text: string, map: YAMLMap, value: Plain, edits: Edit[]): void {
  const pairs = map.items as Pair[];
  const known = new Set(pairs.map(keyOf));
  for (const pair of pairs) {
    const key = keyOf(pair);
    if (key in value && pair.value) editNode(text, pair.value as Node, value[key], edits);
  }
  const kept = pairs.filter((pair) => keyOf(pair) in value);
  const gone = pairs.filter((pair) => !kept.includes(pair));
  if (map.flow && kept.length === 0 && Object.keys(value).length > 0) {
    const [start, end] = map.range ?? [0, 0];
    edits.push({ start, end, text: writeFlow(value) });
    return;
  }
  if (map.flow) removeFlow(map, pairs, gone.map(startOf), startOf, endOf, edits);
  else for (const pair of gone) edits.push(wholeLines(text, startOf(pair), endOf(pair)));
  let anchor: Pair | undefined;
  for (const [key, entry] of Object.entries(value)) {
    if (known.has(key)) {
      anchor = pairs.find((pair) => keyOf(pair) === key);
      continue;
    }
    const behind = anchor ?? kept.at(-1);
    if (!behind) return;
    const column = startOf(behind) - lineStart(text, startOf(behind));
    edits.push(
      map.flow
        ? intoFlow(text, map, endOf(behind), startOf(behind), `${writeKey(key)}: ${writeFlow(entry)}`)
        : newLines(text, endOf(behind), `${' '.repeat(column)}${writeBlock(key, entry, column)}`),
    );
  }
}

const nameOf = (entry: unknown, place: number): unknown => {
  const { id, key, from } = (typeof entry === 'object' && entry !== null ? entry : {}) as Plain;
  return id ?? key ?? from ?? place;
};

function editSeq(text: string, seq: YAMLSeq, value: readonly unknown[], edits: Edit[]): void {
  const items = seq.items as Node[];
  const names = items.map((item, place) => nameOf(item.toJSON(), place));
  const wanted = value.map(nameOf);
  for (const [place, item] of items.entries()) {
    const now = wanted.indexOf(names[place]);
    if (now >= 0) editNode(text, item, value[now], edits);
  }
  const startOfItem = (item: Node) => item.range?.[0] ?? 0;
  const endOfItem = (item: Node) => item.range?.[1] ?? 0;
  const gone = items.filter((_, place) => !wanted.includes(names[place]));
  if (seq.flow) removeFlow(seq, items, gone.map(startOfItem), startOfItem, endOfItem, edits);
  else for (const item of gone) edits.push(withBlankLines(text, wholeLines(text, startOfItem(item), endOfItem(item))));
  let anchor: Node | undefined;
  for (const [place, entry] of value.entries()) {
    const known = names.indexOf(wanted[place]);
    if (known >= 0) {
      anchor = items[known];
      continue;
    }
    const behind = anchor ?? items.findLast((item) => !gone.includes(item));
    if (!behind) return;
    if (seq.flow) {
      edits.push(intoFlow(text, seq, endOfItem(behind), startOfItem(behind), writeFlow(entry)));
      continue;
    }
    const begins = lineStart(text, startOfItem(behind));
    const indent = /^ */.exec(text.slice(begins))?.[0] ?? '';
    const isFlow = (isMap(behind) && behind.flow) || typeof entry !== 'object' || entry === null;
    const lines = isFlow
      ? [`- ${writeFlow(entry)}`]
      : Object.entries(entry).map(
          ([key, one], index) => `${index === 0 ? '- ' : '  '}${writeBlock(key, one, indent.length + 2)}`,
        );
    // Goods are often set apart by a blank line; a new one then is as well.
    const gap = items.length > 1 && hasGap(text, items) ? '\n' : '';
    edits.push(newLines(text, endOfItem(behind), gap + lines.map((line) => `${indent}${line}`).join('\n')));
  }
}

function hasGap(text: string, items: readonly Node[]): boolean {
  const [, second] = items;
  if (!second?.range) return false;
  const [here = '', above] = text.slice(0, second.range[0]).split('\n').toReversed();
  return /^ *- $/.test(here) && above?.trim() === '';
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Behind the last character of what ends at `end`, and behind what else its line has. */
function lineEnd(text: string, end: number): number {
  const last = text.slice(0, end).trimEnd().length;
  const next = text.indexOf('\n', last);
  return next < 0 ? text.length : next;
}

function wholeLines(text: string, start: number, end: number): Edit {
  return { start: lineStart(text, start), end: Math.min(lineEnd(text, end) + 1, text.length), text: '' };
}

function withBlankLines(text: string, edit: Edit): Edit {
  const blank = /^(?:[ \t]*\n)*/.exec(text.slice(edit.end))?.[0].length ?? 0;
  return { ...edit, end: edit.end + blank };
}

function newLines(text: string, end: number, lines: string): Edit {
  const at = lineEnd(text, end);
  return { start: at, end: at, text: `\n${lines}` };
}

/** One more entry of { } or [ ], on a line of its own where the others have theirs. */
function intoFlow(text: string, node: Node, end: number, start: number, entry: string): Edit {
  const isOnLines = text.slice(node.range?.[0] ?? 0, start).includes('\n');
  const indent = ' '.repeat(start - lineStart(text, start));
  return { start: end, end, text: isOnLines ? `,\n${indent}${entry}` : `, ${entry}` };
}

function removeFlow<Item>(
  node: Node,
  items: readonly Item[],
  gone: readonly number[],
  start: (item: Item) => number,
  end: (item: Item) => number,
  edits: Edit[],
): void {
  if (gone.length === 0) return;
  const isGone = (item: Item) => gone.includes(start(item));
  const first = items.find((item) => !isGone(item));
  if (first === undefined) {
    const [from, until] = node.range ?? [0, 0];
    edits.push({ start: from + 1, end: until - 1, text: '' });
    return;
  }
  const kept = items.indexOf(first);
  if (kept > 0) edits.push({ start: start(items[0] as Item), end: start(first), text: '' });
  for (const [place, item] of items.entries())
    if (place > kept && isGone(item)) edits.push({ start: end(items[place - 1] as Item), end: end(item), text: '' });
}
