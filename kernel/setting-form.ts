// How the value of a setting of a provider or login must be written, as its declaration says. Pure; what stands in no
// form is any text.
import { isCurrency } from './money.ts';

/** One value, or one entry of a list. */
export type EntryForm =
  /** Digits alone, so that what is charged or waited for is what was read. `max` is at most 15 digits long. */
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** `host`: as `URL.host` writes it. `ip`: a whole address, no network. `currency`: ISO 4217, in capitals. */
  | { readonly kind: 'address' | 'host' | 'ip' | 'currency' | 'text' }
  /** `one` and `many` go on after "must be": "64 hex digits". */
  | { readonly kind: 'other'; readonly one: string; readonly many?: string; readonly fits: (text: string) => boolean };

/** `list`: entries by commas, at least one. `pairs`: `name=value` by commas, each name once. */
export type SettingForm =
  | EntryForm
  | { readonly kind: 'list'; readonly of: EntryForm }
  | { readonly kind: 'pairs'; readonly name: EntryForm; readonly value: EntryForm };

export const SETTING_FORMS = [
  'whole',
  'choice',
  'address',
  'host',
  'ip',
  'currency',
  'text',
  'other',
  'list',
  'pairs',
] as const satisfies readonly SettingForm['kind'][];

/** Adapters call what leads to the provider like this. */
const IS_ADDRESS = /(?:^|_)(?:BASE|URL)$/;
const IS_HOSTS = /(?:^|_)HOSTS$/;

/** Returns true when a setting of this name is an address, or a list of hosts, that leads to the provider. */
export const leadsOutside = (name: string): boolean => IS_ADDRESS.test(name) || IS_HOSTS.test(name);

/** As declared, else by the name. Undefined: any text. */
export function formOf({
  form,
  name,
}: {
  readonly form?: SettingForm;
  readonly name: string;
}): SettingForm | undefined {
  if (form) return form;
  if (IS_ADDRESS.test(name)) return { kind: 'address' };
  return IS_HOSTS.test(name) ? { kind: 'list', of: { kind: 'host' } } : undefined;
}

/** As many characters of a wrong value as a line has room for. Our choice. */
const LONGEST_SHOWN = 60;

/** Null for a value that is as it must be. `reason` goes on where the setting's name ends; a secret is never told. */
export function findFormFault(
  form: SettingForm,
  text: string,
  isSecret: boolean,
): { reason: string; remedy: string } | null {
  const wrong = findWrong(form, text);
  if (!wrong) return null;
  if (form.kind === 'address')
    return { reason: 'is no address', remedy: 'write it with https:// in front, or unset it' };
  const shown = wrong.entry.length > LONGEST_SHOWN ? `${wrong.entry.slice(0, LONGEST_SHOWN)}...` : wrong.entry;
  return {
    reason: isSecret ? 'cannot be used' : `${wrong.verb} "${shown}"`,
    remedy: `it must be ${describeForm(form)}`,
  };
}

type Wrong = { readonly verb: 'is' | 'has' | 'has twice'; readonly entry: string };

function findWrong(form: SettingForm, text: string): Wrong | null {
  if (form.kind === 'list') {
    const entries = splitList(text);
    if (entries.length === 0) return { verb: 'is', entry: text };
    const entry = entries.find((one) => !fits(form.of, one));
    return entry === undefined ? null : { verb: 'has', entry };
  }
  if (form.kind !== 'pairs') return fits(form, text) ? null : { verb: 'is', entry: text };
  const pairs = splitList(text).map((entry) => ({ entry, sides: splitPair(entry) }));
  if (pairs.length === 0) return { verb: 'is', entry: text };
  const names = new Set<string>();
  for (const { entry, sides } of pairs) {
    if (!sides || !fits(form.name, sides.name) || !fits(form.value, sides.value)) return { verb: 'has', entry };
    if (names.has(sides.name)) return { verb: 'has twice', entry: sides.name };
    names.add(sides.name);
  }
  return null;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Exactly one sign of equality: behind a second one nobody knows which is meant. */
function splitPair(entry: string): { name: string; value: string } | null {
  const [name = '', value = '', ...more] = entry.split('=').map((side) => side.trim());
  return name === '' || value === '' || more.length > 0 ? null : { name, value };
}

function fits(form: EntryForm, text: string): boolean {
  switch (form.kind) {
    case 'whole':
      return /^(?:0|[1-9]\d{0,14})$/.test(text) && Number(text) >= form.min && Number(text) <= form.max;
    case 'choice':
      return form.values.includes(text);
    case 'address':
      return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
    case 'host':
      return isHost(text);
    case 'ip':
      return isCallerIp(text);
    case 'currency':
      return isCurrency(text);
    case 'text':
      return text !== '';
    case 'other':
      return form.fits(text);
  }
}

/** Another spelling of a host, e.g. with a path or with the port of https, would never equal one of an address. */
function isHost(text: string): boolean {
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null;
  return url?.host === text.toLowerCase() && !text.includes('*');
}

const IP_V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** In the one spelling that a socket tells, for callers are compared by it; one of IPv4 has no IPv6 in front there. */
function isCallerIp(text: string): boolean {
  if (!text.includes(':')) return IP_V4.test(text);
  const url = URL.canParse(`http://[${text}]`) ? new URL(`http://[${text}]`) : null;
  return url?.hostname === `[${text}]` && !text.startsWith('::ffff:');
}

/** Goes on after "must be": "a whole number from 1 to 60", "hosts, e.g. pay.example.com, by commas". */
export function describeForm(form: SettingForm): string {
  if (form.kind === 'list') return `${describeEntry(form.of).many}, by commas`;
  if (form.kind !== 'pairs') return describeEntry(form).one;
  return `name=value by commas, each name once; the name is ${describeEntry(form.name).one}, the value ${
    describeEntry(form.value).one
  }`;
}

function describeEntry(form: EntryForm): { one: string; many: string } {
  const numbered = (noun: string, rest: string) => ({ one: `a ${noun}${rest}`, many: `${noun}s${rest}` });
  switch (form.kind) {
    case 'whole':
      return numbered('whole number', ` from ${form.min} to ${form.max}`);
    case 'choice':
      return { one: `one of ${form.values.join(', ')}`, many: `words of ${form.values.join(', ')}` };
    case 'address':
      return { one: 'an address with its https://', many: 'addresses with their https://' };
    case 'host':
      return numbered('host', ', e.g. pay.example.com or pay.example.com:8443');
    case 'ip':
      return { one: 'an IP address', many: 'IP addresses, e.g. 203.0.113.7' };
    case 'currency':
      return { one: 'a currency of ISO 4217, e.g. USD', many: 'currencies of ISO 4217, e.g. USD' };
    case 'text':
      return { one: 'a text', many: 'texts' };
    case 'other':
      return { one: form.one, many: form.many ?? form.one };
  }
}
