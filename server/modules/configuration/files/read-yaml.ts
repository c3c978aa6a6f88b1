// One YAML text as data, with the line of every field. Knows nothing of brands or games.
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { writePath } from '#server/modules/configuration/checks/field-path-rules.ts';
import type { FieldPath } from '#server/modules/configuration/checks/finding-types.ts';
import type { TextFault } from '#server/platform/utf8.ts';

export type ReadYaml = {
  readonly body: unknown;
  /** Line of a field, counted from 1; of its nearest parent when the field is missing. */
  lineOf(path: FieldPath): number;
  /** The path as a person reads it; list entries carry their id, key or code instead of a number. */
  fieldOf(path: FieldPath): string;
  readonly syntaxFaults: readonly { readonly line: number; readonly reason: string }[];
};

/**
 * Never throws: what cannot be read is in `syntaxFaults`, and then `body` is undefined.
 * @param text of the file, or why it has none
 */
export function readYaml(text: string | TextFault): ReadYaml {
  if (typeof text !== 'string')
    return { body: undefined, lineOf: () => text.line, fieldOf: () => '', syntaxFaults: [text] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const lineAt = (offset: number | undefined) => (offset === undefined ? 1 : lines.linePos(offset).line);
  const syntaxFaults = [...document.errors, ...document.warnings].map((error) => ({
    line: lineAt(error.pos[0]),
    reason: `${firstSentence(error.message)}; correct the YAML`,
  }));
  // An alias hides where a price comes from, and may lead into itself.
  visit(document, {
    Alias: (_, alias) => {
      const reason = `"*${alias.source}" is an alias; write the value itself`;
      syntaxFaults.push({ line: lineAt(alias.range?.[0]), reason });
    },
  });
  const body: unknown = syntaxFaults.length > 0 ? undefined : document.toJS();
  return {
    body,
    syntaxFaults,
    lineOf: (path) => lineAt(offsetOf(document.contents, path)),
    fieldOf: (path) => writePath(body, path),
  };
}

function firstSentence(message: string): string {
  const [first = ''] = message.split('\n');
  return first.trimEnd().replace(/[.:]$/, '');
}

function offsetOf(root: Node | null, path: FieldPath): number | undefined {
  let node: unknown = root;
  let offset = root?.range?.[0];
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === step);
      if (!pair) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}
