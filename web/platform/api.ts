// The one way to the server: a typed call of a contract's route, with a typed outcome instead of exceptions.
import { CODES, type CodeName, nameOfCode } from '#contracts/errors.ts';
import type { Envelope } from '#contracts/envelope.ts';
import type { InputOf, OutputOf, Route } from '#contracts/route.ts';
import { currentHost } from './hosts.ts';
import { currentLanguage } from './i18n.ts';

/** @source specification section 7: "Request timeout is 10 s" */
const TIMEOUT_MS = 10_000;

export type Outcome<Content> =
  | { kind: 'ok'; content: Content }
  /** The server answered, but not with success. `name` is null for a code this version does not know. `msg` is for the player. */
  | { kind: 'code'; name: CodeName | null; code: number; msg: string; content: Content | null }
  /** No answer: offline, time over, or something that is not ours answered. Whether the call took effect is unknown. */
  | { kind: 'network' };

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** For changes: the same key makes the same order, however often it is sent. Made up when left out. */
  idempotencyKey?: string | undefined;
};

/**
 * Calls a route. Reads go as GET with a query, changes as POST with JSON and the header that other pages cannot send.
 * Never throws, but for a signal that was aborted by the caller.
 */
export async function call<R extends Route>(
  route: R,
  input: InputOf<R>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<Outcome<OutputOf<R>>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  // A backup answers what anybody may read. No cookie goes there, so whatever needs the player is our own host's: there it would look
  // like a lost login, and a change like one of a stranger.
  const host = route.kind === 'read' && route.access === 'anyone' ? currentHost() : '';
  const fields = { spec_lang: currentLanguage(), ...dropEmpty(input) };
  try {
    const answer = await fetch(host + (route.kind === 'read' ? `${route.path}?${writeFields(fields)}` : route.path), {
      ...(route.kind === 'read' ? { method: 'GET' } : postOf(fields, idempotencyKey ?? newKey())),
      credentials: host === '' ? 'same-origin' : 'omit',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return readAnswer(await answer.json());
  } catch (error) {
    if (signal?.aborted) throw error;
    return { kind: 'network' };
  }
}

/** A fresh Idempotency-Key: 128 random bits. Not randomUUID, which plain-http pages do not have. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function postOf(fields: object, key: string): RequestInit {
  const headers = { 'Content-Type': 'application/json', 'X-Refill': '1', 'Idempotency-Key': key };
  return { method: 'POST', headers, body: JSON.stringify(fields) };
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
