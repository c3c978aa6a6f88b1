// A brand's drawing is a stranger's text until it was read here: parsed as XML, held against the list of
// allowed-rules.ts, and written anew from what was understood. No character of the file itself reaches a page.
import sax from 'sax';
import { escapeText } from '#kernel/escape.ts';
import {
  type AttributeFacts,
  judgeAttribute,
  judgeElement,
  mayHoldText,
  referencesOf,
  renameReferences,
} from './allowed-rules.ts';

/** Mark-up that was written here. */
export type CleanMarkup = string & { readonly isClean: true };

export type Drawing = {
  /** "0 0 40 40" */
  readonly viewBox: string;
  /**
   * The content of the root, for a <symbol> in a page. @param prefix of every id, so that no
   * id meets one of the page's own
   */
  writeInner(prefix: string): CleanMarkup;
};

export type DrawingRead =
  | { readonly kind: 'drawing'; readonly drawing: Drawing }
  /** Every fault that was found, in the order of the lines; one at least. */
  | { readonly kind: 'refused'; readonly faults: readonly DrawingFault[] };

/** `sentence` names element, attribute, reason and remedy. */
export type DrawingFault = { readonly line: number; readonly sentence: string };

/** The five entities of XML are the only ones known. */
const OPTIONS = { xmlns: true, strictEntities: true, position: true };

/** Our choice: the largest drawing we ship has 5 kB and 60 elements. */
const MAX_CHARACTERS = 200_000;
const MAX_ELEMENTS = 5000;
/** Elements that a browser draws, each <use> counted with all it stands for: few lines could ask for millions. */
const MAX_DRAWN = 20_000;
const MAX_DEPTH = 64;

type Element = {
  readonly name: string;
  /** False: the element was refused, and what is inside goes with it. */
  readonly isKept: boolean;
  readonly attributes: (readonly [string, string])[];
  readonly children: Node[];
};
type Node = Element | string;

/** Our choice: more say nothing new, and a hostile file has thousands. */
const MAX_FAULTS = 20;

/** Thrown where nothing more can be read. */
class Refusal extends Error {}

