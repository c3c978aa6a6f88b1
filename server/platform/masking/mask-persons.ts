// Takes persons out of what payment providers send and answer, before it is stored: names, ways to reach somebody,
// addresses of home and network, birth, documents, card fragments, and the provider's number of the payer. References,
// amounts, currencies, states, times and merchant accounts stay, for reconciliation and disputes.
import { hasInexactNumbers, mapNumbers } from '#kernel/json-numbers.ts';
import { type Place, isPersonal, placeBelow, wordsOf } from './personal-keys.ts';
import { MASK, isOwnNumber, maskValue } from './mask-values.ts';

type Spot = { readonly place: Place; readonly words: string; readonly isPersonal: boolean };
/**
 * Holds a provider's own keys, and the places that were judged before: every message of a provider has the same keys.
 */
type Extra = { readonly keys: ReadonlySet<string>; readonly spots: Readonly<Record<Place, Map<string, Spot>>> };

const TOP: Spot = { place: 'open', words: '--', isPersonal: false };
/** Our choice: no provider nests its messages as deep as this; whoever does hides something. */
const MAX_DEPTH = 40;
/** Our choice: more keys than all messages of a provider have. Whoever sends other ones each time fills no memory. */
const MAX_SPOTS = 2000;
/** Our choice, characters. */
const LONGEST_KEPT_KEY = 100;
const EXTRAS = new WeakMap<readonly string[], Extra>();
const NO_FIELDS: readonly string[] = [];
/** Our choice, characters: callbacks are refused at 64 kB, and of an answer only the beginning is kept. */
const MAX_LENGTH = 100_000;

/**
 * @param text a whole body: JSON, a form, XML, or text of another shape. Half of one is read by its pairs of key and
 *   value, where what stands inside of what cannot be told: mask first, then cut
 * @param personalFields keys of this provider that tell of persons without saying so
 */
export function maskPersons(text: string, personalFields: readonly string[] = NO_FIELDS): string {
  const extra = extraOf(personalFields);
  return text.length > MAX_LENGTH ? maskPairs(text.slice(0, MAX_LENGTH), extra) : maskText(text, TOP, extra, 0);
}

function extraOf(personalFields: readonly string[]): Extra {
  const known = EXTRAS.get(personalFields);
  if (known) return known;
  const spots = { open: new Map(), card: new Map(), person: new Map() };
  const made: Extra = { keys: new Set(personalFields.map(wordsOf)), spots };
  EXTRAS.set(personalFields, made);
  return made;
}

/**
 * A word, a number too short for a card, or letters and digits that are no "411111xxxxxx1111": no shape that is looked
 * for below, and most values are one.
 */
const PLAIN_VALUE = /^(?:[A-Za-z]{1,40}|\d{1,12}|(?=\d*[A-Za-z])(?!\d{4,6}[xX]{3})[A-Za-z\d]{1,64})$/;

function maskText(text: string, spot: Spot, extra: Extra, depth: number): string {
  if (depth > MAX_DEPTH) return MASK;
  if (PLAIN_VALUE.test(text)) return text;
  const trimmed = text.trimStart();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    return maskJson(text, spot, extra, depth) ?? maskPairs(text, extra);
  }
  if (trimmed.startsWith('<')) return maskXml(text, spot, extra, depth);
  if (/^h/i.test(trimmed) && /^https?:\/\/[^\s]+$/i.test(trimmed)) return maskAddress(text, spot, extra, depth);
  if (trimmed.includes('=') && isForm(trimmed)) return maskForm(text, spot, extra, depth);
  return depth === 0 ? maskPairs(text, extra) : maskValue(text, spot.words);
}

