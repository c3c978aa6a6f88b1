// The compiler of messages: what it finds wrong, and the types it writes.
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';
import { readParams } from '#server/platform/message-values.ts';
import { checkCatalogues, compareTexts, readCatalogues, writeTypes } from './messages.ts';
import { readUntranslated } from './untranslated.ts';

const source = { hello: 'Hello {name}', left: '{n, plural, one {# item} other {# items of {shop}}}' };

describe('a language beside the source', () => {
  test('is well with the same keys and values, in any plural forms', () => {
    const arabic = { hello: 'مرحبا {name}', left: '{n, plural, zero {لا} two {# {shop}} few {#} many {#} other {#}}' };
    expect(compareTexts('ar', source, arabic, {})).toEqual([]);
  });

  test.each([
    ['another value', { ...source, hello: 'Hi {nam}' }, '"hello" has the values {nam}, but the source has {name}'],
    ['a value lost', { ...source, hello: 'Hi' }, '"hello" has the values {}, but the source has {name}'],
    ['a key of its own', { ...source, extra: 'x' }, '"extra" is not in messages/en.json'],
    ['a missing key', { hello: 'Hi {name}' }, '"left" is missing'],
    ['an empty text', { ...source, hello: ' ' }, '"hello" is empty'],
    ['broken braces', { ...source, hello: 'Hi {name' }, '"hello" cannot be read'],
  ])('is not with %s', (_name, texts, fault) => {
    expect(compareTexts('de', source, texts, {}).join('\n')).toContain(fault);
  });

  test('may lack keys where the page shows the source, and those that are marked', () => {
    expect(compareTexts('de', source, {}, null)).toEqual([]);
    expect(compareTexts('de', source, {}, { hello: ['de'], left: ['ja', 'de'] })).toEqual([]);
    expect(compareTexts('de', source, {}, { hello: ['de'], left: ['ja'] })).toHaveLength(1);
  });
});

test('types: plurals are numbers, selects their cases, the rest text', () => {
  const types = writeTypes({ ...source, who: '{sex, select, f {She} m {He}}', plain: 'Plain' });
  expect(types).toContain('"hello": { "name": string | number };');
  expect(types).toContain('"left": { "n": number; "shop": string | number };');
  expect(types).toContain('"plain": {  };');
});

test('values inside cases are found, the number sign is none', () => {
  expect([...readParams(compileMessageOrThrow(source.left)).keys()]).toEqual(['n', 'shop']);
});

test('the shipped languages agree with the source, but for what is marked as not translated yet', async () => {
  expect(checkCatalogues(await readCatalogues(), await readUntranslated())).toEqual([]);
});
