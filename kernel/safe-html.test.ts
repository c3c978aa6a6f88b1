import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listUnsafeHtml, parseSafeHtml, SAFE_TAGS, type SafeNode } from './safe-html.ts';

const write = (nodes: readonly SafeNode[]): string =>
  nodes
    .map((node) =>
      typeof node === 'string' ? node : `[${node.tag}${node.href ? ` ${node.href}` : ''}:${write(node.children)}]`,
    )
    .join('');

test.each([
  ['plain', 'plain'],
  ['<p>One <b>two</b></p>', '[p:One [b:two]]'],
  ['a<br>b<br/>c', 'a[br:]b[br:]c'],
  ['<ul><li>1<li>2</ul>after', '[ul:[li:1[li:2]]]after'],
  ['<STRONG>loud', '[strong:loud]'],
  ['</b>stray', 'stray'],
  ['1 < 2 & 3 &lt; 4 &amp;lt; &copy; &#12354; &#x3042; &unknown;', '1 < 2 & 3 < 4 &lt; © あ あ &unknown;'],
  ['<a href="https://help.example/?a=1&amp;b=2">help</a>', '[a https://help.example/?a=1&b=2:help]'],
  ["<a href='mailto:help@watt.example'>post</a>", '[a mailto:help@watt.example:post]'],
  ['<a href=https://x.example>x</a>', '[a https://x.example:x]'],
])('L53 %s is read as %s', (html, tree) => expect(write(parseSafeHtml(html))).toBe(tree));

test.each([
  ['<script>alert(1)</script>after', 'after'],
  ['<scr<script></script>ipt>alert(1)', 'alert(1)'],
  ['<style>p{}</style><svg onload=alert(1)><a>x</a></svg>y', 'y'],
  ['<img src=x onerror=alert(1)>', ''],
  ['<b onclick="alert(1)">x</b>', '[b:x]'],
  ['<b title="a > b" style="x">x</b>', '[b:x]'],
  ['<a href="javascript:alert(1)">x</a>', '[a:x]'],
  ['<a href=" java&#10;script:alert(1)">x</a>', '[a:x]'],
  ['<a href="//evil.example">x</a>', '[a:x]'],
  ['<a data-href="https://x.example">x</a>', '[a:x]'],
  ['<!-- <b>hidden</b> -->seen', 'seen'],
  ['<script>without an end', ''],
])('L53 %s leaves %s', (html, tree) => expect(write(parseSafeHtml(html))).toBe(tree));

test('L53 whatever it is given, a tree holds elements and addresses of the list alone', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('<', '>', '</', '"', "'", '<a href=', 'javascript:', '<script', '<b>', '</b>', '<!--', '-->', '&#', ';', 'onerror='),
  ); /* a row a line */ // prettier-ignore
  const check = (nodes: readonly SafeNode[]): void => {
    for (const node of nodes) {
      if (typeof node === 'string') continue;
      expect(SAFE_TAGS).toContain(node.tag);
      expect(node.href ?? 'https://').toMatch(/^(https:\/\/|mailto:)/i);
      check(node.children);
    }
  };
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => check(parseSafeHtml(pieces.join('')))));
});

test('what would be lost is told to whoever writes it', () => {
  expect(listUnsafeHtml('<p>Fine <a href="https://x.example">x</a><br/></p>')).toEqual([]);
  expect(listUnsafeHtml('<div class="x">a</div><a href="http://x.example" onclick=y>b</a>')).toEqual([
    '<div>',
    'class of <div>',
    'onclick of <a>',
    'a link that is neither https nor mailto',
  ]);
});
