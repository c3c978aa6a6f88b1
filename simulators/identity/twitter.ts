// The X simulator: request token, consent, access token, all by OAuth 1.0a. @source docs.x.com,
// "Obtaining user access tokens"

import type { FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { type IdentityContext, type MountedIdentity, isKnownShop } from './context.ts';
import { digitsOf, readName, sendLoginPage, sendRefusal } from './login-page.ts';
import { type SignedHeader, isSignedRight, readOauthHeader } from './twitter-signature.ts';

const look: Look = {
  accent: '#22303c',
  ground: '#f0f2f4',
  ink: '#14191d',
  radius: '24px',
  font: 'system-ui, sans-serif',
};

type RequestToken = { secret: string; callback: string; granted?: { verifier: string; name: string } };

/** How far a clock may be off. Our choice; X answers code 135. */
const skewSeconds = 300;

export function mountTwitter(context: IdentityContext): MountedIdentity {
  const { app, clock, faults, apiBase, pageBase } = context;
  const account = context.account('app', () => ({ consumerKey: randomHex(12), consumerSecret: randomHex(25) }));
  const requests = new Map<string, RequestToken>();
  const seen = new Set<string>();

  /** Null: signed by our app, now, once. */
  const refuse = (request: FastifyRequest, header: SignedHeader | null, tokenSecret: string): Answer | null => {
    if (!header || header.get('oauth_consumer_key') !== account.consumerKey)
      return fault(32, 'Could not authenticate you.');
    const age = Math.abs(clock.now() / 1000 - Number(header.get('oauth_timestamp')));
    if (!(age <= skewSeconds)) return fault(135, 'Timestamp out of bounds.');
    const once = `${header.get('oauth_timestamp')}/${header.get('oauth_nonce')}`;
    if (seen.has(once)) return fault(32, 'Could not authenticate you.');
    seen.add(once);
    const url = `http://${request.headers.host}${request.url.split('?')[0]}`;
    const secrets = { consumer: account.consumerSecret, token: tokenSecret };
    return isSignedRight(header, { method: request.method, url }, secrets)
      ? null
      : fault(32, 'Could not authenticate you.');
  };

  app.post('/identity/twitter/oauth/request_token', (request, reply) =>
    answerCall(reply, clock, faults.take('request'), () => {
      const header = readOauthHeader(request.headers.authorization);
      const refused = refuse(request, header, '');
      if (refused) return refused;
      const callback = header?.get('oauth_callback') ?? '';
      if (!isKnownShop(callback)) return fault(415, 'Callback URL not approved for this client application.', 403);
      const token = randomHex(13);
      const secret = randomHex(16);
      requests.set(token, { secret, callback });
      return form({ oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' });
    }),
  );
  app.get('/identity/twitter/oauth/authenticate', ({ query }, reply) => {
    const token = textAt(query, 'oauth_token') ?? '';
    if (!requests.has(token)) return sendRefusal(reply, 'X', 'The request token for this page is invalid.');
    const hidden = { oauth_token: token };
    return sendLoginPage(reply, {
      provider: 'X',
      look,
      app: account.consumerKey,
      action: '/identity/twitter/oauth/authenticate',
      hidden,
    });
  });
  app.post('/identity/twitter/oauth/authenticate', ({ body }, reply) => {
    const token = textAt(body, 'oauth_token') ?? '';
    const known = requests.get(token);
    if (!known || known.granted) return sendRefusal(reply, 'X', 'The request token for this page is invalid.');
    const url = new URL(known.callback);
    const name = readName(body);
    if (name === null) {
      requests.delete(token);
      url.searchParams.set('denied', token);
    } else {
      known.granted = { verifier: randomHex(16), name };
      url.searchParams.set('oauth_token', token);
      url.searchParams.set('oauth_verifier', known.granted.verifier);
    }
    return reply.redirect(url.href, 303);
  });
  app.post('/identity/twitter/oauth/access_token', (request, reply) =>
    answerCall(reply, clock, faults.take('token'), () => {
      const header = readOauthHeader(request.headers.authorization);
      const token = header?.get('oauth_token') ?? '';
      const known = requests.get(token);
      const refused = refuse(request, header, known?.secret ?? '');
      if (refused) return refused;
      requests.delete(token);
      if (!known?.granted || header?.get('oauth_verifier') !== known.granted.verifier) {
        return fault(89, 'Invalid or expired token.');
      }
      const { name } = known.granted;
      const userId = digitsOf('twitter', name, 19);
      return form({
        oauth_token: `${userId}-${randomHex(20)}`,
        oauth_token_secret: randomHex(22),
        user_id: userId,
        screen_name: name,
      });
    }),
  );
  return {
    settings: () => ({
      API_BASE: apiBase(),
      AUTHORIZE_BASE: pageBase(),
      CONSUMER_KEY: account.consumerKey,
      CONSUMER_SECRET: account.consumerSecret,
    }),
  };
}

function form(fields: Record<string, string>): Answer {
  return { status: 200, body: new URLSearchParams(fields).toString(), headers: { 'content-type': 'text/html' } };
}

function fault(code: number, message: string, status = 401): Answer {
  return { status, body: { errors: [{ code, message }] } };
}
