// Reads the settings of a provider of this family, once for each call. Throws one clear sentence for what cannot
// work or would prove nothing.
import type { Environment } from '#kernel/environment.ts';
import { type Currency, isCurrency } from '#kernel/money.ts';
import type { PaymentStatus } from '#server/modules/payments/provider.ts';
import { commaList } from '#server/providers/payments/kit/settings.ts';
import {
  CHOICES,
  COMMON,
  DECIMALS,
  type Field,
  FIELDS,
  type Message,
  type Profile,
  type SettingName,
  STATUSES,
} from './profile.ts';

export type Options = {
  readonly title: string;
  readonly createUrl: string;
  /** Null where the contract has no such call. */
  readonly queryUrl: string | null;
  readonly refundUrl: string | null;
  readonly merchantId: string;
  readonly secret: string;
  readonly publicKey: string;
  readonly payHosts: readonly string[];
  readonly currencies: readonly Currency[];
  readonly start: 'server_create' | 'browser_redirect';
  readonly encoding: 'form' | 'json' | 'query';
  readonly signType: 'HMAC-SHA256' | 'SHA256' | 'MD5' | 'RSA-SHA256';
  readonly signCase: 'lower' | 'upper';
  readonly signEncoding: 'hex' | 'base64';
  readonly secretPosition: 'hmac' | 'suffix_key' | 'suffix_raw' | 'prefix_raw';
  readonly canonical: 'sorted_pairs' | 'sorted_values' | 'listed_pairs' | 'listed_values';
  readonly signFields: Readonly<Record<Message, readonly string[]>>;
  readonly skipEmpty: boolean;
  readonly names: Readonly<Record<Field, string>>;
  readonly amountFormat: 'minor_int' | 'major_decimal';
  readonly decimals: Readonly<Record<string, number>>;
  readonly statuses: ReadonlyMap<string, PaymentStatus>;
  readonly okCode: string;
  readonly duplicateCodes: readonly string[];
  readonly notFoundCodes: readonly string[];
  readonly ackOk: string;
  readonly ackFail: string;
  readonly ackContentType: string;
  readonly ipAllow: readonly string[];
  /** Seconds; 0: not looked at. */
  readonly maxSkewS: number;
};

type Given = Readonly<Record<string, string>>;

/** Throws an Error whose message is for the operator. */
export function readOptions(profile: Profile, given: Given, environment: Environment): Options {
  const text = (name: SettingName) => given[name] || (profile.defaults[name] ?? COMMON[name]);
  const fault = (sentence: string) => new Error(`${profile.title}: ${sentence}`);
  const oneOf = <Name extends keyof typeof CHOICES>(name: Name): (typeof CHOICES)[Name][number] => {
    const choices: readonly (typeof CHOICES)[Name][number][] = CHOICES[name];
    const found = choices.find((choice) => choice === text(name));
    if (found === undefined) throw fault(`${name} must be one of ${choices.join(', ')}`);
    return found;
  };
  const pairsOf = (name: SettingName) => readPairs(text(name), (reason) => fault(`${name} ${reason}`));
  const address = (name: SettingName): string | null => {
    if (text(name) === '') return null;
    const url = URL.canParse(text(name)) ? new URL(text(name)) : null;
    if (!url || !/^https?:$/.test(url.protocol)) throw fault(`${name} is no address`);
    if (environment === 'live' && url.protocol !== 'https:')
      throw fault(`${name} must begin with https on the live side`);
    return url.href;
  };
  const wholeNumber = (name: SettingName): number => {
    if (!/^\d{1,6}$/.test(text(name))) throw fault(`${name} must be a whole number`);
    return Number(text(name));
  };
  const createUrl = address('CREATE_URL');
  if (createUrl === null || text('SECRET') === '' || text('MERCHANT_ID') === '')
    throw fault('CREATE_URL, MERCHANT_ID and SECRET are needed');
  const hosts = commaList(text('PAY_HOSTS')).map((host) => host.toLowerCase());
  const options: Options = {
    title: profile.title,
    createUrl,
    queryUrl: address('QUERY_URL'),
    refundUrl: address('REFUND_URL'),
    merchantId: text('MERCHANT_ID'),
    secret: text('SECRET'),
    publicKey: text('PUBLIC_KEY'),
    payHosts: hosts.length > 0 ? hosts : [new URL(createUrl).host],
    currencies: readCurrencies(profile.currencies ?? commaList(text('CURRENCIES')), fault),
    start: oneOf('MODE'),
    encoding: oneOf('ENCODING'),
    signType: oneOf('SIGN_TYPE'),
    signCase: oneOf('SIGN_CASE'),
    signEncoding: oneOf('SIGN_ENCODING'),
    secretPosition: oneOf('SECRET_POSITION'),
    canonical: oneOf('CANONICAL'),
    signFields: {
      create: commaList(text('SIGN_FIELDS_CREATE')),
      notify: commaList(text('SIGN_FIELDS_NOTIFY')),
      query: commaList(text('SIGN_FIELDS_QUERY')),
      refund: commaList(text('SIGN_FIELDS_REFUND')),
    },
    skipEmpty: oneOf('SKIP_EMPTY') === 'true',
    names: readNames(pairsOf('FIELD_MAP'), fault),
    amountFormat: oneOf('AMOUNT_FORMAT'),
    decimals: readDecimals(pairsOf('DECIMALS'), fault),
    statuses: new Map(
      pairsOf('STATUS_MAP').map(([word, ours]) => {
        const status = STATUSES.find((one) => one === ours);
        if (!status) throw fault(`STATUS_MAP gives "${word}" the status "${ours}"; there are ${STATUSES.join(', ')}`);
        return [word, status];
      }),
    ),
    okCode: text('OK_CODE'),
    duplicateCodes: commaList(text('DUPLICATE_CODES')),
    notFoundCodes: commaList(text('NOT_FOUND_CODES')),
    ackOk: text('ACK_OK'),
    ackFail: text('ACK_FAIL'),
    ackContentType: text('ACK_CONTENT_TYPE'),
    ipAllow: commaList(text('IP_ALLOW')),
    maxSkewS: wholeNumber('MAX_SKEW_S'),
  };
  const weakness = findWeakness(options);
  if (weakness) throw fault(weakness);
  return options;
}

