// Log in with X, OAuth 1.0a: a request token, the player's consent, a verifier. Facts, doubts
// and set-up are in ../README.md.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import { readEndpoint } from '#server/platform/outbound/outbound-endpoint.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { signRequest } from './signature.ts';

const OFFICIAL = 'https://api.x.com';
const HOSTS = ['api.x.com', 'api.twitter.com'];
/** Our choice: the browser gives up at 10 s. */
const TIMEOUT_MS = 5000;

export const twitter: LoginProvider = {
  kind: 'twitter',
  name: 'twitter',
  settings: [
    {
      name: 'CONSUMER_KEY',
      isRequired: true,
      isSecret: false,
      about: 'API key of the app: developer.x.com, Projects & Apps, Keys and tokens. "Sign in with X" must be on.',
    },
    { name: 'CONSUMER_SECRET', isRequired: true, isSecret: true, about: 'API key secret, beside the API key.' },
    { name: 'API_BASE', isRequired: false, isSecret: false, about: `Where X is called, ${OFFICIAL} unless set.` },
    {
      name: 'AUTHORIZE_BASE',
      isRequired: false,
      isSecret: false,
      about: 'The same for the page that the player sees, where it has another address.',
    },
  ],
  open: ({ environment, settings, outbound, now }) => {
    const rule = { environment, official: OFFICIAL, hosts: HOSTS };
    const base = readEndpoint(settings['API_BASE'], { ...rule, name: "X's API_BASE" });
    const page = readEndpoint(settings['AUTHORIZE_BASE'] || base, { ...rule, name: "X's AUTHORIZE_BASE" });
    const post = (
      path: string,
      oauth: Record<string, string>,
      token?: { token: string; tokenSecret: string },
    ): Promise<OutboundAnswer> => {
      const url = `${base}${path}`;
      const authorization = signRequest({
        method: 'POST',
        url,
        consumerKey: settings['CONSUMER_KEY'] ?? '',
        consumerSecret: settings['CONSUMER_SECRET'] ?? '',
        ...token,
        oauth,
        timestamp: Math.floor(now() / 1000),
        nonce: randomBytes(16).toString('hex'),
      });
      return outbound(url, { method: 'POST', timeoutMs: TIMEOUT_MS, headers: { authorization } });
    };
    return {
      apiHosts: [new URL(base).host],
      appOf: () => settings['CONSUMER_KEY'] || null,
      begin: async ({ redirectUri }) => {
        try {
          const answer = await post('/oauth/request_token', { oauth_callback: redirectUri });
          const fields = readForm(answer);
          const { oauth_token: token, oauth_token_secret: secret } = fields;
          // UNSURE: that X always says "true" here is from memory; RFC 5849 section 2.1 demands it.
          if (!token || !secret || fields['oauth_callback_confirmed'] !== 'true') {
            return { kind: 'unavailable', reason: describe(answer) };
          }
          const url = `${page}/oauth/authenticate?${new URLSearchParams({ oauth_token: token })}`;
          // X takes no state: its request token is as secret and as good for once.
          return { kind: 'ok', url, kept: { token, secret }, state: token };
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error;
          return { kind: 'unavailable', reason: error.message };
        }
      },
      finish: async ({ kept, brought }) => {
        const { token = '', secret = '' } = kept;
        const { oauth_token: came = '', oauth_verifier: verifier = '' } = brought;
        if (!isSame(came, token)) return { kind: 'refused', reason: 'another request token' };
        try {
          const answer = await post(
            '/oauth/access_token',
            { oauth_verifier: verifier },
            { token, tokenSecret: secret },
          );
          const { user_id: userId, screen_name: name } = readForm(answer);
          // The access token in the same answer never expires: it is dropped here, for nothing more is asked of X.
          if (userId && /^[1-9]\d{0,19}$/.test(userId)) return { kind: 'ok', subject: userId, name: name || null };
          const isPassing = answer.status < 400 || answer.status >= 500 || answer.status === 429;
          return { kind: isPassing ? 'unavailable' : 'refused', reason: describe(answer) };
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error;
          return { kind: 'unavailable', reason: error.message };
        }
      },
    };
  },
};

/** Answers are forms, whatever their content type says. @source docs.x.com, "Obtaining user access tokens" */
function readForm({ status, text }: OutboundAnswer): Record<string, string | undefined> {
  return status === 200 ? Object.fromEntries(new URLSearchParams(text)) : {};
}

/** UNSURE: the shape `{errors:[{code, message}]}` and its codes (32, 89, 135, 415) are from memory. */
function describe({ status, text }: OutboundAnswer): string {
  const code = /"code"\s*:\s*(\d{1,5})/.exec(text)?.[1];
  return `X answered ${status}${code ? ` code ${code}` : ''}`;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && one.length > 0 && timingSafeEqual(one, other);
}
