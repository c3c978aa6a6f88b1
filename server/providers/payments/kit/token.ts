// Access tokens of providers' interfaces: fetched once, kept until shortly before they end, one question for however
// many calls wait for it. How a token is asked for and read is the adapter's.
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';

/** Our choice: a call that starts with a token must end before it expires; calls take 10 s at most. */
const EARLY_MS = 60_000;

export type TokenRules = {
  /** The provider's name in a sentence. */
  readonly title: string;
  /** Names the credentials: a token is kept for these alone. */
  readonly keyOf: (context: ProviderContext) => string;
  readonly ask: (context: ProviderContext) => Promise<OutboundAnswer>;
  /** The token of an answer and when it ends (epoch milliseconds); null when it gave none. */
  readonly read: (answer: OutboundAnswer, now: number) => { readonly token: string; readonly endsAt: number } | null;
};

// One fetch at a time for each process memory and key.
const underway = new WeakMap<ProviderContext['cache'], Map<string, Promise<string>>>();

/**
 * Makes a call with a token; on 401 the token is renewed once.
 * @throws OutboundError when there is no answer. No token counts as never sent: nothing but the token was asked for.
 */
export async function callWithToken(
  rules: TokenRules,
  context: ProviderContext,
  send: (token: string) => Promise<OutboundAnswer>,
): Promise<OutboundAnswer> {
  const token = await tokenOf(rules, context);
  const answer = await send(token);
  if (answer.status !== 401) return answer;
  const key = rules.keyOf(context);
  // Another call may have renewed it meanwhile.
  if (context.cache.get(key)?.value === token) context.cache.delete(key);
  return send(await tokenOf(rules, context));
}

async function tokenOf(rules: TokenRules, context: ProviderContext): Promise<string> {
  const key = rules.keyOf(context);
  const kept = context.cache.get(key);
  if (kept && kept.expiresAt > context.now()) return kept.value;
  const waiting = underway.get(context.cache) ?? new Map<string, Promise<string>>();
  underway.set(context.cache, waiting);
  const fetching = waiting.get(key) ?? fetchToken(rules, context).finally(() => waiting.delete(key));
  waiting.set(key, fetching);
  return fetching;
}

async function fetchToken(rules: TokenRules, context: ProviderContext): Promise<string> {
  const answer = await rules.ask(context).catch((error: unknown) => {
    throw error instanceof OutboundError ? new OutboundError(error.reason, false, error.message) : error;
  });
  const found = rules.read(answer, context.now());
  if (!found) throw new OutboundError('network', false, `${rules.title} gave no token (it answered ${answer.status})`);
  context.cache.set(rules.keyOf(context), { value: found.token, expiresAt: found.endsAt - EARLY_MS });
  return found.token;
}