/** Never throws: what is not well-formed or not on the list is `refused`. */
export function readDrawing(text: string): DrawingRead {
  if (text.length > MAX_CHARACTERS)
    return refuseAll([{ line: 1, sentence: `is larger than ${MAX_CHARACTERS / 1000} kB; simplify its paths` }]);
  const parser = sax.parser(true, OPTIONS);
  const faults: DrawingFault[] = [];
  const note = (sentence: string): void => {
    faults.push({ line: parser.line + 1, sentence });
    if (faults.length === MAX_FAULTS) throw new Refusal();
  };
  try {
    const root = parse(parser, text, note);
    if (faults.length > 0) return refuseAll(faults);
    checkDrawn(root);
    const viewBox = root.attributes.find(([name]) => name === 'viewBox')?.[1] ?? '';
    if (!/^[\d\s.,+-]+$/.test(viewBox)) throw new Refusal('<svg>: has no viewBox; add one, e.g. viewBox="0 0 40 40"');
    const writeInner = (prefix: string) =>
      root.children.map((child) => writeNode(child, prefix)).join('') as CleanMarkup;
    return { kind: 'drawing', drawing: { viewBox, writeInner } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const last = error.message === '' ? [] : [{ line: parser.line + 1, sentence: error.message }];
    return refuseAll([...faults, ...last]);
  }
}

const refuseAll = (faults: readonly DrawingFault[]): DrawingRead => ({ kind: 'refused', faults });

/** @param note takes a fault behind which the rest can be read */
function parse(parser: sax.SAXParser, text: string, note: (sentence: string) => void): Element {
  const open: Element[] = [];
  let root: Element | null = null;
  let count = 0;
  const refuse = (sentence: string): never => {
    throw new Refusal(sentence);
  };
  // eslint-disable-next-line unicorn/prefer-add-event-listener -- a parser, not an element: it has no other way
  parser.onerror = (error) => refuse(`is no well-formed XML (${error.message.split('\n', 1)[0]}); save it anew as SVG`);
  parser.ondoctype = () => note('<!DOCTYPE>: is no part of a plain drawing; remove it');
  parser.oncdata = () => note('<![CDATA[: is no part of a plain drawing; remove it');
  parser.onprocessinginstruction = ({ name, body }) => {
    if (name !== 'xml') note(`<?${name}?>: is no part of a plain drawing; remove it`);
    // Another reader could find other mark-up in the same bytes.
    const encoding = /encoding\s*=\s*["']([^"']*)/i.exec(body)?.[1] ?? 'utf-8';
    if (encoding.toLowerCase() !== 'utf-8') note(`<?xml?>: names the encoding ${encoding}; save the drawing as UTF-8`);
  };
  parser.onopentag = (tag) => {
    const { name, local, uri, attributes } = tag as sax.QualifiedTag;
    const reason = judgeElement(local, uri, open.length === 0);
    if (reason !== null) note(`<${name}>: ${reason}`);
    count += 1;
    if (count > MAX_ELEMENTS)
      refuse(`<${name}>: is the ${count}th element; ${MAX_ELEMENTS} at most, simplify the drawing`);
    if (open.length >= MAX_DEPTH) refuse(`<${name}>: lies ${MAX_DEPTH} groups deep; simplify the drawing`);
    const element: Element = {
      name: local,
      isKept: reason === null,
      attributes: reason === null ? keep(name, local, Object.values(attributes), note) : [],
      children: [],
    };
    open.at(-1)?.children.push(element);
    open.push(element);
    root ??= element;
  };
  parser.onclosetag = () => void open.pop();
  // eslint-disable-next-line unicorn/prefer-add-event-listener -- a parser, not an element: it has no other way
  parser.ontext = (given) => {
    const around = open.at(-1);
    if (around && mayHoldText(around.name)) around.children.push(given);
    // Text in an element that is refused goes with it.
    else if (given.trim() !== '' && (!around || around.isKept))
      note(`"${given.trim().slice(0, 20)}": is text that nothing shows; put it into <text> or remove it`);
  };
  parser.write(text).close();
  return root ?? refuse('is empty; save it anew as SVG');
}

function keep(
  tag: string,
  local: string,
  given: readonly AttributeFacts[],
  note: (sentence: string) => void,
): [string, string][] {
  return given.flatMap((attribute): [string, string][] => {
    const judged = judgeAttribute(local, attribute);
    if (judged.kind === 'refused') note(`<${tag} ${attribute.name}>: ${judged.reason}`);
    return judged.kind === 'kept' ? [[judged.name, attribute.value]] : [];
  });
}

/**
 * Counts what is drawn with every reference followed. Throws when it is too much, or when something stands for itself.
 */
function checkDrawn(root: Element): void {
  const byId = new Map<string, Element>();
  const collect = (element: Element): void => {
    for (const [name, value] of element.attributes) if (name === 'id') byId.set(value, element);
    for (const child of element.children) if (typeof child !== 'string') collect(child);
  };
  collect(root);
  const known = new Map<Element, number>();
  const under = new Set<Element>();
  const measure = (element: Element): number => {
    const before = known.get(element);
    if (before !== undefined) return before;
    if (under.has(element)) throw new Refusal(`<${element.name}>: stands for itself; end the circle of references`);
    under.add(element);
    let size = 1;
    for (const child of element.children) if (typeof child !== 'string') size += measure(child);
    for (const id of element.attributes.flatMap(([name, value]) => referencesOf(name, value))) {
      const target = byId.get(id);
      if (target) size += measure(target);
    }
    under.delete(element);
    if (size > MAX_DRAWN)
      throw new Refusal(`<${element.name}>: draws more than ${MAX_DRAWN} elements; use fewer references`);
    known.set(element, size);
    return size;
  };
  measure(root);
}

function writeNode(node: Node, prefix: string): string {
  if (typeof node === 'string') return escapeText(node);
  const attributes = node.attributes.map(
    ([name, value]) => ` ${name}="${escapeText(renameReferences(name, value, (id) => prefix + id))}"`,
  );
  const inner = node.children.map((child) => writeNode(child, prefix)).join('');
  return `<${node.name}${attributes.join('')}>${inner}</${node.name}>`;
}
