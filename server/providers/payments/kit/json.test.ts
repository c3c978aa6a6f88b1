// Numbers keep the text that they were written in, whatever stands around them.
import Type from 'typebox';
import { expect, test } from 'vitest';
import { listAt, reader, wordAt } from './json.ts';

const read = reader(Type.Unknown());

test.each([
  ['{"a":0.10,"b":1234567890123456789}', { a: '0.10', b: '1234567890123456789' }],
  ['{"a":-0,"b":1.5e+10,"c":-12E-3}', { a: '-0', b: '1.5e+10', c: '-12E-3' }],
  ['[1,[2.50],{"x":3}]', ['1', ['2.50'], { x: '3' }]],
  ['{"say \\"12\\"":"at 12:30, -5 \\\\","n":7}', { 'say "12"': 'at 12:30, -5 \\', n: '7' }],
  ['{"a":null,"b":{"c":null,"d":[null,1]},"e":true,"f":false}', { b: { d: [undefined, '1'] }, e: true, f: false }],
  [' 42 ', '42'],
  ['""', ''],
])('%s', (text, value) => expect(read(text)).toEqual(value));

test.each(['', '{', '{"a":01}', "{'a':1}", '{"a":1,}', '[1 2]', '{"a":.5}', '{"a":+1}', '1-2', '"\n"'])(
  '%j is no JSON',
  (text) => {
    expect(wordAt(text, 'a')).toBeUndefined();
    expect(listAt(text)).toEqual([]);
    expect(reader(Type.Object({}))(text)).toBeNull();
  },
);
