// Login, logout and who is logged in.
import Type, { type Static } from 'typebox';
import { ClientId, NoContent, Text, params } from './envelope.ts';
import { route } from './route.ts';

/**
 * The player as the browser may know them. `oauth_token` is a public session id, never the secret:
 * that sits in an HttpOnly cookie.
 * @source specification section 3, "User info"
 */
export const UserInfo = Type.Object({
  username: Type.String(),
  suid: Type.String(),
  oauth_token: Type.String(),
  gp_id: Type.String(),
});
export type UserInfo = Static<typeof UserInfo>;

/**
 * Of a password that the shop keeps, in characters as a person counts them. @source NIST SP 800-63B and OWASP ASVS 5.0,
 * 6.2.1: 8 at least, 15 advised
 */
export const SHORTEST_PASSWORD = 8;

/**
 * One form of a password, whatever keyboard wrote it: é is one character on one system and two on another, and an
 * input method for Japanese writes wide letters.
 * @source NIST SP 800-63B: NFKC or NFKD before hashing
 */
export const normalisePassword = (password: string): string => password.normalize('NFKC');

/** @source specification section 3, "Login config" */
export const LoginConfig = Type.Object({
  fb_id: Type.String(),
  gg_id: Type.String(),
  gg_pkg: Type.String(),
  ios_id: Type.String(),
  vk_id: Type.String(),
  client_id: Type.String(),
  json_type: Type.Array(Type.String()),
  twitterHtml: Type.String(),
});
export type LoginConfig = Static<typeof LoginConfig>;

export const accountRoutes = {
  login: route({
    path: '/util/login/auth',
    kind: 'post',
    summary: 'Log in with a game account; both fields arrive encoded with a random 3-character prefix',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({
      username: Type.String({ minLength: 1, maxLength: 400 }),
      password: Type.String({ minLength: 1, maxLength: 2800 }),
      client_id: ClientId,
    }),
    output: UserInfo,
  }),
  getUserInfo: route({
    path: '/util/login/get_user_info',
    kind: 'read',
    summary: 'The player of the current session, with the game product id of client_id',
    access: 'player',
    input: params({ client_id: Type.Optional(Text(32)) }),
    output: UserInfo,
  }),
  loginConfig: route({
    path: '/util/login/login_config',
    kind: 'read',
    summary: 'Which logins this brand offers for a game, with their public client ids',
    access: 'anyone',
    input: params({ client_id: Type.Optional(Text(32)), domain_area: Type.Optional(Text(16)) }),
    output: LoginConfig,
  }),
  changePassword: route({
    path: '/util/login/change_password',
    kind: 'post',
    summary:
      'A new password for an account that the shop keeps; both fields encoded as at login. All other sessions of ' +
      'the account end',
    access: 'player',
    input: params({
      old_password: Type.String({ minLength: 1, maxLength: 2800 }),
      new_password: Type.String({ minLength: 1, maxLength: 2800 }),
    }),
    output: NoContent,
  }),
  logout: route({
    path: '/util/login/logout',
    kind: 'post',
    summary: 'End the current session',
    access: 'anyone',
    input: params({}),
    output: NoContent,
  }),
};
