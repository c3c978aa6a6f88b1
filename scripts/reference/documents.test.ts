// Tests that a reader can type the commands of the documents, and that files shown there can be read.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '#scripts/run-tool.ts';
import { readProgram } from './cli-page.ts';
import { explainCall, listCalls, PAGES, readBlocks, readPage } from './documents.ts';

const program = readProgram();
const blocks = PAGES.flatMap((page) => readBlocks(page, readPage(page)));
const of = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));
const at = ({ page, line }: { page: string; line: number }): string => `${page}:${line}`;

test('every call of refill names a command and options that there are', () => {
  const calls = PAGES.flatMap((page) => listCalls(page, readPage(page)));
  expect(calls.length).toBeGreaterThan(40);
  expect(calls.flatMap((call) => explainCall(program, call)?.concat(` (${at(call)})`) ?? [])).toEqual([]);
});

test.each([
  ['refill plam', 'refill has no command plam'],
  ['refill plan --fast', 'plan has no option --fast'],
  ['npm run refill -- order refund', null],
  ['refill order refund 1 2', 'refund takes no "2"'],
  ['X=1 npx refill --shop a plan', null],
  ['refill order nothing 1', 'order has no command nothing'],
])('%s: %s', (line, why) => {
  const [call] = listCalls('a.md', `\`\`\`sh\n${line}\n\`\`\``);
  expect(call && explainCall(program, call)).toBe(why);
});

test('what a rehearsal types is marked, also what stays and what may end otherwise', () => {
  const runOf = (mark: string) => readBlocks('a.md', `${mark}\n\`\`\`sh\nx\n\`\`\``)[0]?.run;
  expect(runOf('words')).toBeNull();
  expect(runOf('<!-- run -->')).toEqual({ until: null, mayEndWith: [] });
  expect(runOf('<!-- run until: "ready":true -->')).toEqual({ until: '"ready":true', mayEndWith: [] });
  expect(runOf('<!-- run, may end with 1 2 -->')).toEqual({ until: null, mayEndWith: ['1', '2'] });
  // A mark with a slip of the keyboard would leave a block out and say nothing.
  const marks = PAGES.flatMap((page) => readPage(page).match(/^<!-- *run.*$/gm) ?? []);
  expect(marks.length).toBeGreaterThan(12);
  expect(marks.filter((mark) => runOf(mark) === null)).toEqual([]);
});

test('every example in JSON can be read', () => {
  const wrong = of('json').filter(({ text }) => !canBe(() => JSON.parse(text)));
  expect(of('json').length).toBeGreaterThan(20);
  expect(wrong.map(at)).toEqual([]);
});

test('every example in TypeScript and JavaScript can be read', () => {
  const code = of('ts', 'js', 'javascript', 'typescript');
  expect(code.length).toBeGreaterThan(1);
  expect(code.filter(({ text }) => !canBe(() => stripTypeScriptTypes(text))).map(at)).toEqual([]);
});

describe('examples in YAML', () => {
  const schemas = ['brand', 'game', 'channels', 'regions'].map((name) => readSchema(`${name}.schema.json`));
  test('each can be read, and is what its keys take', () => {
    expect(of('yaml').length).toBeGreaterThan(5);
    const wrong = of('yaml').flatMap((block) => {
      const keys = parse(block.text) as Record<string, unknown>;
      return Object.entries(keys).flatMap(([key, value]) => explainKey(key, value).map((why) => `${at(block)} ${why}`));
    });
    expect(wrong).toEqual([]);
  });

  function explainKey(key: string, value: unknown): string[] {
    const fitting = schemas.filter(({ properties }) => key in properties);
    // Files of others: of the shop's modules, of a cluster, of a part of a product.
    if (fitting.length === 0) return [];
    const found = fitting.map(({ check }) => check(key, value));
    return found.some((why) => why.length === 0) ? [] : (found[0] ?? []);
  }
});

function readSchema(name: string) {
  const schema = JSON.parse(readFileSync(join(projectRoot, 'schemas', name), 'utf8')) as {
    $id: string;
    properties: Record<string, object>;
  };
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  return {
    properties: schema.properties,
    /** One key of a file, without the others that a whole file has. */
    check: (key: string, value: unknown): string[] => {
      const { required: _required, $id: _id, ...rest } = schema as { required?: unknown; $id: string };
      const validate = ajv.compile(rest);
      validate({ [key]: value });
      // An example shows a part of a file: what it leaves out is no fault.
      return (validate.errors ?? [])
        .filter(({ keyword }) => keyword !== 'required')
        .map(({ instancePath, message }) => `${instancePath}: ${message}`);
    },
  };
}

function canBe(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
