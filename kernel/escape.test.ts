import { expect, test } from 'vitest';
import { escapeJson, escapeText } from './escape.ts';

test('nothing of a text ends an attribute or begins an element', () => {
  expect(escapeText(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  );
  expect(escapeText('60 Embers · 炎')).toBe('60 Embers · 炎');
});

test('nothing of a value ends a script element, and it is the same value', () => {
  const value = { text: '</script><!-- \u2028\u2029', count: 1 };
  const text = escapeJson(value);
  expect(text).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual(value);
});
