// An operator's own service for real names, under `/realname`: the wire of docs/real-names.md. It remembers as long
// as it runs.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { rawTextOf } from './kit/bodies.ts';
import type { Clock } from './kit/clock.ts';
import { textAt } from './kit/read.ts';
import { leaveRealNamePage, sendRealNamePage } from './realname-page.ts';

type RealNameAccount = { secret: string };
export const makeRealNameAccount = (): RealNameAccount => ({
  secret: `whsec_${randomBytes(32).toString('base64')}`,
});

export function mountRealName(context: {
  app: FastifyInstance;
  clock: Clock;
  account: RealNameAccount;
  pageOrigin: () => string;
}): { environment: (api: string) => Record<string, string> } {
  const { app, account } = context;
  const verifier = new Webhook(account.secret);
  /** By brand and user: said at the next question; a refusal is said once, so that a player may try again. */
  const results = new Map<string, 'verified' | 'refused'>();
  const keyOf = (from: unknown) => `${textAt(from, 'brand') ?? ''}/${textAt(from, 'user_id') ?? ''}`;

  app.post('/realname/check', (request, reply) => {
    try {
      verifier.verify(rawTextOf(request), request.headers as Record<string, string>, { jsonParse: false });
    } catch {
      return reply.code(401).send({ error: 'invalid_signature' });
    }
    const key = keyOf(request.body);
    const result = results.get(key);
    if (result === 'verified') return { status: 'ok', verified: true };
    if (result === 'refused') {
      results.delete(key);
      return { status: 'declined', reason: 'name_not_confirmed' };
    }
    const url = new URL(`${context.pageOrigin()}/realname/page`);
    for (const name of ['brand', 'user_id', 'return_url']) url.searchParams.set(name, textAt(request.body, name) ?? '');
    return { status: 'ok', verified: false, url: url.href };
  });
  app.get('/realname/page', (request, reply) =>
    sendRealNamePage(reply, '/realname/page', request.query, ['brand', 'user_id', 'return_url']),
  );
  app.post('/realname/page', (request, reply) => {
    const action = textAt(request.body, 'action');
    if (action === 'verify') results.set(keyOf(request.body), 'verified');
    if (action === 'refuse') results.set(keyOf(request.body), 'refused');
    return leaveRealNamePage(reply, textAt(request.body, 'return_url'), action === 'verify');
  });
  return {
    environment: (api) => ({
      REFILL_REALNAME_DEMO_URL: `${api}/realname/check`,
      REFILL_REALNAME_DEMO_SECRETS: account.secret,
    }),
  };
}
