// The operator's own real-name service: one signed JSON call (docs/real-names.md), the same as a game's but for the
// brand's name in it.
import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { RealNameChecker, RealNameOutcome } from '#server/modules/realname/realname-port.ts';
import { type Outbound, OutboundError } from '#server/platform/outbound/outbound.ts';
import { createWebhookSigner } from '#server/platform/outbound/webhook-signature.ts';

/** As the game server contract has it: a player is waiting. */
const TIMEOUT_MS = 10_000;

/** @source docs/real-names.md */
const Answer = Compile(
  Type.Union([
    Type.Object({ status: Type.Literal('ok'), verified: Type.Literal(true) }),
    Type.Object({ status: Type.Literal('ok'), verified: Type.Literal(false), url: Type.String({ maxLength: 2000 }) }),
    Type.Object({ status: Type.Literal('declined'), reason: Type.Optional(Type.String({ maxLength: 200 })) }),
  ]),
);

/**
 * @param secrets `whsec_...`, the first signs
 * @throws Error when the first secret is missing or not base64
 */
export function createOperatorRealNames(options: {
  url: string;
  secrets: readonly string[];
  outbound: Outbound;
  now: () => number;
}): RealNameChecker {
  const [secret] = options.secrets;
  if (!secret) throw new Error('the real-name service needs at least one secret (whsec_...)');
  const sign = createWebhookSigner(secret);
  return {
    sourceOf: () => 'operator',
    check: async ({ brandKey, clientId, userId, returnUrl }) => {
      const body = JSON.stringify({ brand: brandKey, client_id: clientId, user_id: userId, return_url: returnUrl });
      const id = `msg_${randomUUID()}`;
      const signedAt = new Date(options.now());
      try {
        const { status, text } = await options.outbound(options.url, {
          method: 'POST',
          timeoutMs: TIMEOUT_MS,
          body,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
            'webhook-signature': sign(id, signedAt, body),
          },
        });
        return readAnswer(status, text);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        return { kind: 'unknown', reason: error.message };
      }
    },
  };
}

/** Whatever is no clear answer is unknown: nobody is verified by a guess. */
export function readAnswer(status: number, text: string): RealNameOutcome {
  const value = parse(text);
  if (status < 200 || status > 299 || !Answer.Check(value))
    return { kind: 'unknown', reason: `the real-name service answered ${status}, not what docs/real-names.md says` };
  if (value.status === 'declined') return { kind: 'refused', reason: value.reason ?? 'no_reason' };
  return value.verified ? { kind: 'verified' } : { kind: 'unfinished', url: value.url };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
