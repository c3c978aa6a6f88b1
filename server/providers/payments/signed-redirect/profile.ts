// Declares the differences that a provider with a signed redirect and a signed notice may have. Everything is a setting
// in text; a provider brings its own defaults.

/** Describes one provider of this family: its name and the usual words of its contract. */
export type Profile = {
  /** Folder name and prefix of the settings: "funtap". */
  readonly name: string;
  /** As people write it: "FunTap". */
  readonly title: string;
  /** Currencies it takes at all, whatever an operator sets; null: those of the setting CURRENCIES. */
  readonly currencies: readonly string[] | null;
  readonly defaults: Readonly<Partial<Record<SettingName, string>>>;
};

export type SettingName = keyof typeof COMMON;

/**
 * Defaults of the family; an empty text means "not set". Nothing here is published by a provider: the numbers
 * and words are our own design of the smallest plausible contract, to be fitted to the operator's document.
 */
export const COMMON = {
  CREATE_URL: '',
  QUERY_URL: '',
  REFUND_URL: '',
  MERCHANT_ID: '',
  SECRET: '',
  PUBLIC_KEY: '',
  CURRENCIES: '',
  PAY_HOSTS: '',
  MODE: 'server_create',
  ENCODING: 'form',
  SIGN_TYPE: 'HMAC-SHA256',
  SIGN_CASE: 'lower',
  SIGN_ENCODING: 'hex',
  SECRET_POSITION: 'hmac',
  CANONICAL: 'sorted_pairs',
  SIGN_FIELDS_CREATE: '',
  SIGN_FIELDS_NOTIFY: '',
  SIGN_FIELDS_QUERY: '',
  SIGN_FIELDS_REFUND: '',
  SKIP_EMPTY: 'true',
  FIELD_MAP: '',
  AMOUNT_FORMAT: 'minor_int',
  DECIMALS: '',
  STATUS_MAP:
    'WAITING=pending,PENDING=pending,SUCCESS=paid,FAIL=failed,CANCEL=failed,EXPIRED=expired,REFUNDED=refunded',
  OK_CODE: '0',
  DUPLICATE_CODES: '',
  NOT_FOUND_CODES: '',
  ACK_OK: 'success',
  ACK_FAIL: 'fail',
  ACK_CONTENT_TYPE: 'text/plain',
  IP_ALLOW: '',
  MAX_SKEW_S: '300',
};

/** Words that a setting may hold. */
export const CHOICES = {
  MODE: ['server_create', 'browser_redirect'],
  ENCODING: ['form', 'json', 'query'],
  SIGN_TYPE: ['HMAC-SHA256', 'SHA256', 'MD5', 'RSA-SHA256'],
  SIGN_CASE: ['lower', 'upper'],
  SIGN_ENCODING: ['hex', 'base64'],
  SECRET_POSITION: ['hmac', 'suffix_key', 'suffix_raw', 'prefix_raw'],
  CANONICAL: ['sorted_pairs', 'sorted_values', 'listed_pairs', 'listed_values'],
  SKIP_EMPTY: ['true', 'false'],
  AMOUNT_FORMAT: ['minor_int', 'major_decimal'],
} as const satisfies Partial<Record<SettingName, readonly string[]>>;

/** A word of theirs may mean one of these. */
export const STATUSES = ['paid', 'failed', 'expired', 'declined', 'refunded', 'pending'] as const;

/** @source ISO 4217 has currencies of 0 to 3 decimals among those of kernel/currencies.ts */
export const DECIMALS = ['0', '1', '2', '3'] as const;

/** Our names of everything that is sent or read; FIELD_MAP gives theirs. */
export const FIELDS = [
  'merchant_id', 'order_no', 'amount', 'currency', 'product_name', 'user_id', 'return_url', 'notify_url', 'timestamp', 'nonce', 'sign_type', 'sign',
  'provider_order_no', 'status', 'paid_at', 'code', 'message', 'pay_url', 'refund_no', 'reason',
] as const; /* a row a line */ // prettier-ignore

export type Field = (typeof FIELDS)[number];

/** Kinds of messages that are signed; a list of signed fields belongs to one of them. */
export type Message = 'create' | 'notify' | 'query' | 'refund';
