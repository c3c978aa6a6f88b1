// The elements, attributes and values that a drawing may hold. All others are refused: the list names what
// is allowed, never what is not.
// @source W3C SVG 2, chapters 5 to 15; left out are scripting, links, style sheets, animation, HTML
// content and everything that loads.

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Attributes that every element may have. */
const COMMON = new Set(
  words(`id role aria-hidden aria-label transform transform-origin fill fill-opacity fill-rule stroke stroke-width
    stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility
    overflow clip-path clip-rule mask filter paint-order vector-effect mix-blend-mode isolation color-interpolation
    color-interpolation-filters shape-rendering text-rendering image-rendering marker-start marker-mid marker-end font-family font-size
    font-weight font-style letter-spacing word-spacing text-anchor dominant-baseline`),
);

const BOX = 'x y width height';
const FILTER = `${BOX} in in2 result`;

/** Elements, and beside COMMON the attributes of each. */
const ELEMENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    svg: `${BOX} viewBox preserveAspectRatio version baseProfile`,
    g: '',
    defs: '',
    title: '',
    desc: '',
    symbol: `${BOX} viewBox preserveAspectRatio refX refY`,
    use: `${BOX} href`,
    path: 'd pathLength',
    rect: `${BOX} rx ry pathLength`,
    circle: 'cx cy r pathLength',
    ellipse: 'cx cy rx ry pathLength',
    line: 'x1 y1 x2 y2 pathLength',
    polyline: 'points pathLength',
    polygon: 'points pathLength',
    text: 'x y dx dy rotate textLength lengthAdjust',
    tspan: 'x y dx dy rotate textLength lengthAdjust',
    image: `${BOX} href preserveAspectRatio`,
    linearGradient: 'x1 y1 x2 y2 gradientUnits gradientTransform spreadMethod href',
    radialGradient: 'cx cy r fx fy fr gradientUnits gradientTransform spreadMethod href',
    stop: 'offset stop-color stop-opacity',
    pattern: `${BOX} viewBox preserveAspectRatio patternUnits patternContentUnits patternTransform href`,
    clipPath: 'clipPathUnits',
    mask: `${BOX} maskUnits maskContentUnits mask-type`,
    marker: 'viewBox preserveAspectRatio refX refY markerUnits markerWidth markerHeight orient',
    filter: `${BOX} filterUnits primitiveUnits`,
    feBlend: `${FILTER} mode`,
    feColorMatrix: `${FILTER} type values`,
    feComposite: `${FILTER} operator k1 k2 k3 k4`,
    feDropShadow: `${FILTER} dx dy stdDeviation flood-color flood-opacity`,
    feFlood: `${FILTER} flood-color flood-opacity`,
    feGaussianBlur: `${FILTER} stdDeviation edgeMode`,
    feMerge: FILTER,
    feMergeNode: 'in',
    feMorphology: `${FILTER} operator radius`,
    feOffset: `${FILTER} dx dy`,
    feTurbulence: `${FILTER} baseFrequency numOctaves seed stitchTiles type`,
  }).map(([name, own]) => [name, new Set(own === '' ? [] : words(own))]),
);

