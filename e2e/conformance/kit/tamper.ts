// Callbacks that somebody changed on the way: one character at a time, or without their signature.
import type { RawCallback } from '#testing/providers.ts';
import type { SignaturePlace } from './declaration.ts';

export type Tampered = { readonly what: string; readonly raw: RawCallback };

/** Our choice: enough to meet every field of the largest callback, few enough for a second. */
const MAX_POSITIONS = 400;

/** A character of the same kind, so that digits stay digits and JSON stays JSON. */
function otherCharacter(character: string): string {
  if (/[0-8a-yA-Y]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
  return { '9': '0', z: 'a', Z: 'A' }[character] ?? 'x';
}

function* changedTexts(text: string, most: number): Generator<{ at: number; text: string }> {
  const step = Math.max(1, text.length / most);
  for (let position = 0; position < text.length; position += step) {
    const at = Math.floor(position);
    yield { at, text: text.slice(0, at) + otherCharacter(text.charAt(at)) + text.slice(at + 1) };
  }
}

/**
 * Every way in which one character of the body, of the query or of a header may be another one;
 * of long ones an even sample.
 */
export function* changeCharacters(raw: RawCallback): Generator<Tampered> {
  // latin1 keeps one character for each byte, so that no byte of a longer character is lost.
  for (const { at, text } of changedTexts(raw.body.toString('latin1'), MAX_POSITIONS))
    yield { what: `byte ${at} of the body`, raw: { ...raw, body: Buffer.from(text, 'latin1') } };
  for (const part of ['query', 'headers'] as const) {
    for (const [name, value] of Object.entries(raw[part])) {
      for (const { at, text } of changedTexts(value, MAX_POSITIONS / 20))
        yield { what: `${part} ${name}, character ${at}`, raw: { ...raw, [part]: { ...raw[part], [name]: text } } };
    }
  }
}

export type Torn = { readonly what: string; readonly text: string };

/**
 * Every JSON that differs in one property: taken away, of another type, or an unknown word. Lists keep their length.
 */
export function* tearJson(text: string): Generator<Torn> {
  const root: unknown = JSON.parse(text);
  for (const path of pathsOf(root)) {
    const what = path.join('.');
    yield { what: `without ${what}`, text: JSON.stringify(changeJson(root, path, () => undefined)) };
    yield { what: `${what} of another type`, text: JSON.stringify(changeJson(root, path, () => ({ of: 'tomorrow' }))) };
    yield { what: `${what} of another word`, text: JSON.stringify(changeJson(root, path, () => 'OF_TOMORROW')) };
  }
}

function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const here = [...path, key];
    const deeper = pathsOf(one, here);
    return Array.isArray(value) ? deeper : [here, ...deeper];
  });
}

function changeJson(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (String(at) === key ? changeJson(one, rest, change) : one));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [key]: changeJson(fields[key], rest, change) };
}

/** Without the signature, with an empty one and with a cut one. Throws when the callback has none at that place. */
export function stripSignature(raw: RawCallback, place: SignaturePlace): Tampered[] {
  const changes: [string, (value: string) => string | undefined][] = [
    ['no signature', () => undefined],
    ['an empty signature', () => ''],
    // Longer than the padding of base64, also where it is percent-encoded: without padding it is the same signature.
    ['a cut signature', (value) => value.slice(0, -12)],
  ];
  return changes.map(([what, change]) => {
    const changed = changeAt(raw, place, change);
    if (!changed) throw new Error(`the callback has no ${place.in} "${place.name}": its declaration is wrong`);
    return { what, raw: changed };
  });
}

type Change = (value: string) => string | undefined;

function changeAt(raw: RawCallback, place: SignaturePlace, change: Change): RawCallback | null {
  if (place.in === 'body') {
    const body = changeBody(raw.body.toString('utf8'), place.name, change);
    return body === null ? null : { ...raw, body: Buffer.from(body) };
  }
  const part = place.in === 'header' ? 'headers' : 'query';
  const { [place.name]: value, ...rest } = raw[part];
  if (value === undefined) return null;
  const changed = change(value);
  return { ...raw, [part]: changed === undefined ? rest : { ...rest, [place.name]: changed } };
}

function changeBody(text: string, name: string, change: Change): string | null {
  if (/^\s*[[{]/.test(text)) {
    let isFound = false;
    const value = JSON.parse(text, (key, one: unknown) => {
      if (key !== name || typeof one !== 'string') return one;
      isFound = true;
      return change(one);
    }) as unknown;
    return isFound ? JSON.stringify(value) : null;
  }
  const form = new URLSearchParams(text);
  const value = form.get(name);
  if (value === null) return null;
  const changed = change(value);
  if (changed === undefined) form.delete(name);
  else form.set(name, changed);
  return form.toString();
}
