// Sends Apple's own notices to shops: one signed event by POST, written as the real ones are. @source
// developer.apple.com, "Processing changes for Sign in with Apple accounts"

import type { JsonWebKey } from 'node:crypto';
import { SignJWT, importJWK } from 'jose';
import { request } from 'undici';
import { randomHex } from '#simulators/kit/ids.ts';
import { numberAt, textAt } from '#simulators/kit/read.ts';
import { addressOf } from '#simulators/kit/shop.ts';
import type { IdentityContext } from './context.ts';
import { isTokenFault, spoilToken } from './oidc-keys.ts';

/** @source what was seen of the real ones: developer.apple.com/forums/thread/655485 */
const lifeSeconds = 86_400;

/** The end of the address that an operator registers at Apple. */
const noticePath = '/util/login/notice/ios';

export function mountAppleNotices(
  context: IdentityContext,
  ways: { signingKey: () => JsonWebKey; subjectOf: (name: string) => string },
): void {
  const { app, clock } = context;

  app.post(`/control/login/${context.name}/notices`, async ({ body }, reply) => {
    const [type, name, app_id] = ['type', 'name', 'client_id'].map((key) => textAt(body, key));
    if (!type || !name || !app_id) return reply.code(400).send({ error: 'type, name and client_id are needed' });
    const at = numberAt(body, 'at') ?? clock.now();
    const event = { type, sub: ways.subjectOf(name), event_time: at };
    const key = ways.signingKey();
    const signed = await new SignJWT({ events: JSON.stringify(event) })
      .setProtectedHeader({ alg: 'RS256', kid: String(key['kid']) })
      .setIssuer(context.pageBase())
      .setAudience(app_id)
      .setJti(randomHex(16))
      .setIssuedAt(Math.floor(clock.now() / 1000))
      .setExpirationTime(Math.floor(clock.now() / 1000) + lifeSeconds)
      .sign(await importJWK(key, 'RS256'));
    const fault = textAt(body, 'fault');
    const payload = isTokenFault(fault) ? spoilToken(signed, fault, key, 'RS256') : signed;
    const shop = textAt(body, 'shop') ?? context.shopUrl;
    return { payload, status: await post(shop, JSON.stringify({ payload })) };
  });
}

/** @returns the status, or null when nobody answers */
async function post(shopUrl: string, body: string): Promise<number | null> {
  const { origin, host } = addressOf(shopUrl);
  try {
    const answer = await request(origin + noticePath, {
      method: 'POST',
      headers: { host, 'content-type': 'application/json' },
      body,
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return null;
  }
}
