// The one way to the server: a typed call of a contract's route, with a typed outcome instead of exceptions.
import { CODES, type CodeName, nameOfCode } from '#contracts/errors.ts';
import type { Envelope } from '#contracts/envelope.ts';
import { type InputOf, type OutputOf, type Route, isAtBackupHost } from '#contracts/route.ts';
import { heldInFrame } from '../frame.ts';
import { backupToken, currentHost, keepBackupToken } from './hosts.ts';
import { currentLanguage } from '../i18n.ts';

/** @source specification section 7: "Request timeout is 10 s" */
const TIMEOUT_MS = 10_000;

/** As the contract of every call has it; a longer one would be refused with the call. */
const LONGEST_IDFV = 128;

export type Outcome<Content> =
  | { kind: 'ok'; content: Content }
  /**
   * The server answered, but not with success. `name` is null for a code this version does not
   * know. `msg` is for the player.
   */
  | { kind: 'code'; name: CodeName | null; code: number; msg: string; content: Content | null }
  /**
   * No answer: offline, time over, or something that is not ours answered (then with a status). Whether the
   * call took effect is unknown. `request` is the number by which our own host knows it.
   */
  | { kind: 'network'; path?: string; status?: number; request?: string };

let isSessionHere: () => boolean = () => true;

/**
 * Asked before every call: false when the page is about to start again, because the player it
 * knows is not there any more.
 */
export function watchSession(isHere: () => boolean): void {
  isSessionHere = isHere;
}

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** For changes: the same key makes the same order, however often it is sent. Made up when left out. */
  idempotencyKey?: string | undefined;
  /** Of a call whose answer is long; ten seconds unless given. */
  timeoutMs?: number | undefined;
};

/**
 * Calls a route. Reads go as GET with a query, changes as POST with JSON and the header that other pages cannot send.
 * Never throws, but for a signal that was aborted by the caller.
 */
export async function call<R extends Route>(
  route: R,
  input: InputOf<R>,
  { signal, idempotencyKey, timeoutMs = TIMEOUT_MS }: CallOptions = {},
): Promise<Outcome<OutputOf<R>>> {
  if (!isSessionHere()) return { kind: 'network' };
  let status = 0;
  const timeout = AbortSignal.timeout(timeoutMs);
  const { host, token } = placeOf(route);
  const frame = host === '' ? heldInFrame() : null;
  const fields = { spec_lang: currentLanguage(), ...deviceOf(location.search), ...dropEmpty(input) };
  const headers: Record<string, string> = route.kind === 'read' ? {} : headersOfChange(idempotencyKey ?? newKey());
  // At a backup host one more header would cost reads a question beforehand.
  const failed: { path: string; request?: string } = { path: route.path };
  if (host === '') headers['X-Request-Id'] = failed.request = newKey();
  const bearer = token ?? frame?.token;
  if (bearer) headers['Authorization'] = `Bearer ${bearer}`;
  if (frame?.betaKey) headers['X-Refill-Beta'] = frame.betaKey;
  try {
    const answer = await fetch(host + (route.kind === 'read' ? `${route.path}?${writeFields(fields)}` : route.path), {
      ...(route.kind === 'read' ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(fields) }),
      headers,
      // In a frame a cookie of the same browser may be somebody else's.
      credentials: host === '' && !frame ? 'same-origin' : 'omit',
      signal: signal ? firstOf(signal, timeout) : timeout,
    });
    status = answer.status;
    const outcome = readAnswer<OutputOf<R>>(await answer.json());
    if (outcome.kind === 'network') return { ...outcome, ...failed, status };
    return host !== '' && isStranger(answer.status, outcome) ? dropBackupToken() : outcome;
  } catch (error) {
    if (signal?.aborted) throw error;
    return { kind: 'network', ...failed, status };
  }
}

/** Aborted with the first of both: what AbortSignal.any does, which browsers of 2023 do not have. */
function firstOf(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason);
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true, signal: first.signal });
  }
  return first.signal;
}

/**
 * Chooses the host of a call, and the token that names the player there. No cookie goes to a backup host: there it is
 * what anybody may read, and what a player may do while the token for it is good. All else is our own host's: elsewhere
 * it would be a stranger's.
 */
function placeOf(route: Route): { host: string; token: string | null } {
  const own = { host: '', token: null };
  const host = currentHost();
  if (host === '') return own;
  const token = backupToken();
  if (route.access === 'anyone') return isAtBackupHost(route) ? { host, token } : own;
  return token === null || !isAtBackupHost(route) ? own : { host, token };
}

/**
 * Reads the game app's name of its device from the address of this page. The session travels as a cookie, in place of
 * `oauth_token`.
 * @source specification section 7: "Common additions: idfv, spec_lang, oauth_token when available"
 */
function deviceOf(search: string): { idfv?: string } {
  const idfv = new URLSearchParams(search).getAll('idfv').at(-1);
  return idfv && idfv.length <= LONGEST_IDFV ? { idfv } : {};
}

function isStranger(status: number, outcome: Outcome<unknown>): boolean {
  return status === 401 || (outcome.kind === 'code' && outcome.name === 'notLoggedIn');
}

/** The token is over, which says nothing about the player: at our own host they are logged in as before. */
function dropBackupToken(): { kind: 'network' } {
  keepBackupToken(null);
  return { kind: 'network' };
}

/** A fresh Idempotency-Key: 128 random bits. Not randomUUID, which plain-http pages do not have. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function headersOfChange(key: string) {
  return { 'Content-Type': 'application/json', 'X-Refill': '1', 'Idempotency-Key': key };
}

function readAnswer<Content>(answer: unknown): Outcome<Content> {
  if (!isEnvelope<Content>(answer)) return { kind: 'network' };
  const { code, msg, content } = answer;
  if (code === CODES.success.code && content !== null) return { kind: 'ok', content };
  return { kind: 'code', name: nameOfCode(code), code, msg, content };
}

/** A proxy's error page or a captive portal answers as well; only our envelope is an answer. */
function isEnvelope<Content>(answer: unknown): answer is Envelope<Content> {
  return typeof answer === 'object' && answer !== null && 'code' in answer && typeof answer.code === 'number';
}

function dropEmpty(input: unknown): Record<string, unknown> {
  const entries = Object.entries((input ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

function writeFields(fields: Record<string, unknown>): string {
  return new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString();
}
