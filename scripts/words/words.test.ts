import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWords } from './find-words.ts';
import { partsOf, readGlossary } from './glossary.ts';
import { scanFile } from './scan.ts';

const DOCUMENT = `
| say | for | not |
|---|---|---|
| refund | paying back | \`pay_back\`, \`=refundDue\`, \`=MOST_*\` |
| simulator | the outside | \`rig\`, "stand-in" |
| provider account | settings | terminal |

| name | where | why |
|---|---|---|
| \`pay_back_at\` | server/orders, cli/ | a column |
`;
const find = (path: string, text: string) => createWords(readGlossary(DOCUMENT)).find(path, text);

test.each([
  ['payBackAll', ['pay', 'back', 'all']],
  ['MAX_URLLength', ['max', 'url', 'length']],
  ['v_is_open', ['v', 'is', 'open']],
  ['$', []],
])('the parts of %s', (name, parts) => expect(partsOf(name)).toEqual(parts));

test.each([
  ['const payBack = 1;', 'payBack'],
  ['type PayBackRow = 1;', 'PayBackRow'],
  ['const PAY_BACK_MS = 1;', 'PAY_BACK_MS'],
  ['a.refundDue = b;', 'refundDue'],
  ['const MOST_PAGES = 1;', 'MOST_PAGES'],
  ['const text = `a ${payBack(1)} b`;', 'payBack'],
  ['const text = `a ${{ a: `${1}` }.a} ${openRig()}`;', 'openRig'],
])('refuses the name in %s', (text, name) => {
  expect(find('a.ts', text)).toEqual([expect.stringContaining(`a.ts:1: ${name}: say "`)]);
});

test.each([
  'const payAndBack = 1, backPay = 2, isRefundDueNow = 3, most_pages = 4, right = 5;',
  "const text = 'pay_back', other = `payBack`;",
  String.raw`const pattern = /payBack['"\/]/; const quotient = a / b; // fine`,
  'const terminal = 1;',
  '// A payBack in a comment is no name.',
])('lets %s pass', (text) => expect(find('a.ts', text)).toEqual([]));

test('a name of a database stays where the table says so, and nowhere else', () => {
  const words = createWords(readGlossary(DOCUMENT));
  expect(words.find('server/orders/a.sql', 'select pay_back_at from x;')).toEqual([]);
  expect(words.find('cli/a.ts', 'row.pay_back_at;')).toEqual([]);
  expect(words.find('web/a.ts', 'row.pay_back_at;')).toHaveLength(1);
  expect([...words.kept]).toEqual(['pay_back_at']);
});

test('a name is told once a file, where it stands first', () => {
  expect(find('a.ts', '\npayBack;\npayBack;')).toEqual([expect.stringContaining('a.ts:2:')]);
});

test.each([
  ['a.ts', '// A stand-in for it.'],
  ['a.tsx', '<p>{/* A stand-in. */}</p>'],
  ['a.sql', 'select 1; -- a Stand-In'],
  ['a.css', '/* A stand-in. */'],
])('refuses a phrase in a comment of %s', (path, text) => {
  expect(find(path, text)).toEqual([expect.stringContaining('"stand-in" in a comment: say "simulator"')]);
});

test.each([
  ['a.ts', '// What it is.', 1],
  ['a.ts', '\n/** Whether it is. */\nconst a = 1;', 2],
  ['a.ts', '/**\n * Where it is,\n * and why.\n */', 1],
  ['a.ts', 'const a = 1; // Who did it', 1],
  ['a.sql', 'create table x ();\n-- Whether it is.', 2],
  ['a.css', '.a {}\n/* Where it stands. */', 2],
])('refuses a question at the beginning of a comment: %s, %j', (path, text, line) => {
  expect(find(path, text)).toEqual([expect.stringContaining(`${path}:${line}: the comment begins with`)]);
});

test.each([
  ['a.ts', '// Says why.\n// What follows is the same comment.'],
  ['a.ts', '// Whatever comes is kept.'],
  ['a.ts', "const a = '// What';"],
  ['a.ts', 'const a = /\\/\\/ What/;'],
  ['a.sql', "select '-- What';"],
])('lets %s with %j pass', (path, text) => expect(find(path, text)).toEqual([]));

test('lines of one indent are one comment, and its line is the first', () => {
  expect(scanFile('a.ts', 'a;\n// One\n// two.\n  // Three.\nb; // Four.').comments).toEqual([
    { text: 'One two.', line: 2 },
    { text: 'Three.', line: 4 },
    { text: 'Four.', line: 5 },
  ]);
});

test('bodies of functions in SQL are read, strings and quoted names are not', () => {
  const text = `create function f() as $$ begin perform pay_all(); end $$; select 'rig''s', "rig";`;
  expect(scanFile('a.sql', text).identifiers.map((one) => one.text)).toEqual(
    'create function f as begin perform pay_all end select'.split(' '),
  );
});

test('the glossary of the project has rules of every kind, and a document without them is refused', () => {
  const glossary = readGlossary(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'glossary.md'), 'utf8'));
  expect(glossary.names.length).toBeGreaterThan(40);
  expect(glossary.phrases.length).toBeGreaterThan(5);
  expect(glossary.kept.map(({ name }) => name)).toContain('forget_at');
  expect(() => readGlossary('# Words')).toThrow('no table');
});
