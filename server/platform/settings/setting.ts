// The kinds of settings there are: how each is read from text, and how it is told on the page of
// all settings. No names here.
import { readFileSync } from 'node:fs';
import { decodeUtf8 } from '#server/platform/utf8.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Either a value, or what is wrong and what to do, as in a Finding. */
export type Read<Value> = { readonly value: Value } | { readonly reason: string; readonly remedy: string };

export type Setting<Value> = {
  readonly name: string;
  /** Says in one sentence, without its full stop, what the setting decides. */
  readonly about: string;
  /** Which program reads it. */
  readonly readBy: string;
  /** Describes the allowed values, for the page. */
  readonly range: string;
  /** Describes the value that applies when nothing is set, for the page. */
  readonly fallback: string;
  readonly isSecret: boolean;
  /** Is true when `<NAME>_FILE` may name a file that holds the value. */
  readonly mayBeFile: boolean;
  /** Null: not set, or set to nothing. */
  readonly read: (text: string | null) => Read<Value>;
};

type Described = {
  readonly about: string;
  readonly readBy?: string;
  readonly isSecret?: boolean;
  readonly mayBeFile?: boolean;
};

function describe({ about, readBy = 'shop', isSecret = false, mayBeFile = false }: Described) {
  return { about, readBy, isSecret, mayBeFile };
}

export function wholeNumber(
  name: string,
  rule: Described & { readonly fallback: number; readonly min: number; readonly max: number },
): Setting<number> {
  const { fallback, max, min } = rule;
  return {
    name,
    ...describe(rule),
    range: `${min} to ${max}`,
    fallback: String(fallback),
    read: (text) => {
      if (text === null) return { value: fallback };
      // Digits alone: `Number` takes "0x10" and "1e3" as well, and blanks for 0.
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return { value };
      return { reason: `is "${text}"`, remedy: `it must be a whole number from ${min} to ${max}` };
    },
  };
}

export function choice<const Value extends string>(
  name: string,
  rule: Described & { readonly values: readonly Value[]; readonly fallback: NoInfer<Value> },
): Setting<Value> {
  const { fallback, values } = rule;
  return {
    name,
    ...describe(rule),
    range: values.join(', '),
    fallback,
    read: (text) => {
      if (text === null) return { value: fallback };
      const value = values.find((one) => one === text);
      if (value !== undefined) return { value };
      return { reason: `is "${text}"`, remedy: `it must be one of ${values.join(', ')}` };
    },
  };
}

export function onOff(name: string, rule: Described & { readonly fallback: boolean }): Setting<boolean> {
  const { fallback } = rule;
  return {
    name,
    ...describe(rule),
    range: 'on, off',
    fallback: fallback ? 'on' : 'off',
    read: (given) => {
      if (given === null) return { value: fallback };
      if (given === 'on' || given === 'off') return { value: given === 'on' };
      return { reason: `is "${given}"`, remedy: 'it must be one of on, off' };
    },
  };
}

/** A choice without a default. @param rule.missing what to do when nothing is set */
export function required<const Value extends string>(
  name: string,
  rule: Described & { readonly values: readonly Value[]; readonly missing: string },
): Setting<Value> {
  const { missing, values } = rule;
  return {
    name,
    ...describe(rule),
    range: values.join(', '),
    fallback: '',
    read: (given) => {
      const value = values.find((one) => one === given);
      if (value !== undefined) return { value };
      if (given === null) return { reason: 'is missing', remedy: missing };
      return { reason: `is "${given}"`, remedy: `it must be ${values.join(' or ')}` };
    },
  };
}

/** @param rule.check what is wrong with a text, also with a missing one; null when nothing is */
export function plainText(
  name: string,
  rule: Described & {
    readonly range: string;
    readonly fallback: string;
    readonly check?: (text: string) => { reason: string; remedy: string } | null;
  },
): Setting<string> {
  return {
    name,
    ...describe(rule),
    range: rule.range,
    fallback: rule.fallback,
    read: (given) => {
      const value = given ?? rule.fallback;
      return rule.check?.(value) ?? { value };
    },
  };
}

/** @param rule.check what is wrong with one entry; null when nothing is */
export function commaList(
  name: string,
  rule: Described & {
    readonly range: string;
    readonly check: (entry: string) => { reason: string; remedy: string } | null;
  },
): Setting<readonly string[]> {
  return {
    name,
    ...describe(rule),
    range: rule.range,
    fallback: '',
    read: (given) => {
      const value = (given ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean);
      for (const entry of value) {
        const fault = rule.check(entry);
        if (fault) return fault;
      }
      return { value };
    },
  };
}

/** A variable that always names a file: its lines, without blanks, in lower case. */
export function linesOfFile(name: string, rule: Described): Setting<ReadonlySet<string>> {
  return {
    name,
    ...describe(rule),
    range: 'path of a file',
    fallback: '',
    read: (path) => {
      if (path === null) return { value: new Set() };
      const read = readTextFile(path);
      if (!('value' in read)) return read;
      const lines = read.value.split('\n').map((line) => line.trim().normalize('NFKC').toLowerCase());
      return { value: new Set(lines.filter(Boolean)) };
    },
  };
}

/** A file that holds a secret or a list; blanks around it do not count. */
export function readTextFile(path: string): Read<string> {
  try {
    const text = decodeUtf8(readFileSync(path));
    if (typeof text === 'string') return { value: text.trim() };
    return {
      reason: `names the file ${path}, whose line ${text.line} ${text.reason.split(';', 1)[0]}`,
      remedy: 'save it as UTF-8',
    };
  } catch {
    return {
      reason: `names the file ${path}, which cannot be read`,
      remedy: 'name a file that the account of the shop may read',
    };
  }
}