/** A value of one key: a text may be a message of its own. */
function maskLeaf(text: string, spot: Spot, extra: Extra, depth: number): string {
  if (text === '') return text;
  if (!spot.isPersonal) return maskText(text, spot, extra, depth + 1);
  if (isOwnNumber(text)) return text;
  return /^\s*[[{<]/.test(text) ? maskText(text, { ...spot, place: 'person' }, extra, depth + 1) : MASK;
}

function below({ place }: Spot, key: string, { keys, spots }: Extra): Spot {
  const judged = spots[place];
  const known = judged.get(key);
  if (known) return known;
  const words = wordsOf(key);
  const isPersons = isPersonal(place, words, keys);
  const spot: Spot = { place: placeBelow(place, words, isPersons), words, isPersonal: isPersons };
  if (judged.size >= MAX_SPOTS) judged.clear();
  if (key.length <= LONGEST_KEPT_KEY) judged.set(key, spot);
  return spot;
}

// --- JSON

const NUMBER_MARK = '\u0000n';
const MARKED_NUMBER = /"\\u0000n(-?[\d.eE+-]+)"/g;

function maskJson(text: string, spot: Spot, extra: Extra, depth: number): string | null {
  let value: unknown;
  const isMarked = hasInexactNumbers(text);
  try {
    value = JSON.parse(text);
    if (isMarked) value = JSON.parse(mapNumbers(text, (digits) => `"\\u0000n${digits}"`));
  } catch {
    return null;
  }
  const masked = JSON.stringify(maskJsonValue(value, spot, extra, depth));
  return isMarked ? masked.replaceAll(MARKED_NUMBER, '$1') : masked;
}

/** Changes what was parsed, which nobody else has. */
function maskJsonValue(value: unknown, spot: Spot, extra: Extra, depth: number): unknown {
  if (depth > MAX_DEPTH) return MASK;
  if (typeof value === 'string') {
    if (!value.startsWith(NUMBER_MARK)) return maskLeaf(value, spot, extra, depth);
    const masked = maskLeaf(value.slice(NUMBER_MARK.length), spot, extra, depth);
    return masked.includes(MASK) ? masked : value;
  }
  if (typeof value === 'number') {
    const masked = maskLeaf(String(value), spot, extra, depth);
    return masked.includes(MASK) ? masked : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) value[index] = maskJsonValue(one, spot, extra, depth + 1);
    return value;
  }
  const named = readNamedValue(value);
  const known = value as Record<string, unknown>;
  for (const key of Object.keys(known)) {
    const part = known[key];
    // {"key": "email", "value": "..."}, and {"email": {"value": "..."}}.
    const place = key === 'value' ? (named === null ? spot : below(spot, named, extra)) : below(spot, key, extra);
    const masked = key !== 'value' && part === named ? part : maskJsonValue(part, place, extra, depth + 1);
    if (masked !== part) setOwn(known, key, masked);
  }
  return known;
}

/** A key may be called __proto__. */
function setOwn(known: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(known, key, { value, enumerable: true });
  else known[key] = value;
}

/** Returns the key of `{"key" or "name": "email", "value": ...}`; null for any other object. */
function readNamedValue(value: object): string | null {
  const { key, name, value: own } = value as { key?: unknown; name?: unknown; value?: unknown };
  const named = key ?? name;
  return typeof named === 'string' && /^[\w.-]{1,40}$/.test(named) && own !== undefined ? named : null;
}

// --- Forms and addresses

const isForm = (text: string): boolean => /^[\w.[\]%-]{1,100}=[^\s]*/.test(text) && !/^[\w+/]+={0,2}$/.test(text);

function maskForm(text: string, spot: Spot, extra: Extra, depth: number): string {
  return text
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) return maskValue(pair, '--');
      const value = decode(pair.slice(at + 1));
      const masked = maskLeaf(value, readPath(decode(pair.slice(0, at)), spot, extra), extra, depth);
      return masked === value ? pair : `${pair.slice(0, at)}=${masked === MASK ? MASK : encode(masked)}`;
    })
    .join('&');
}

