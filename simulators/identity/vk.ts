// The VK ID simulator: code with PKCE and device_id. @source id.vk.com, VK ID, "API description";
// github.com/VKCOM/vkid-web-sdk

import { createHash } from 'node:crypto';
import { answerCall } from '#simulators/kit/answer.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { type IdentityContext, type MountedIdentity, isKnownShop } from './context.ts';
import { digitsOf, readName, sendLoginPage, sendRefusal } from './login-page.ts';

const look: Look = {
  accent: '#1360b8',
  ground: '#edf2f8',
  ink: '#142033',
  radius: '10px',
  font: 'system-ui, sans-serif',
};

type Asked = { clientId: string; redirectUri: string; state: string; challenge: string };
type Granted = Asked & { name: string; deviceId: string };

export function mountVk(context: IdentityContext): MountedIdentity {
  const { app, clock, faults, apiBase, pageBase } = context;
  const codes = new Map<string, Granted>();
  const tokens = new Map<string, Granted>();

  app.get('/identity/vk/authorize', ({ query }, reply) => {
    const asked = readAsked(query);
    const isRight = textAt(query, 'response_type') === 'code' && textAt(query, 'code_challenge_method') === 's256';
    if (!asked || !isRight) return sendRefusal(reply, 'VK ID', 'invalid_request: something is missing or not allowed.');
    return sendLoginPage(reply, {
      provider: 'VK ID',
      look,
      app: asked.clientId,
      action: '/identity/vk/authorize',
      hidden: {
        client_id: asked.clientId,
        redirect_uri: asked.redirectUri,
        state: asked.state,
        code_challenge: asked.challenge,
      },
    });
  });
  app.post('/identity/vk/authorize', ({ body }, reply) => {
    const asked = readAsked(body);
    if (!asked) return sendRefusal(reply, 'VK ID', 'invalid_request');
    const url = new URL(asked.redirectUri);
    const name = readName(body);
    if (name === null) url.search = new URLSearchParams({ error: 'access_denied' }).toString();
    else {
      const code = `vk2.a.${randomHex(40)}`;
      const deviceId = randomHex(32);
      codes.set(code, { ...asked, name, deviceId });
      url.search = new URLSearchParams({ type: 'code_v2', code, device_id: deviceId, expires_in: '600' }).toString();
    }
    url.searchParams.set('state', asked.state);
    return reply.redirect(url.href, 303);
  });

  app.post('/identity/vk/oauth2/auth', ({ body }, reply) =>
    answerCall(reply, clock, faults.take('token'), () => {
      const code = textAt(body, 'code') ?? '';
      const granted = codes.get(code);
      codes.delete(code);
      const verifier = textAt(body, 'code_verifier') ?? '';
      const isRight =
        granted !== undefined &&
        textAt(body, 'grant_type') === 'authorization_code' &&
        textAt(body, 'client_id') === granted.clientId &&
        textAt(body, 'redirect_uri') === granted.redirectUri &&
        textAt(body, 'device_id') === granted.deviceId &&
        /^[A-Za-z0-9_-]{43,128}$/.test(verifier) &&
        createHash('sha256').update(verifier).digest('base64url') === granted.challenge;
      if (!isRight) return fault('invalid_grant', 'code is invalid or expired');
      const token = `vk2.a.${randomHex(60)}`;
      tokens.set(token, granted);
      const body200 = {
        access_token: token,
        refresh_token: `vk2.a.${randomHex(60)}`,
        id_token: 'not.read.here',
        token_type: 'Bearer',
        expires_in: 3600,
        user_id: Number(idOf(granted.name)),
        state: textAt(body, 'state') ?? '',
        scope: 'vkid.personal_info',
      };
      return { status: 200, body: body200 };
    }),
  );
  app.post('/identity/vk/oauth2/user_info', ({ body }, reply) => {
    const spoiled = faults.take('info');
    return answerCall(reply, clock, spoiled, () => {
      const granted = tokens.get(textAt(body, 'access_token') ?? '');
      if (!granted || granted.clientId !== textAt(body, 'client_id'))
        return fault('invalid_token', 'token is not valid');
      const [first = '', ...rest] = granted.name.split(' ');
      const userId = spoiled === 'other-player' ? '1' : idOf(granted.name);
      return { status: 200, body: { user: { user_id: userId, first_name: first, last_name: rest.join(' ') } } };
    });
  });
  return { settings: () => ({ ON: '1', BASE: apiBase(), AUTHORIZE_BASE: pageBase() }) };
}

function readAsked(sent: unknown): Asked | null {
  const clientId = textAt(sent, 'client_id');
  const redirectUri = textAt(sent, 'redirect_uri');
  const state = textAt(sent, 'state');
  const challenge = textAt(sent, 'code_challenge');
  if (!clientId || !redirectUri || !state || !challenge || !isKnownShop(redirectUri)) return null;
  return { clientId, redirectUri, state, challenge };
}

/** A number here, a text there, as in the real answers. */
function idOf(name: string): string {
  return digitsOf('vk', name, 9);
}

function fault(error: string, description: string) {
  return { status: 400, body: { error, error_description: description } };
}