/** Elements whose text is shown. */
const WITH_TEXT = new Set(['text', 'tspan', 'title', 'desc']);
/** CSS functions that load nothing. */
const FUNCTIONS = new Set(
  words(`var rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp matrix translate translatex translatey
    scale scalex scaley rotate skewx skewy`),
);
const LOCAL_URL = /url\(\s*(["']?)#([A-Za-z_][\w.-]*)\1\s*\)/g;
const ID = /^[A-Za-z_][\w.-]*$/;
const RASTER = /^data:image\/(?:png|jpeg|webp|avif);base64,[A-Za-z0-9+/=\s]+$/;
/** Text for a person may hold any sign; it is escaped where it is written. */
const FREE_TEXT = new Set(['aria-label', 'font-family']);

export type AttributeFacts = {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
  readonly value: string;
};

/** `left-out` are declarations of namespaces, which the page does not need. */
export type Judgement =
  | { readonly kind: 'kept'; readonly name: string }
  | { readonly kind: 'left-out' }
  | { readonly kind: 'refused'; readonly reason: string };

/** @returns why an element is refused, or null */
export function judgeElement(local: string, uri: string, isRoot: boolean): string | null {
  if (isRoot && (local !== 'svg' || uri !== SVG)) return `is no drawing; begin it with <svg xmlns="${SVG}">`;
  if (uri === SVG && ELEMENTS.has(local) && (isRoot || local !== 'svg')) return null;
  return 'is no element of a plain drawing; remove it, or save the drawing as "plain SVG"';
}

export function judgeAttribute(element: string, { name, local, uri, value }: AttributeFacts): Judgement {
  if (uri === XMLNS) return { kind: 'left-out' };
  if (uri === XML && (local === 'space' || local === 'lang')) return { kind: 'left-out' };
  const own = uri === '' ? name : uri === XLINK && local === 'href' ? 'href' : null;
  const isKnown = own !== null && (COMMON.has(own) || ELEMENTS.get(element)?.has(own));
  if (!isKnown) return refuse(adviceFor(name));
  const reason = own === 'href' ? judgeReference(element, value) : judgeValue(own, value);
  return reason === null ? { kind: 'kept', name: own } : refuse(reason);
}

function refuse(reason: string): Judgement {
  return { kind: 'refused', reason };
}

function adviceFor(name: string): string {
  if (/^on/i.test(name)) return 'would run a script; remove it';
  if (name === 'style')
    return 'is no attribute of a plain drawing; write each property as an attribute, e.g. fill="#fff"';
  return 'is no attribute of a plain drawing; remove it';
}

function judgeReference(element: string, value: string): string | null {
  if (value.startsWith('#') && ID.test(value.slice(1))) return null;
  if (element === 'image' && RASTER.test(value)) return null;
  return 'leads out of the drawing; refer to something inside it, e.g. "#shape"';
}

function judgeValue(name: string, value: string): string | null {
  if (name === 'id') return ID.test(value) ? null : 'is no id; write letters, digits, "_", "-" and "."';
  if (FREE_TEXT.has(name) && !/url\s*\(/i.test(value)) return null;
  const left = value.replace(LOCAL_URL, '');
  if (/url\s*\(/i.test(left)) return 'leads out of the drawing; refer to something inside it, e.g. "url(#shape)"';
  if (/[\\@<>{};]|\/\*/.test(left)) return 'holds characters that no plain value has; write the value alone';
  const before = left.split('(').slice(0, -1);
  const called = before.map((part) => (/(?<![\w-])[\w-]+$/.exec(part.trimEnd())?.[0] ?? '').toLowerCase());
  const strange = called.find((word) => !FUNCTIONS.has(word));
  return strange === undefined
    ? null
    : `calls ${strange}(), which is no part of a plain drawing; write the value itself`;
}

/** Text outside of the elements that show it is a sign of something broken. */
export function mayHoldText(element: string): boolean {
  return WITH_TEXT.has(element);
}

/** Ids that a value refers to; `rename` answers what they are called in the page. */
export function renameReferences(name: string, value: string, rename: (id: string) => string): string {
  if (name === 'id') return rename(value);
  if (name === 'href') return value.startsWith('#') ? `#${rename(value.slice(1))}` : value;
  return value.replace(LOCAL_URL, (_all, _quote, id: string) => `url(#${rename(id)})`);
}

/** @returns ids that an attribute refers to */
export function referencesOf(name: string, value: string): string[] {
  if (name === 'href') return value.startsWith('#') ? [value.slice(1)] : [];
  return [...value.matchAll(LOCAL_URL)].map(([, , id = '']) => id);
}
