// Facebook Login: code flow by hand, and the token inspected before it is believed. Facts, doubts
// and set-up are in README.md.
import { createHmac } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { FinishOutcome, LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import {
  SECRETS_BY_APP,
  declareEndpoints,
  readEndpoint,
  readSecretOf,
} from '#server/platform/outbound/outbound-endpoint.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';

const OFFICIAL = { DIALOG_BASE: 'https://www.facebook.com', GRAPH_BASE: 'https://graph.facebook.com' };
/** @source developers.facebook.com, Graph API changelog: current in 2026 */
const GRAPH_VERSION = 'v24.0';
/** Our choice: the browser gives up at 10 s, and three calls follow each other. */
const TIMEOUT_MS = 3000;
/**
 * Facebook's own trouble, or too many calls; no verdict about the token. @source
 * developers.facebook.com, "Handling errors"
 */
const PASSING_CODES = new Set([1, 2, 4, 17, 32, 341, 368, 613]);

const Token = Type.Object({ access_token: Type.String({ minLength: 1 }) });
/** @source developers.facebook.com/docs/graph-api/reference/debug_token */
const Inspected = Type.Object({
  data: Type.Object({
    app_id: Type.String(),
    is_valid: Type.Boolean(),
    type: Type.Optional(Type.String()),
    expires_at: Type.Optional(Type.Number()),
    user_id: Type.Optional(Type.String({ minLength: 1 })),
  }),
});
const Me = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.Optional(Type.String()) });
const Fault = Type.Object({ error: Type.Object({ code: Type.Number(), fbtrace_id: Type.Optional(Type.String()) }) });

const readToken = reader(Token);
const readInspected = reader(Inspected);
const readMe = reader(Me);
const readFault = reader(Fault);

function reader<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> | null {
  const validator = Compile(schema);
  return (text) => {
    try {
      const value: unknown = JSON.parse(text);
      return validator.Check(value) ? (value as Static<Schema>) : null;
    } catch {
      return null;
    }
  };
}

