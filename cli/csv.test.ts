import { expect, test } from 'vitest';
import { writeCsv } from './csv.ts';

test.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
  'a text that begins with %j is no formula in a spreadsheet',
  (first) => {
    const [, ...lines] = writeCsv(['name'], [[`${first}1+1`]]).split('\n');
    expect(lines.join('\n').replace(/^"/, '').startsWith("'")).toBe(true);
  },
);

test.each(['-5.20', '+3', '12'])('the number %s stays a number', (text) => {
  expect(writeCsv(['amount'], [[text]])).toBe(`amount\n${text}`);
});