/** Settings under which anybody could sign, or a right signature would not prove what was paid. */
function findWeakness(options: Options): string | null {
  const { canonical, currencies, names, secretPosition, signFields, signType } = options;
  if (currencies.length === 0) return 'CURRENCIES names no currency this shop has';
  const isPlainHash = signType === 'MD5' || signType === 'SHA256';
  if (isPlainHash && secretPosition === 'hmac')
    return `${signType} needs SECRET_POSITION suffix_key, suffix_raw or prefix_raw, or it would hold no secret`;
  if (!isPlainHash && secretPosition !== 'hmac') return `${signType} needs SECRET_POSITION hmac`;
  if (!canonical.startsWith('listed')) return null;
  if (signFields.create.length === 0) return `CANONICAL ${canonical} needs SIGN_FIELDS_CREATE`;
  if (options.queryUrl !== null && signFields.query.length === 0)
    return `CANONICAL ${canonical} needs SIGN_FIELDS_QUERY`;
  if (options.refundUrl !== null && signFields.refund.length === 0)
    return `CANONICAL ${canonical} needs SIGN_FIELDS_REFUND`;
  const proving: Field[] = ['order_no', 'amount', 'status', ...(currencies.length > 1 ? (['currency'] as const) : [])];
  const missing = proving.filter((field) => !signFields.notify.includes(names[field]));
  if (missing.length > 0)
    return `SIGN_FIELDS_NOTIFY leaves out ${missing.join(', ')}: such a notice would prove nothing`;
  return null;
}

/** One that is left out here would be a payment that cannot be made, and nobody would be told why. */
function readCurrencies(codes: readonly string[], fault: (sentence: string) => Error): Currency[] {
  const unknown = codes.find((code) => !isCurrency(code));
  if (unknown !== undefined) throw fault(`CURRENCIES names ${unknown}, which this shop does not have`);
  return codes.filter(isCurrency);
}

/** Digits alone: `Number` takes nothing for 0, and what is charged would be a hundredth. */
function readDecimals(
  pairs: readonly (readonly [code: string, digits: string])[],
  fault: (sentence: string) => Error,
): Record<string, number> {
  return Object.fromEntries(
    pairs.map(([code, digits]) => {
      if (!isCurrency(code)) throw fault(`DECIMALS names ${code}, which is no currency; write e.g. IDR=0`);
      const count = DECIMALS.indexOf(digits as (typeof DECIMALS)[number]);
      if (count < 0) throw fault(`DECIMALS must be 0 to 3, and ${code} has "${digits}"`);
      return [code, count];
    }),
  );
}

function readNames(
  pairs: readonly (readonly [ours: string, theirs: string])[],
  fault: (sentence: string) => Error,
): Record<Field, string> {
  const theirs = new Map(pairs);
  for (const ours of theirs.keys())
    if (!FIELDS.some((field) => field === ours)) throw fault(`FIELD_MAP knows no field "${ours}"`);
  const names = FIELDS.map((field) => [field, theirs.get(field) ?? field] as const);
  if (new Set(names.map(([, name]) => name)).size < FIELDS.length) throw fault('FIELD_MAP gives two fields one name');
  return Object.fromEntries(names) as Record<Field, string>;
}

/** Each name once, with one value. */
function readPairs(text: string, fault: (reason: string) => Error): [name: string, value: string][] {
  const names = new Set<string>();
  return commaList(text).map((part) => {
    const [name = '', value = '', ...more] = part.split('=').map((side) => side.trim());
    if (name === '' || value === '' || more.length > 0) throw fault(`has "${part}"; write name=value`);
    if (names.has(name)) throw fault(`has ${name} twice`);
    names.add(name);
    return [name, value];
  });
}
