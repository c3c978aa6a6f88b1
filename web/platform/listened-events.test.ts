// @vitest-environment happy-dom
// Which events React hears at the root of the page: all that some element waits for, and no other.
import { globSync, readFileSync } from 'node:fs';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { LISTENED, listenLess } from './listened-events.ts';

/** React's own names that differ from the browser's. */
const NATIVE: Readonly<Record<string, string>> = {
  focus: 'focusin',
  blur: 'focusout',
  pointerenter: 'pointerover',
  pointerleave: 'pointerout',
  mouseenter: 'mouseover',
  mouseleave: 'mouseout',
  doubleclick: 'dblclick',
};
/** React hears these at the element itself. */
const AT_ELEMENT = ['scroll', 'cancel', 'close', 'toggle', 'load', 'error', 'invalid'];
/** These are drawn into popups, beside the root. */
const IN_POPUPS = /\/(ui\/Sheet|platform\/popups\/\w+|features\/\w+(\/\w+)?\/\w*(Popup|Sheet))\.tsx$/;

/** A prop with what stands in its braces, three deep; a comment; all that is given on. */
const IN_BRACES = String.raw`\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}`;
const PROP = String.raw`(?:\/\/[^\n]*|\/\*.*?\*\/|${IN_BRACES}|[\w-]+(?:="[^"]*"|=${IN_BRACES})?)`;
/** Of the browser's elements: those of our own have props of their own. */
const TAG = new RegExp(String.raw`<[a-z]\w*((?:\s+${PROP})*)\s*\/?>`, 'g');

/** `onClick` of `<button onClick={...}>` as "click". */
function listensTo(text: string): string[] {
  return [...text.matchAll(TAG)].flatMap(([, props = '']) =>
    [...props.matchAll(/\son([A-Z]\w*)=\{/g)].map(([, name = '']) => name.replace(/Capture$/, '').toLowerCase()),
  );
}

test('every event that an element of the page waits for is heard', () => {
  const files = globSync('web/**/*.tsx').filter((file) => !file.endsWith('.test.tsx') && !IN_POPUPS.test(file));
  const found = new Set(files.flatMap((file) => listensTo(readFileSync(file, 'utf8'))));
  const needed = [...found].filter((name) => !AT_ELEMENT.includes(name)).map((name) => NATIVE[name] ?? name);
  expect(needed).toEqual(expect.arrayContaining(['click', 'change', 'submit', 'focusin', 'keydown', 'pointerdown']));
  expect(needed.filter((name) => !LISTENED.has(name))).toEqual([]);
});

test('React hears a press there, and nothing of the thirty other events that come with it', () => {
  const events: string[] = [];
  const place = document.body.appendChild(document.createElement('div'));
  const add = place.addEventListener.bind(place);
  place.addEventListener = (...call: Parameters<typeof add>) => {
    events.push(call[0]);
    add(...call);
  };
  createRoot(listenLess(place)).render(createElement('p'));
  expect(events).toEqual(expect.arrayContaining(['click', 'input', 'focusin']));
  expect(
    events.filter((name) => /^(transition|animation|mouse|touch|gotpointer|lostpointer|scroll)/.test(name)),
  ).toEqual([]);
});
