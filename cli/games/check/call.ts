// Calls a game's server by the contract as the shop does, and, where a case wants it, wrongly: another secret, another
// time, other bytes than those that were signed.
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { createWebhookSigner } from '#server/platform/outbound/webhook-signature.ts';

/** A case changes these of a right call. */
export type Changes = {
  /** The `webhook-id`; a fresh one unless given. */
  readonly id?: string;
  /** Seconds that the timestamp is away from now; below nothing is the past. */
  readonly secondsOff?: number;
  /** `whsec_...` to sign with instead of the game's own. */
  readonly secret?: string;
  /** The whole header `webhook-signature`, made of the right one. */
  readonly signature?: (right: string) => string;
  /** The id that is signed, where it is not the one that is sent. */
  readonly signedId?: string;
  /** A header that is left out. */
  readonly without?: 'webhook-id' | 'webhook-timestamp' | 'webhook-signature';
  /** The bytes that are signed and sent, instead of the content as JSON. */
  readonly text?: string;
  /** The bytes that are sent after the text was signed. */
  readonly sent?: string;
  /** Hangs up as soon as everything is sent, without waiting for an answer. */
  readonly isCut?: boolean;
};

export type Answer = {
  readonly status: number;
  readonly text: string;
  /** The answer as JSON; undefined when it is none. */
  readonly body: unknown;
  readonly milliseconds: number;
};

/** A call that came to no answer: its message says why. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** @source docs/game-server-contract.md, "Requests": the shop waits 10 seconds for the whole answer */
const LONGEST_MS = 10_000;
/** Time in which the last byte certainly went out over any network before a cut call hangs up. */
const CUT_AFTER_MS = 50;

export type Caller = (verb: string, content: object, changes?: Changes) => Promise<Answer>;

/**
 * @param base what the verbs are appended to
 * @param secret `whsec_...`
 * @param onAnswer told of each answer, for the times
 */
export function createCaller(base: string, secret: string, onAnswer: (verb: string, answer: Answer) => void): Caller {
  const address = base.replace(/(?<!\/)\/+$/, '');
  return async (verb, content, changes = {}) => {
    const id = changes.id ?? `check-${randomUUID()}`;
    const signedAt = new Date(Date.now() + (changes.secondsOff ?? 0) * 1000);
    const text = changes.text ?? JSON.stringify(content);
    const right = createWebhookSigner(changes.secret ?? secret)(changes.signedId ?? id, signedAt, text);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
      'webhook-signature': changes.signature?.(right) ?? right,
    };
    if (changes.without) delete headers[changes.without];
    const begun = performance.now();
    try {
      const answer = await request(`${address}/${verb}`, {
        method: 'POST',
        headers,
        body: changes.sent ?? text,
        signal: AbortSignal.timeout(changes.isCut ? CUT_AFTER_MS : LONGEST_MS),
      });
      const said = await answer.body.text();
      const milliseconds = performance.now() - begun;
      const result = { status: answer.statusCode, text: said, body: parse(said), milliseconds };
      onAnswer(verb, result);
      return result;
    } catch (error) {
      throw new NoAnswer(explain(error, address));
    }
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explain(error: unknown, address: string): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === 'TimeoutError') return `no answer within ${LONGEST_MS / 1000} seconds`;
  if (code === 'ECONNREFUSED') return `nothing listens at ${address}`;
  if (code === 'ENOTFOUND') return `the host of ${address} is not known`;
  return `the connection failed: ${message ?? String(error)}`;
}
