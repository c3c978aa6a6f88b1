// The Facebook simulator: the dialog, the exchange of the code, and the two looks at a token.
// @source developers.facebook.com: "Manually build a login flow", debug_token, "Secure Graph API calls"

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { answerCall } from '#simulators/kit/answer.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { type IdentityContext, type MountedIdentity, isKnownShop } from './context.ts';
import { digitsOf, readName, sendLoginPage, sendRefusal } from './login-page.ts';

const look: Look = {
  accent: '#2a4fa3',
  ground: '#eef1f7',
  ink: '#1c2536',
  radius: '6px',
  font: 'Helvetica, Arial, sans-serif',
};

type Granted = { appId: string; name: string; redirectUri: string };

/** Our choice: minutes are enough for a code, two hours as a short-lived token has. */
const codeLivesMs = 600_000;
const tokenLivesSeconds = 7200;

export function mountFacebook(context: IdentityContext): MountedIdentity {
  const { app, clock, faults, apiBase, pageBase } = context;
  const { appSecret } = context.account('app', () => ({ appSecret: randomHex(16) }));
  const codes = new Map<string, Granted & { until: number }>();
  const tokens = new Map<string, Granted & { expiresAt: number }>();
  const nowSeconds = () => Math.floor(clock.now() / 1000);

  app.get('/identity/facebook/:version/dialog/oauth', (request, reply) => {
    const { query } = request;
    const hidden = { client_id: '', redirect_uri: '', state: '' };
    for (const key of Object.keys(hidden) as (keyof typeof hidden)[]) hidden[key] = textAt(query, key) ?? '';
    if (!hidden.client_id || !isKnownShop(hidden.redirect_uri) || textAt(query, 'response_type') !== 'code') {
      return sendRefusal(reply, 'Facebook', 'URL blocked: this redirect failed because its URI is not allowed.');
    }
    return sendLoginPage(reply, {
      provider: 'Facebook',
      look,
      app: hidden.client_id,
      action: '/identity/facebook/dialog',
      hidden,
    });
  });
  app.post('/identity/facebook/dialog', ({ body }, reply) => {
    const redirectUri = textAt(body, 'redirect_uri') ?? '';
    if (!isKnownShop(redirectUri)) return sendRefusal(reply, 'Facebook', 'URL blocked.');
    const url = new URL(redirectUri);
    const name = readName(body);
    if (name === null) {
      url.search = new URLSearchParams({
        error: 'access_denied',
        error_code: '200',
        error_description: 'Permissions error',
        error_reason: 'user_denied',
      }).toString();
    } else {
      const code = `AQ${randomHex(40)}`;
      codes.set(code, { appId: textAt(body, 'client_id') ?? '', name, redirectUri, until: clock.now() + codeLivesMs });
      url.searchParams.set('code', code);
    }
    url.searchParams.set('state', textAt(body, 'state') ?? '');
    // The real one adds this.
    return reply.redirect(`${url.href}#_=_`, 303);
  });

  app.route({
    method: ['GET', 'POST'],
    url: '/identity/facebook/:version/oauth/access_token',
    handler: (request, reply) =>
      answerCall(reply, clock, faults.take('token'), () => {
        const sent = request.method === 'POST' ? request.body : request.query;
        const code = textAt(sent, 'code') ?? '';
        const granted = codes.get(code);
        codes.delete(code);
        const isRight =
          granted !== undefined &&
          granted.until > clock.now() &&
          granted.appId === textAt(sent, 'client_id') &&
          granted.redirectUri === textAt(sent, 'redirect_uri') &&
          isSame(textAt(sent, 'client_secret') ?? '', appSecret);
        if (!isRight) return fault(100, 'This authorization code has been used or is not valid.');
        const token = `EAA${randomHex(60)}`;
        tokens.set(token, { ...granted, expiresAt: nowSeconds() + tokenLivesSeconds });
        return { status: 200, body: { access_token: token, token_type: 'bearer', expires_in: tokenLivesSeconds } };
      }),
  });
  app.get('/identity/facebook/:version/debug_token', ({ query }, reply) =>
    spoilable(reply, 'debug', (spoiled) => {
      const [appId = '', secret = ''] = (textAt(query, 'access_token') ?? '').split('|');
      if (!isSame(secret, appSecret)) return fault(190, 'Invalid OAuth access token - Cannot parse access token');
      const granted = tokens.get(textAt(query, 'input_token') ?? '');
      if (!granted) return { status: 200, body: { data: { app_id: appId, is_valid: false, scopes: [] } } };
      const data = {
        app_id: spoiled === 'other-app' ? '999999999999' : granted.appId,
        type: 'USER',
        is_valid: spoiled !== 'not-valid',
        expires_at: spoiled === 'expired' ? nowSeconds() - 1 : granted.expiresAt,
        user_id: idOf(granted),
        scopes: ['public_profile'],
      };
      return { status: 200, body: { data } };
    }),
  );
  app.get('/identity/facebook/:version/me', ({ query }, reply) =>
    spoilable(reply, 'me', (spoiled) => {
      const token = textAt(query, 'access_token') ?? '';
      const granted = tokens.get(token);
      if (!granted) return fault(190, 'Invalid OAuth access token.');
      const proof = createHmac('sha256', appSecret).update(token).digest('hex');
      if (!isSame(textAt(query, 'appsecret_proof') ?? '', proof)) {
        return fault(100, 'Invalid appsecret_proof provided in the API argument');
      }
      return { status: 200, body: { id: spoiled === 'other-player' ? '1' : idOf(granted), name: granted.name } };
    }),
  );

  /** Words beside the call faults: the answer itself is not what it should be. */
  const spoilable = (reply: FastifyReply, on: string, run: (spoiled: string) => { status: number; body: unknown }) => {
    const taken = faults.take(on);
    return answerCall(reply, clock, taken, () => run(taken ?? ''));
  };
  return { settings: () => ({ DIALOG_BASE: pageBase(), GRAPH_BASE: apiBase(), APP_SECRET: appSecret }) };
}

/** Scoped to the app: two apps know one player by two ids. */
function idOf({ appId, name }: Granted): string {
  return digitsOf(`facebook/${appId}`, name, 17);
}

function fault(code: number, message: string) {
  const body = { error: { message, type: 'OAuthException', code, fbtrace_id: randomHex(8) } };
  return { status: 400, body };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
