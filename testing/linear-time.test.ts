// Every regular expression of the server, and every function of it that reads a text, takes 64 kB of hostile text in
// linear time: one slow call would hold up all other visitors of the process. Both lists are made from the source.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ESTree, Visitor, parseSync } from 'vite';

const root = join(import.meta.dirname, '..');
/** Bytes of the largest body that a stranger may send, `BODY_LIMIT` of server/app.ts. */
const LARGEST = 64_000;
/** Our choice, milliseconds: linear work on 64 kB takes a few, quadratic work takes seconds. */
const BOUND_MS = 50;
/** First a little, so that cubic work is noticed long before the largest text. */
const LITTLE = 1000;

/** Opening signs, and structures that begin and never end. */
const PIECES = [
  ' ', '\t', '\n', 'a', '0', '=', '-', '.', ',', ':', ';', '+', '%', '/', '\\', '"', "'", '`', '(', '[', '{', '<', '&', '|', '*', '@', '#', '?',
  '<!', '<?', '<!--', '<![CDATA[', '<a', '<a ', '<a b="', "<a b='", '<a b=', '</', '<script', '<script>', '{"a":', '[{', '["', '{"a":"', '"\\', 'a=',
  'a=&', 'a="', "a='", 'a: ', 'token=', 'token="', "token='", 'token ', 'email', 'email=', '%40', 'a@', 'a%40', 'a@b.', '+1', '1.', '1-', '1,', '4111 ',
  '0000', '0***', 'rf1_', 'https://', 'https://a?', 'a.a', 'a[', '1e', '-0', ':: ', ':a', '\r\n', '&#', '&amp', 'en,', 'q=', 'Android', 'iPhone', 'url(',
  'var(', '-----BEGIN CERTIFICATE-----', 'signature=', '\u00e9', '\ud83d\ude00', '\0', 'A0', 'a-', 'a b',
]; // prettier-ignore

/** Follows the pieces, so that no class, no line and no end of the text fits them. */
const TAIL = '\u0001\n';

function* hostileTexts(pieces: readonly string[], size: number): Generator<string> {
  for (const piece of pieces) {
    const many = piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
    yield many;
    yield `x${many}${TAIL}`;
  }
}

const sources = globSync(['kernel/**/*.ts', 'contracts/**/*.ts', 'server/**/*.ts'], { cwd: root })
  .filter((file) => !file.endsWith('.test.ts') && file !== 'server/main.ts')
  .toSorted()
  .map((file) => ({ file, program: parseSync(file, readFileSync(join(root, file), 'utf8')).program }));

/** Returns the text's start for which `run` takes too long three times, or null. */
function findSlow(run: (text: string) => void, pieces: readonly string[], largest: number): string | null {
  for (const size of [LITTLE, largest]) {
    for (const text of hostileTexts(pieces, size)) {
      let tries = 3;
      while (tries > 0 && timeMs(run, text) > BOUND_MS) tries -= 1;
      if (tries === 0) return `${JSON.stringify(text.slice(0, 20))} of ${size}`;
    }
  }
  return null;
}

/** Processor time of this thread: what else the machine does is no fault of the function. */
function timeMs(run: (text: string) => void, text: string): number {
  const start = process.threadCpuUsage();
  try {
    run(text);
  } catch {
    // A refusal is a fine answer, as long as it is quick.
  }
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The parts of an expression that text could repeat: its literal characters, alone and in a row. */
function piecesOf(pattern: string): string[] {
  const plain = pattern
    .replaceAll(/\\[dD]/g, '1')
    .replaceAll(/\\[wW]/g, 'a')
    .replaceAll(/\\[sS]/g, ' ')
    .replaceAll(/\\([^bB\d])/g, '$1');
  const words = plain.split(/[()[\]{}|*+?^$.]+/).filter((word) => word !== '' && !/^\d+,?\d*$/.test(word));
  return [...new Set([...words, ...plain])];
}

test('every regular expression takes 64 kB of hostile text in linear time', { timeout: 180_000 }, () => {
  const slow: string[] = [];
  const seen = new Set<string>();
  for (const { file, program } of sources) {
    const look = ({ pattern, flags }: { pattern: string; flags: string }) => {
      if (seen.has(`${pattern}/${flags}`)) return;
      seen.add(`${pattern}/${flags}`);
      const expression = new RegExp(pattern, flags.includes('y') ? flags : `${flags.replace('g', '')}g`);
      const found = findSlow(
        (text) => void text.replace(expression, ''),
        [...PIECES, ...piecesOf(pattern)],
        LARGEST / 2,
      );
      if (found !== null) slow.push(`${file}: /${pattern}/${flags} on ${found}`);
    };
    new Visitor({ Literal: (node) => 'regex' in node && look(node.regex) }).visit(program);
  }
  expect(seen.size).toBeGreaterThan(300);
  expect(slow).toEqual([]);
});

/** Functions with these names open, write or hash something: they read no text of their own. */
const ACTS = /^(?:create|open|start|make|write|hash|sign|encode|seal)/;
/** Parameters with these names are places of files, chosen by the operator. */
const PLACES = /^(?:root|folder|file|path|dir|url)/i;

/** The operator's own files, keys and settings, read by commands and at the start. */
const OPERATORS = /^server\/modules\/configuration\/|\/(?:settings|rsa)\.ts$/;

type TextReader = { file: string; name: string; takesBytes: boolean };

function listTextReaders(): TextReader[] {
  const found: TextReader[] = [];
  for (const { file, program } of sources) {
    if (OPERATORS.test(file)) continue;
    for (const statement of program.body) {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
      if (declared?.type !== 'FunctionDeclaration' || declared.async || !declared.id) continue;
      const [first] = declared.params;
      if (first?.type !== 'Identifier' || PLACES.test(first.name) || ACTS.test(declared.id.name)) continue;
      const type = readTextType(first);
      if (type !== null) found.push({ file, name: declared.id.name, takesBytes: type === 'bytes' });
    }
  }
  return found;
}

function readTextType({ typeAnnotation }: ESTree.BindingIdentifier): 'text' | 'bytes' | null {
  const given = typeAnnotation?.typeAnnotation;
  const types = given?.type === 'TSUnionType' ? given.types : [given];
  if (types.some((one) => one?.type === 'TSStringKeyword')) return 'text';
  const isBuffer = types.some(
    (one) => one?.type === 'TSTypeReference' && one.typeName.type === 'Identifier' && one.typeName.name === 'Buffer',
  );
  return isBuffer ? 'bytes' : null;
}

test('every function that reads a text takes 64 kB of hostile text in linear time', { timeout: 180_000 }, async () => {
  const readers = listTextReaders();
  const slow: string[] = [];
  for (const { file, name, takesBytes } of readers) {
    const { [name]: read } = (await import(join(root, file))) as Record<string, (input: unknown) => unknown>;
    const found = findSlow((text) => void read?.(takesBytes ? Buffer.from(text) : text), PIECES, LARGEST);
    if (found !== null) slow.push(`${file}: ${name} on ${found}`);
  }
  expect(readers.map(({ name }) => name)).toEqual(expect.arrayContaining(['maskPersons', 'maskSecrets', 'maskedText']));
  expect(slow).toEqual([]);
});
