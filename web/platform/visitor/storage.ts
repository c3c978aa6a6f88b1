// The values a browser keeps between visits, each with the days it may be kept. Falls back to
// memory where storage is shut.
import { DAY_MS } from '#kernel/time.ts';

/**
 * Kept values: the name in the browser and how many days it stays; 0 is for as long as the browser likes.
 * @source specification section 3, "Client-side storage keys"; section 9: "Order info cookie 7
 *   days; backup API list 1 day".
 * The other spans are our choice: a year for settings, thirty days (a session's life) for what belongs to a login;
 * an answer about tracking is asked for again after half a year.
 */
export const STORED = {
  token: { key: 'token', days: 30 },
  userInfo: { key: 'user_info', days: 30 },
  userMap: { key: 'user_map', days: 30 },
  orderInfo: { key: 'order_info', days: 7 },
  gameInfo: { key: 'game_info', days: 30 },
  backupApi: { key: 'backup_api', days: 1 },
  replenishBillingNo: { key: 'replenish_billing_no', days: 1 },
  domainArea: { key: 'domain_area', days: 365 },
  country: { key: 'country', days: 365 },
  betaAccount: { key: 'beta_account', days: 30 },
  autoShowAccumulation: { key: 'auto_show_accumulation', days: 365 },
  language: { key: 'lang', days: 365 },
  trackTimestamp: { key: 'track_timestamp', days: 1 },
  uuid: { key: 'uuid', days: 0 },
  /** The method that was paid with last, for visitors whom the server does not know. Our own key. */
  payMethod: { key: 'pay_method', days: 365 },
  /** A payment was refused for want of a real name: the next login leads to the check. Our own keys. */
  realNameDue: { key: 'real_name_due', days: 1 },
  /** The login that was told of the check. */
  realNameTold: { key: 'real_name_told', days: 30 },
  /** Number of a wish to be erased: what came of it is shown here when the account is gone. Our own key. */
  erasureNo: { key: 'erasure_no', days: 60 },
  trafficSource: { key: 'traffic_source', days: 30 },
  trackConsent: { key: 'track_consent', days: 180 },
  trackedVisit: { key: 'tracked_visit', days: 1 },
  trackWaiting: { key: 'track_waiting', days: 1 },
} as const;

export type StoredName = keyof typeof STORED;

/** Also written as cookies, because the server needs them before a script runs. None is a secret. */
const COOKIES: Partial<Record<StoredName, string>> = {
  language: 'refill_lang',
  domainArea: 'refill_area',
  country: 'refill_country',
};

type Entry = { value: unknown; until: number };

const PREFIX = 'refill.';
const memory = new Map<string, string>();

/** Returns true when the browser keeps anything for us: false in some private modes and with cookies refused. */
export function isStorageOpen(): boolean {
  try {
    localStorage.setItem(`${PREFIX}probe`, '1');
    localStorage.removeItem(`${PREFIX}probe`);
    return navigator.cookieEnabled;
  } catch {
    return false;
  }
}

/**
 * The kept value, or null when there is none or its days are over. Whatever it is, check it: players can write here.
 */
export function load(name: StoredName): unknown {
  const { key } = STORED[name];
  const entry = parse(readRaw(key));
  if (!entry) return null;
  if (entry.until !== 0 && entry.until <= Date.now()) {
    clear(name);
    return null;
  }
  return entry.value;
}

/** The kept value when it is a text, else an empty one. */
export function loadText(name: StoredName): string {
  const value = load(name);
  return typeof value === 'string' ? value : '';
}

/** Keeps a value; `value` must survive JSON. @param days instead of the key's own */
export function save(name: StoredName, value: unknown, days: number = STORED[name].days): void {
  const { key } = STORED[name];
  writeRaw(key, JSON.stringify({ value, until: days === 0 ? 0 : Date.now() + days * DAY_MS } satisfies Entry));
  const cookie = COOKIES[name];
  if (cookie && typeof value === 'string') writeCookie(cookie, value, days);
}

export function clear(name: StoredName): void {
  const { key } = STORED[name];
  memory.delete(key);
  const cookie = COOKIES[name];
  if (cookie) writeCookie(cookie, '', 0);
  dropRaw(key);
}

/** Calls `listener` when another tab changes or removes the value. Returns the way to stop. */
export function watchStored(name: StoredName, listener: (value: unknown) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key: everything was cleared.
    if (event.key === PREFIX + STORED[name].key || event.key === null) listener(load(name));
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

function parse(text: string | null): Entry | null {
  if (text === null) return null;
  try {
    const entry: unknown = JSON.parse(text);
    const isEntry = typeof entry === 'object' && entry !== null && 'value' in entry && 'until' in entry;
    return isEntry && typeof entry.until === 'number' ? (entry as Entry) : null;
  } catch {
    return null;
  }
}

function readRaw(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function writeRaw(key: string, text: string): void {
  try {
    localStorage.setItem(PREFIX + key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text);
    dropRaw(key);
  }
}

/** A value that could not be replaced must not outlive the one in memory. */
function dropRaw(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Shut storage has nothing to remove.
  }
}

function writeCookie(name: string, value: string, days: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const age = Math.round((days * DAY_MS) / 1000);
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Lax; Max-Age=${age}${secure}`;
}
