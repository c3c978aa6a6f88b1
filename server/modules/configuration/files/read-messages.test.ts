// A shop's own words: what is refused, with file, line and remedy, and what becomes of the rest.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMessages } from './read-messages.ts';

const NO_JSON = 'is no valid JSON here; write {"key": "text", "key": "text"}';
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-messages-'));
});
afterEach(() => rm(root, { recursive: true }));

async function readOf(text: string, name = 'en.json') {
  await mkdir(dirname(join(root, 'messages', name)), { recursive: true });
  await writeFile(join(root, 'messages', name), text);
  const { findings, sources, texts } = await readMessages(root);
  const lines = findings.map(
    ({ file, line, at, reason }) => `${file}:${line ?? sources.get(file)?.lineOf(at)}: ${reason}`,
  );
  return { texts, lines };
}

test('takes texts of the shop in other words, by language', async () => {
  const read = await readOf(
    '{\n  "how.pay": "Every way to pay",\n  "recharge.pay": "Get it for {price}"\n}',
    'de.json',
  );
  expect(read).toEqual({
    lines: [],
    texts: { de: { 'how.pay': 'Every way to pay', 'recharge.pay': 'Get it for {price}' } },
  });
});

test.each([
  [
    'an unknown key',
    '{\n "how.pay": "A",\n "how.pya": "B"\n}',
    'en.json',
    'messages/en.json:3: the shop has no such text; did you mean "how.pay"?',
  ],
  [
    'a lost value',
    '{ "recharge.pay": "Pay now" }',
    'en.json',
    'messages/en.json:1: has the values {}, but the source has {price}; the source is "Pay {price}"',
  ],
  [
    'another value',
    '{ "how.pay": "Pay {price}" }',
    'en.json',
    'messages/en.json:1: has the values {price}, but the source has {}; the source is "Pay your way"',
  ],
  [
    'nothing in place of a text',
    '{ "how.pay": " " }',
    'en.json',
    'messages/en.json:1: is empty; the source is "Pay your way"',
  ],
  ['a number', '{ "how.pay": 5 }', 'en.json', 'messages/en.json:1: 5 is no text; put it in quotes'],
  ['texts in YAML', 'how.pay: A', 'en.json', `messages/en.json:1: ${NO_JSON}`],
  ['single quotes', '{\n "how.pay": \'A\'\n}', 'en.json', `messages/en.json:2: ${NO_JSON}`],
  ['a comma too many', '{\n "how.pay": "A",\n}', 'de.json', `messages/de.json:3: ${NO_JSON}`],
  ['a missing comma', '{\n "how.pay": "A"\n "order.title": "B"\n}', 'en.json', `messages/en.json:3: ${NO_JSON}`],
  ['a missing end', '{\n "how.pay": "A"\n', 'en.json', `messages/en.json:2: ${NO_JSON}`],
  ['an empty file', '', 'en.json', `messages/en.json:1: ${NO_JSON}`],
  ['a list', '[]', 'en.json', 'messages/en.json:1: is no list of texts; write {"key": "text"}'],
])('refuses %s', async (_, text, name, line) => {
  expect((await readOf(text, name)).lines).toEqual([line]);
});

test('refuses a file of no language, and one that cannot be read', async () => {
  expect((await readOf('{}', 'xx.json')).lines).toEqual([
    expect.stringContaining('messages/xx.json:1: is no language of the shop; name it after one of ar, '),
  ]);
  await rm(join(root, 'messages', 'xx.json'));
  expect((await readOf('{\n"how.pay": "A"\n"how.pay": ')).lines[0]).toMatch(/^messages\/en\.json:\d: /);
});

test('says of a file that is no JSON by its name that it is not read', async () => {
  expect((await readOf('how.pay: A', 'de.yml')).lines).toEqual([
    'messages/de.yml:undefined: is not read; write its texts as JSON into de.json',
  ]);
  expect((await readOf('\uFEFF{ "how.pay": "A" }')).texts).toEqual({ en: { 'how.pay': 'A' } });
});

test("the product's own are no other words, and a shop may have none", async () => {
  expect(await readMessages(resolve(import.meta.dirname, '..', '..', '..', '..'))).toMatchObject({
    texts: {},
    findings: [],
  });
  expect(await readMessages(root)).toMatchObject({ texts: {}, findings: [] });
  expect((await readOf('{}')).texts).toEqual({});
});