export const facebook: LoginProvider = {
  kind: 'facebook',
  name: 'facebook',
  settings: [
    {
      name: 'APP_SECRET',
      isRequired: false,
      isSecret: true,
      about: 'App secret: App dashboard, App settings, Basic; for every brand without an entry in APP_SECRETS.',
    },
    {
      name: 'APP_SECRETS',
      isRequired: false,
      isSecret: true,
      form: SECRETS_BY_APP,
      about: 'App secrets by app id, `id=secret`, separated by commas or lines, where brands have apps of their own.',
    },
    {
      name: 'GRAPH_VERSION',
      isRequired: false,
      isSecret: false,
      form: { kind: 'other', one: 'a version, e.g. v23.0', fits: (text) => /^v\d{1,3}\.\d{1,2}$/.test(text) },
      about: `Version of the Graph API, ${GRAPH_VERSION} unless set.`,
    },
    ...declareEndpoints(OFFICIAL),
  ],
  open: ({ environment, settings, outbound, now }) => {
    const at = (name: keyof typeof OFFICIAL) =>
      readEndpoint(settings[name], {
        name: `Facebook's ${name}`,
        environment,
        official: OFFICIAL[name],
        hosts: [new URL(OFFICIAL[name]).host],
      });
    const version = settings['GRAPH_VERSION'] || GRAPH_VERSION;
    if (!/^v\d{1,3}\.\d{1,2}$/.test(version)) throw new Error("Facebook's GRAPH_VERSION is written like v24.0");
    const dialog = `${at('DIALOG_BASE')}/${version}/dialog/oauth`;
    const graphBase = at('GRAPH_BASE');
    const graph = `${graphBase}/${version}`;
    const secretOf = (appId: string) => readSecretOf(appId, settings['APP_SECRET'], settings['APP_SECRETS']);
    const get = (url: string, query: Record<string, string>) =>
      outbound(`${url}?${new URLSearchParams(query)}`, { method: 'GET', timeoutMs: TIMEOUT_MS });

    /** UNSURE: documented with GET; long in use with POST as well, and a secret has no place in an address. */
    const exchange = (code: string, appId: string, secret: string, redirectUri: string) =>
      outbound(`${graph}/oauth/access_token`, {
        method: 'POST',
        timeoutMs: TIMEOUT_MS,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_id: appId,
          client_secret: secret,
          redirect_uri: redirectUri,
          code,
        }).toString(),
      });

    const identify = async (token: string, appId: string, secret: string): Promise<FinishOutcome> => {
      // "id|secret" is an app's token by itself. @source developers.facebook.com, "Access tokens", app tokens
      const looked = await get(`${graph}/debug_token`, { input_token: token, access_token: `${appId}|${secret}` });
      const inspected = readInspected(looked.text)?.data;
      if (!inspected) return refusal(looked, 'debug_token');
      // A valid token of another app is the classic hole: anybody can have one of you.
      if (!inspected.is_valid) return { kind: 'refused', reason: 'the token is not valid' };
      if (inspected.app_id !== appId) return { kind: 'refused', reason: 'a token of another app' };
      // UNSURE: the value USER is from memory; left out, it is not held against the token.
      if ((inspected.type ?? 'USER') !== 'USER') return { kind: 'refused', reason: 'no token of a person' };
      if (inspected.expires_at && inspected.expires_at * 1000 <= now()) {
        return { kind: 'refused', reason: 'the token has expired' };
      }
      if (!inspected.user_id) return { kind: 'refused', reason: 'the token names nobody' };
      /**
       * @source developers.facebook.com/docs/facebook-login/security: hex HMAC-SHA256 of the
       * token, key is the app secret
       */
      const proof = createHmac('sha256', secret).update(token).digest('hex');
      const asked = await get(`${graph}/me`, { fields: 'id,name', access_token: token, appsecret_proof: proof });
      const me = asked.status === 200 ? readMe(asked.text) : null;
      if (!me) return refusal(asked, 'me');
      if (me.id !== inspected.user_id) return { kind: 'refused', reason: 'the token and its owner differ' };
      // Ids are given out by app, so the app belongs to the subject.
      return { kind: 'ok', subject: `${appId}-${me.id}`, name: me.name ?? null };
    };

    return {
      apiHosts: [new URL(graphBase).host],
      appOf: ({ facebookAppId }) => (facebookAppId && secretOf(facebookAppId) ? facebookAppId : null),
      begin: async ({ appId, redirectUri, state }) => {
        const query = {
          client_id: appId,
          redirect_uri: redirectUri,
          state,
          response_type: 'code',
          scope: 'public_profile',
        };
        return { kind: 'ok', url: `${dialog}?${new URLSearchParams(query)}`, kept: {} };
      },
      finish: async ({ appId, redirectUri, brought }) => {
        const secret = secretOf(appId);
        if (!secret) return { kind: 'refused', reason: 'no secret for this app' };
        try {
          // With a token of the JavaScript SDK the exchange is skipped, the inspection never.
          let token = brought['fb_access_token'];
          if (brought['authorization_code']) {
            const answer = await exchange(brought['authorization_code'], appId, secret, redirectUri);
            token = answer.status === 200 ? readToken(answer.text)?.access_token : undefined;
            if (!token) return refusal(answer, 'oauth/access_token');
          }
          return token ? await identify(token, appId, secret) : { kind: 'refused', reason: 'neither code nor token' };
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error;
          return { kind: 'unavailable', reason: error.message };
        }
      },
    };
  },
};

function refusal({ status, text }: OutboundAnswer, call: string): FinishOutcome {
  const fault = readFault(text)?.error;
  const reason = `${call} answered ${status}${fault ? ` code ${fault.code} ${fault.fbtrace_id ?? ''}` : ''}`.trim();
  const isPassing = status >= 500 || status === 429 || (fault ? PASSING_CODES.has(fault.code) : status < 400);
  return { kind: isPassing ? 'unavailable' : 'refused', reason };
}
