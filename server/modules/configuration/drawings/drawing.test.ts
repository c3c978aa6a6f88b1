// Drawings of strangers: what is refused with its reason, and that what passes is written anew.
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { GOODS_DRAWINGS } from '#contracts/game-file.ts';
import { readDrawing } from './drawing.ts';

const SVG = 'http://www.w3.org/2000/svg';
const draw = (inner: string, root = '') => `<svg xmlns="${SVG}" viewBox="0 0 4 4"${root}>${inner}</svg>`;

function refusalOf(text: string): string {
  const read = readDrawing(text);
  return read.kind === 'refused' ? (read.faults[0]?.sentence ?? '') : '';
}

test.each<[string, string]>([
  ['<meta http-equiv="refresh" content="2;url=https://evil.example/"/>', '<meta>'],
  ['<p>Log in</p>', '<p>'],
  ['<form action="https://evil.example/"><input name="password"/></form>', '<form>'],
  ['<a href="https://evil.example/"><path d="M0 0"/></a>', '<a>'],
  ['<foreignObject><div xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>', '<foreignObject>'],
  ['<style>@import url(https://evil.example/x.css)</style>', '<style>'],
  ['<script>alert(1)</script>', '<script>'],
  ['<SCRIPT>alert(1)</SCRIPT>', '<SCRIPT>'],
  ['<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>', '<x:script>'],
  ['<g xmlns="http://www.w3.org/1999/xhtml"><path/></g>', '<g>'],
  ['<iframe src="https://evil.example"/>', '<iframe>'],
  ['<animate attributeName="href" to="javascript:alert(1)"/>', '<animate>'],
  ['<set attributeName="onclick" to="alert(1)"/>', '<set>'],
  ['<svg><path/></svg>', '<svg>'],
  ['<path onclick="alert(1)"/>', '<path onclick>'],
  ['<path ONCLICK="alert(1)"/>', '<path ONCLICK>'],
  ['<path style="fill:url(https://evil.example)"/>', '<path style>'],
  ['<path class="layout-top"/>', '<path class>'],
  ['<path data-x="1"/>', '<path data-x>'],
  ['<use href="https://evil.example/a.svg#b"/>', '<use href>'],
  ['<use href="//evil.example/a.svg#b"/>', '<use href>'],
  ['<use href="/brands/other/logo.svg#b"/>', '<use href>'],
  ['<use href="data:image/svg+xml,&lt;svg/&gt;#a"/>', '<use href>'],
  ['<use xmlns:l="http://www.w3.org/1999/xlink" l:href="javascript:alert(1)"/>', '<use l:href>'],
  ['<use href="&#106;avascript:alert(1)"/>', '<use href>'],
  ['<image href="https://evil.example/x.png"/>', '<image href>'],
  ['<image href="data:image/svg+xml;base64,AA"/>', '<image href>'],
  ['<image href="data:text/html;base64,AA"/>', '<image href>'],
  ['<path fill="url(https://evil.example/#g)"/>', '<path fill>'],
  ['<path fill="url(#g) url(//evil.example)"/>', '<path fill>'],
  ['<path fill="URL(//evil.example)"/>', '<path fill>'],
  ['<path fill="u\\72l(//evil.example)"/>', '<path fill>'],
  ['<path fill="image-set(\'https://evil.example/x.png\' 1x)"/>', '<path fill>'],
  ['<path fill="red;} body{display:none"/>', '<path fill>'],
  ['<path filter="url(x.svg#f)"/>', '<path filter>'],
  ['<text font-family="url(https://evil.example/x.woff)">a</text>', '<text font-family>'],
  ['<path id="a b"/>', '<path id>'],
  ['<path id="&quot;&gt;&lt;script&gt;"/>', '<path id>'],
  ['<title><b>x</b></title>', '<b>'],
  ['Log in at evil.example', '"Log in at evil.examp"'],
  ['<![CDATA[<script>alert(1)</script>]]>', '<![CDATA['],
  ['&custom;', 'well-formed'],
  ['<path d="M0 0">', 'well-formed'],
  ['<path d=M0/>', 'well-formed'],
  ['<?xml-stylesheet href="https://evil.example/x.css"?>', '<?xml-stylesheet?>'],
  ['<g id="a"><use href="#a"/></g>', 'stands for itself'],
  ['<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', 'stands for itself'],
])('refuses %s', (inner, part) => {
  expect(refusalOf(draw(inner))).toContain(part);
  expect(refusalOf(draw(inner))).not.toBe('');
});

