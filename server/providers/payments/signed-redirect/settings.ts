// Declares the settings of a provider of this family, filled from its contract. No reading, no wire.
import type { SettingDeclaration, SettingForm } from '#server/modules/payments/provider.ts';
import { CHOICES, COMMON, DECIMALS, FIELDS, type Profile, type SettingName, STATUSES } from './profile.ts';

const ABOUT: Readonly<Record<SettingName, string>> = {
  CREATE_URL: 'Address that starts a payment, from the contract.',
  QUERY_URL: 'Address that tells the state of a payment; without it only notices tell.',
  REFUND_URL: 'Address that gives money back; without it a person refunds in their console.',
  MERCHANT_ID: 'Our merchant id, from the contract.',
  SECRET: 'Shared secret of the signatures; with RSA-SHA256 our private key, PKCS#8 as PEM or its base64.',
  PUBLIC_KEY: 'With RSA-SHA256: the public key they sign with, as PEM or its base64.',
  CURRENCIES: 'Currencies the contract covers, ISO 4217, separated by commas.',
  PAY_HOSTS: 'Hosts (host or host:port, by commas) a pay link may point to; the host of CREATE_URL unless set.',
  MODE:
    '"server_create" (we call CREATE_URL and get a pay link) or "browser_redirect" (the player is sent to ' +
    'CREATE_URL with the signed order).',
  ENCODING: 'How calls are written: "form", "json" or "query".',
  SIGN_TYPE: '"HMAC-SHA256", "SHA256", "MD5" or "RSA-SHA256".',
  SIGN_CASE: 'Case of hex signatures: "lower" or "upper".',
  SIGN_ENCODING: '"hex" or "base64".',
  SECRET_POSITION:
    'Where the secret goes: "hmac", or with a plain hash "suffix_key" (&key=secret behind), "suffix_raw" or ' +
    '"prefix_raw".',
  CANONICAL: 'What is signed: "sorted_pairs", "sorted_values", "listed_pairs" or "listed_values".',
  SIGN_FIELDS_CREATE: 'With a listed form: their names of the signed fields of the pay call, in order, by commas.',
  SIGN_FIELDS_NOTIFY: 'With a listed form: the signed fields of their notice and of the answer to a query.',
  SIGN_FIELDS_QUERY: 'With a listed form: the signed fields of our query.',
  SIGN_FIELDS_REFUND: 'With a listed form: the signed fields of our refund.',
  SKIP_EMPTY: 'Whether empty values are left out of what is signed: "true" or "false".',
  FIELD_MAP: 'Their names of fields, as ours=theirs by commas: "order_no=orderId,amount=money".',
  AMOUNT_FORMAT: '"minor_int" (whole minor units) or "major_decimal" (1234.50).',
  DECIMALS: 'Decimals of currencies that they write in another way than ISO 4217, as "IDR=0,TWD=0".',
  STATUS_MAP:
    'Their status words, as word=paid, failed, expired, declined, refunded or pending; unknown words are pending.',
  OK_CODE: 'Value of "code" in an answer that means it went well.',
  DUPLICATE_CODES: 'Values of "code" that say the order number was used before, by commas.',
  NOT_FOUND_CODES:
    'Values of "code" that say the order is not known, by commas: with them "refill provider check" tells a ' +
    'right secret from a wrong one.',
  ACK_OK: 'Text a notice is acknowledged with, byte for byte.',
  ACK_FAIL: 'Text a notice is refused with.',
  ACK_CONTENT_TYPE: 'Content type of both texts.',
  IP_ALLOW: 'Addresses their notices come from, by commas; any unless set.',
  MAX_SKEW_S: 'How many seconds the time in a notice may differ from ours; 0 leaves it unlooked at.',
};

const LIST = { kind: 'list', of: { kind: 'text' } } as const;

/** Beside addresses, which their names tell. */
const FORMS: Readonly<Partial<Record<SettingName, SettingForm>>> = {
  ...Object.fromEntries(Object.entries(CHOICES).map(([name, values]) => [name, { kind: 'choice', values }] as const)),
  CURRENCIES: { kind: 'list', of: { kind: 'currency' } },
  SIGN_FIELDS_CREATE: LIST,
  SIGN_FIELDS_NOTIFY: LIST,
  SIGN_FIELDS_QUERY: LIST,
  SIGN_FIELDS_REFUND: LIST,
  FIELD_MAP: { kind: 'pairs', name: { kind: 'choice', values: FIELDS }, value: { kind: 'text' } },
  DECIMALS: { kind: 'pairs', name: { kind: 'currency' }, value: { kind: 'choice', values: DECIMALS } },
  STATUS_MAP: { kind: 'pairs', name: { kind: 'text' }, value: { kind: 'choice', values: STATUSES } },
  DUPLICATE_CODES: LIST,
  NOT_FOUND_CODES: LIST,
  IP_ALLOW: { kind: 'list', of: { kind: 'ip' } },
  MAX_SKEW_S: { kind: 'whole', min: 0, max: 999_999 },
};

const REQUIRED: ReadonlySet<string> = new Set(['CREATE_URL', 'MERCHANT_ID', 'SECRET']);

/** All of them for one provider; CURRENCIES must be given where the provider has none of its own. */
export function settingsOf(profile: Profile): readonly SettingDeclaration[] {
  return (Object.keys(COMMON) as SettingName[]).map((name) => {
    const preset = profile.defaults[name] ?? COMMON[name];
    const form = FORMS[name];
    const isRequired = REQUIRED.has(name) || (name === 'CURRENCIES' && profile.currencies === null);
    return {
      name,
      isRequired,
      isSecret: name === 'SECRET',
      ...(form && { form }),
      about: preset === '' || isRequired ? ABOUT[name] : `${ABOUT[name]} "${preset}" unless set.`,
    };
  });
}