/** "customer[address][city]" and "customer.email" are paths. */
function readPath(key: string, spot: Spot, extra: Extra): Spot {
  return key
    .split(/[[\].]+/)
    .filter((part) => part !== '')
    .reduce((above, part) => below(above, part, extra), spot);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Another character set than UTF-8: its bytes stay as they are written, and keys are ASCII anyway.
    return text;
  }
}

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

function maskAddress(text: string, spot: Spot, extra: Extra, depth: number): string {
  const [, before = text, query = '', after = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(text) ?? [];
  const masked = query === '' ? '' : `?${maskForm(query, spot, extra, depth + 1)}`;
  return `${maskValue(before, '-url-')}${masked}${maskValue(after, '-url-')}`;
}

// --- XML

/** A part that is not closed goes to the end of the text: searching for the end again at each start is quadratic. */
const XML_PART =
  /<!\[CDATA\[(.*?)(\]\]>|$)|(<[?!][^>]*(?:>|$))|<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/gs;

/** Not proven to be well formed: what does not fit is read as text of the innermost element that is open. */
function maskXml(text: string, top: Spot, extra: Extra, depth: number): string {
  const open: Spot[] = [top];
  const current = () => open.at(-1) ?? top;
  return text.replaceAll(
    XML_PART,
    (
      whole: string,
      cdata?: string,
      closed = '',
      declaration?: string,
      slash?: string,
      name?: string,
      attributes = '',
      empty?: string,
      words?: string,
    ) => {
      if (cdata !== undefined) return `<![CDATA[${maskLeaf(cdata, current(), extra, depth + 1)}${closed}`;
      if (declaration !== undefined) return maskPairs(declaration, extra);
      if (words !== undefined) return words.trim() === '' ? words : maskLeaf(words, current(), extra, depth + 1);
      if (name === undefined) return whole;
      if (slash === '/') {
        if (open.length > 1) open.pop();
        return whole;
      }
      const spot = below(current(), name, extra);
      if (empty !== '/') open.push(spot);
      return `<${name}${maskAttributes(attributes, spot, extra, depth)}${empty ?? ''}>`;
    },
  );
}

function maskAttributes(text: string, spot: Spot, extra: Extra, depth: number): string {
  return text.replaceAll(
    /(?<![\w:.-])([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')/g,
    (_, key: string, equals: string, quoted: string) => {
      const masked = maskLeaf(quoted.slice(1, -1), below(spot, key, extra), extra, depth + 1);
      return `${key}${equals}${quoted[0]}${masked}${quoted[0]}`;
    },
  );
}

// --- Anything else

/** The key of `"key": "value"`, `key=value`, `key: value`, of JSON that was cut off and of plain text. */
const KEY = /(?<![\w.[\]-])("?)([\w.[\]-]+)\1\s*[=:]\s*/g;
/** Our choice, characters: the end of a long key says what its value is. */
const KEY_END = 80;
const VALUE = /"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)|[^\s&,;{}[\]"'][^&,;{}[\]\n]*/y;

/** Nobody knows what stands inside of what, so a bare `name` counts as a person's too. */
const BARE_NAME = /^-(name|id-number|uid)-$/;

function maskPairs(text: string, extra: Extra): string {
  let masked = '';
  let copied = 0;
  for (const { index, 0: whole, 2: key = '' } of text.matchAll(KEY)) {
    const { isPersonal: isPersons, words } = below(TOP, key.slice(-KEY_END), extra);
    VALUE.lastIndex = index + whole.length;
    if (index < copied || (!isPersons && !BARE_NAME.test(words))) continue;
    const [value = ''] = VALUE.exec(text) ?? [];
    if (value === '' || isOwnNumber(value.replaceAll('"', ''))) continue;
    masked += text.slice(copied, index + whole.length) + (value.startsWith('"') ? `"${MASK}"` : MASK);
    copied = index + whole.length + value.length;
  }
  return maskValue(masked + text.slice(copied), '--');
}