test.each<[string, string]>([
  ['a DOCTYPE', `<!DOCTYPE svg [<!ENTITY x "y">]>${draw('')}`],
  ['another encoding', `<?xml version="1.0" encoding="utf-7"?>${draw('')}`],
  ['an HTML page', '<html><body>x</body></html>'],
  ['no namespace', '<svg viewBox="0 0 1 1"/>'],
  ['no box', `<svg xmlns="${SVG}"/>`],
  ['a box that is mark-up', `<svg xmlns="${SVG}" viewBox="0 0 1 1&quot;>"/>`],
  ['a handler at the root', draw('', ' onload="alert(1)"')],
  ['something behind the end', `${draw('')}<p/>`],
  ['nothing', ''],
  ['a file too large', draw(`<path d="${'M0 0'.repeat(60_000)}"/>`)],
  ['too many elements', draw('<path/>'.repeat(6000))],
  ['groups without an end', draw(`${'<g>'.repeat(100)}${'</g>'.repeat(100)}`)],
])('refuses %s', (_name, text) => {
  expect(refusalOf(text)).not.toBe('');
});

test('refuses few lines that stand for millions of elements', () => {
  const layers = Array.from({ length: 8 }, (_, n) => `<g id="l${n + 1}">${`<use href="#l${n}"/>`.repeat(10)}</g>`);
  expect(refusalOf(draw(`<path id="l0"/>${layers.join('')}`))).toContain('draws more than');
});

test('names the line', () => {
  expect(readDrawing(draw('\n<g>\n<p/></g>'))).toMatchObject({ kind: 'refused', faults: [{ line: 3 }] });
});

test('writes anew what it understood, under ids of its own', () => {
  const given = `<?xml version="1.0" encoding="UTF-8"?><!-- by hand -->${draw(
    `<title>A &amp; B</title><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>
     <path id="p" fill="url(#g)" d="M0 0" xml:space="preserve"/><use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#p"/>
     <path fill="var(--accent)" clip-path="url('#p')" aria-label="a &quot;b&quot;"/>`,
    ' width="40" height="40"',
  )}`;
  const read = readDrawing(given);
  if (read.kind === 'refused') throw new Error(read.faults[0]?.sentence);
  expect(read.drawing.viewBox).toBe('0 0 4 4');
  expect(read.drawing.writeInner('x-')).toBe(
    '<title>A &amp; B</title><defs><linearGradient id="x-g"><stop offset="0" ' +
      'stop-color="#fff"></stop></linearGradient></defs>' +
      '<path id="x-p" fill="url(#x-g)" d="M0 0"></path><use href="#x-p"></use>' +
      '<path fill="var(--accent)" clip-path="url(#x-p)" aria-label="a &quot;b&quot;"></path>',
  );
});

test('what passes is the same to an HTML parser', () => {
  const read = readDrawing(
    draw('<title>&lt;/title&gt;&lt;p&gt;out</title><text>&lt;meta&gt;</text><g><path d="M0 0"/></g>'),
  );
  if (read.kind === 'refused') throw new Error(read.faults[0]?.sentence);
  const { document } = new Window();
  document.write(`<svg><symbol id="s">${read.drawing.writeInner('s-')}</symbol></svg><i></i>`);
  expect([...document.querySelectorAll('#s *')].map(({ tagName }) => tagName.toLowerCase())).toEqual([
    'title',
    'text',
    'g',
    'path',
  ]);
  expect(document.querySelector('p, meta')).toBeNull();
});

test('every drawing that ships is plain', async () => {
  const root = new URL('../../../../', import.meta.url).pathname;
  const files = await Array.fromAsync(glob('{brands/*,games/*,channels}/assets/*.svg', { cwd: root }));
  expect(files.length).toBeGreaterThan(80);
  expect(files.map((file) => refusalOf(readFileSync(root + file, 'utf8'))).filter(Boolean)).toEqual([]);
});

test('goods may name exactly the drawings of the sprite', () => {
  const sprite = readFileSync(new URL('../../../../web/art/goods.svg', import.meta.url), 'utf8');
  const ids = [...sprite.matchAll(/<symbol id="((?:pack|item)-[^"]+)"/g)].map(([, id]) => id);
  expect(ids).toEqual([...GOODS_DRAWINGS]);
});

test('names every fault of a drawing, in the order of its lines', () => {
  const hostile = draw(
    '\n<style>.a{fill:red}</style>\n<g inkscape:label="x" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">' +
      '\n<image href="https://evil.example/x.png"/>\n<path d="M0 0" onclick="alert(1)" onload="x()"/></g>\n<script>alert(1)</script>',
  );
  const read = readDrawing(hostile);
  const faults = read.kind === 'refused' ? read.faults : [];
  expect(faults.map(({ line, sentence }) => `${line} ${sentence.split(':', 1)[0]}`)).toEqual([
    '2 <style>', '3 <g inkscape', '4 <image href>', '5 <path onclick>', '5 <path onload>', '6 <script>',
  ]); // prettier-ignore
});

test('stops counting faults where more say nothing new', () => {
  const read = readDrawing(draw('<a/>'.repeat(500)));
  expect(read.kind === 'refused' && read.faults).toHaveLength(20);
});
