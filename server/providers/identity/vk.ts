// VK ID: OAuth 2.1 code flow with PKCE and VK's own device_id. Facts, doubts and set-up are in README.md.
import { createHash, randomBytes } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { FinishOutcome, LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import { readEndpoint } from '#server/platform/outbound/outbound-endpoint.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';

/** VK moves from vk.com to vk.ru. @source npm @vkid/sdk 2.6.7, changelog */
const OFFICIAL = 'https://id.vk.ru';
const HOSTS = ['id.vk.ru', 'id.vk.com'];
/** Our choice: the browser gives up at 10 s, and two calls follow each other. */
const TIMEOUT_MS = 4500;

/** A number in the token answer, a text in user_info. @source id.vk.com, VK ID, "API description" */
const UserId = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9]\\d{0,19}$' })]);
const Token = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  user_id: UserId,
  state: Type.Optional(Type.String()),
});
const Info = Type.Object({
  user: Type.Object({
    user_id: UserId,
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
  }),
});
const readToken = reader(Token);
const readInfo = reader(Info);

function reader<Schema extends TSchema>(schema: Schema): (answer: OutboundAnswer) => Static<Schema> | null {
  const validator = Compile(schema);
  return ({ status, text }) => {
    if (status !== 200) return null;
    try {
      const value: unknown = JSON.parse(text);
      return validator.Check(value) ? (value as Static<Schema>) : null;
    } catch {
      return null;
    }
  };
}

export const vk: LoginProvider = {
  kind: 'vk',
  name: 'vk',
  settings: [
    {
      name: 'ON',
      isRequired: true,
      isSecret: false,
      form: { kind: 'choice', values: ['0', '1'] },
      about: 'Set to 1: VK ID on the web has no secret, so this is what switches it on.',
    },
    {
      name: 'TOKEN_LOGIN',
      isRequired: false,
      isSecret: false,
      form: { kind: 'choice', values: ['0', '1'] },
      about: 'Set to 1 to take `vk_access_token` and `uid` as well; weaker, see README.md.',
    },
    {
      name: 'BASE',
      isRequired: false,
      isSecret: false,
      about: `Where VK ID is served, ${OFFICIAL} unless set.`,
    },
    {
      name: 'AUTHORIZE_BASE',
      isRequired: false,
      isSecret: false,
      about: 'The same for the page that the player sees, where it has another address.',
    },
  ],
  open: ({ environment, settings, outbound }) => {
    const rule = { environment, official: OFFICIAL, hosts: HOSTS };
    const base = readEndpoint(settings['BASE'], { ...rule, name: "VK's BASE" });
    const page = readEndpoint(settings['AUTHORIZE_BASE'] || base, { ...rule, name: "VK's AUTHORIZE_BASE" });
    // Form-encoded, not in a header and not JSON. @source id.vk.com, VK ID, "API description"
    const post = (path: string, fields: Record<string, string>) =>
      outbound(`${base}${path}`, {
        method: 'POST',
        timeoutMs: TIMEOUT_MS,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      });

    const identify = async (token: string, appId: string, uid: string): Promise<FinishOutcome> => {
      const answer = await post('/oauth2/user_info', { client_id: appId, access_token: token });
      const user = readInfo(answer)?.user;
      if (!user) return refusal(answer, 'user_info');
      if (String(user.user_id) !== uid) return { kind: 'refused', reason: 'the token is of another player' };
      return { kind: 'ok', subject: uid, name: [user.first_name, user.last_name].filter(Boolean).join(' ') || null };
    };

    return {
      apiHosts: [new URL(base).host],
      appOf: ({ vkAppId }) => (settings['ON'] === '1' && vkAppId) || null,
      begin: async ({ appId, redirectUri, state }) => {
        const verifier = randomBytes(48).toString('base64url');
        const query = {
          response_type: 'code',
          client_id: appId,
          redirect_uri: redirectUri,
          state,
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          // In lower case, unlike RFC 7636. @source id.vk.com, VK ID, "API description"
          code_challenge_method: 's256',
        };
        return { kind: 'ok', url: `${page}/authorize?${new URLSearchParams(query)}`, kept: { verifier } };
      },
      finish: async ({ appId, redirectUri, state, kept, brought }) => {
        try {
          const code = brought['authorization_code'];
          if (!code) {
            const { vk_access_token: token = '', uid = '' } = brought;
            // UNSURE: no source says that VK refuses another app's token here; where it does not, any app's token of a
            // player would open the account.
            if (settings['TOKEN_LOGIN'] !== '1' || !token || !uid) return { kind: 'refused', reason: 'no code' };
            return await identify(token, appId, uid);
          }
          const answer = await post('/oauth2/auth', {
            grant_type: 'authorization_code',
            code,
            code_verifier: kept['verifier'] ?? '',
            device_id: brought['device_id'] ?? '',
            client_id: appId,
            redirect_uri: redirectUri,
            state,
          });
          const token = readToken(answer);
          if (!token) return refusal(answer, 'auth');
          if (token.state !== undefined && token.state !== state) return { kind: 'refused', reason: 'another state' };
          return await identify(token.access_token, appId, String(token.user_id));
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error;
          return { kind: 'unavailable', reason: error.message };
        }
      },
    };
  },
};

/**
 * @source github.com/VKCOM/vkid-web-sdk: faults are `{error, error_description, state}`; `slow_down` asks for patience
 */
function refusal({ status, text }: OutboundAnswer, call: string): FinishOutcome {
  const fault = /"error"\s*:\s*"([a-z_]{1,40})"/.exec(text)?.[1];
  const isPassing = status >= 500 || status === 429 || fault === 'slow_down' || (!fault && status < 400);
  return {
    kind: isPassing ? 'unavailable' : 'refused',
    reason: `${call} answered ${status}${fault ? ` ${fault}` : ''}`,
  };
}
