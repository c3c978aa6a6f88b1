// Compares a module's exports with the ports, as far as that is possible without calling it.
import { LOGIN_KINDS } from '#contracts/logins.ts';
import { SETTING_FORMS, type SettingForm } from '#kernel/setting-form.ts';
import { type OwnModule, PORTS_VERSION } from './module-types.ts';

const KEYS = ['ports', 'payments', 'logins', 'gameProtocols'];
const NAME = /^[a-z][a-z0-9]{1,19}$/;
const AMOUNT_FORMS = ['decimal-text', 'decimal-number', 'minor-units'];

type Fields = Readonly<Record<string, unknown>>;

/** @returns why it cannot be taken and what to do, or null */
export function findModuleFault(exported: unknown): string | null {
  if (!isObject(exported)) return 'has no default export; export default { ports: 1, ... }';
  const { ports } = exported;
  if (ports !== PORTS_VERSION) {
    if (ports === undefined)
      return `does not say for which ports it was written; export default { ports: ${PORTS_VERSION}, ... }`;
    return (
      `is written for ports ${JSON.stringify(ports)}, and this Refill has ports ${PORTS_VERSION}; take a version ` +
      `of it for ports ${PORTS_VERSION}`
    );
  }
  const strange = Object.keys(exported).find((key) => !KEYS.includes(key));
  if (strange) return `exports "${strange}", which is no part of it; known are ${KEYS.join(', ')}`;
  const { gameProtocols = [], logins = [], payments = [] } = exported;
  if (!Array.isArray(payments) || !Array.isArray(logins) || !Array.isArray(gameProtocols))
    return 'must bring lists: payments, logins, gameProtocols';
  if (payments.length + logins.length + gameProtocols.length === 0)
    return 'brings nothing; give it payments, logins or gameProtocols';
  return (
    firstFault('payments', payments, findPaymentFault) ??
    firstFault('logins', logins, findLoginFault) ??
    firstFault('gameProtocols', gameProtocols, findProtocolFault)
  );
}

/** After `findModuleFault` said null. */
export const asModule = (exported: unknown): OwnModule => exported as OwnModule;

function firstFault(list: string, entries: readonly unknown[], find: (entry: Fields) => string | null): string | null {
  for (const [index, entry] of entries.entries()) {
    const reason = isObject(entry) ? (findNameFault(entry) ?? find(entry)) : 'is no object; give it as its port says';
    if (reason) return `${list}[${index}] ${reason}`;
  }
  return null;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function findNameFault({ name }: Fields): string | null {
  if (typeof name === 'string' && NAME.test(name)) return null;
  return `has the name ${JSON.stringify(name)}; give one of 2 to 20 small letters and digits, beginning with a letter`;
}

function findPaymentFault(entry: Fields): string | null {
  const lacking = findLacking(entry, [
    'supportsCurrency',
    'accountOf',
    'apiHosts',
    'payHosts',
    'create',
    'query',
    'readCallback',
  ]);
  if (lacking) return lacking;
  if (entry['internalTender'] !== undefined)
    return 'has an internalTender, which only the product itself has; remove it';
  if (!AMOUNT_FORMS.includes(String(entry['amountForm'])))
    return `has no amountForm; give one of ${AMOUNT_FORMS.join(', ')}`;
  if (!Number.isInteger(entry['payableForSeconds'])) return 'has no payableForSeconds; give a whole number';
  const repeats = entry['repeatsCallbacksForSeconds'];
  if (repeats !== undefined && !(Number.isInteger(repeats) && Number(repeats) >= 0))
    return 'has a repeatsCallbacksForSeconds that is no whole number from 0; give one, or leave it out';
  if (!Array.isArray(entry['signedHeaders'])) return 'has no signedHeaders; give a list, empty for none';
  return findSettingsFault(entry);
}

function findLoginFault(entry: Fields): string | null {
  const { kind } = entry;
  if (!LOGIN_KINDS.some((one) => one === kind))
    return `has the kind ${JSON.stringify(kind)}; give one of ${LOGIN_KINDS.join(', ')}`;
  return findLacking(entry, ['open']) ?? findSettingsFault(entry);
}

const findProtocolFault = (entry: Fields): string | null => findLacking(entry, ['open']);

function findLacking(entry: Fields, functions: readonly string[]): string | null {
  const lacking = functions.find((name) => typeof entry[name] !== 'function');
  return lacking ? `(${String(entry['name'])}) has no function ${lacking}; add it as its port says` : null;
}

function isForm(form: unknown): boolean {
  if (!isObject(form) || !SETTING_FORMS.some((kind) => kind === form['kind'])) return false;
  switch (form['kind'] as SettingForm['kind']) {
    case 'whole':
      return Number.isSafeInteger(form['min']) && Number.isSafeInteger(form['max']);
    case 'choice':
      return Array.isArray(form['values']);
    case 'other':
      return typeof form['one'] === 'string' && typeof form['fits'] === 'function';
    case 'list':
      return isForm(form['of']);
    case 'pairs':
      return isForm(form['name']) && isForm(form['value']);
    default:
      return true;
  }
}

function findSettingsFault({ name, settings }: Fields): string | null {
  const isDeclared = (setting: unknown): boolean =>
    isObject(setting) &&
    /^[A-Z][A-Z0-9_]*$/.test(String(setting['name'])) &&
    typeof setting['isRequired'] === 'boolean' &&
    typeof setting['isSecret'] === 'boolean' &&
    typeof setting['about'] === 'string' &&
    (setting['form'] === undefined || isForm(setting['form']));
  if (Array.isArray(settings) && settings.every(isDeclared)) return null;
  return (
    `(${String(name)}) must declare its settings, each with name (capitals), isRequired, isSecret and about, and ` +
    'perhaps a form of those that the ports know; an empty list for none'
  );
}
