// Logins by an identity that another company vouches for, and by a prepaid card: how one begins and what comes back.
//
// One login, as the page sees it: `loginStart` (for X: `twitterRedirect`) -> open `url` in a window -> the
// provider's page -> our callback page posts a LoginMessage to its opener -> the page answers it and calls the kind's
// own route with what the message holds.
import Type, { type Static } from 'typebox';
import { UserInfo } from './accounts.ts';
import { ClientId, Text, params } from './envelope.ts';
import { route } from './route.ts';

/** `own`: the publisher's accounts, by a module. @source specification section 9, "Third-party login kinds" */
export const LOGIN_KINDS = ['google', 'ios', 'facebook', 'twitter', 'vk', 'huawei', 'own'] as const;
export type LoginKind = (typeof LOGIN_KINDS)[number];
export const LoginKind = Type.Enum([...LOGIN_KINDS]);

/**
 * A provider sends the player back to `<origin>/util/login/callback/<kind>`. An operator registers this address with
 * the provider.
 */
export const LOGIN_CALLBACK_PATH = '/util/login/callback';
/** A company reports changes of an identity to this path and the kind. */
export const LOGIN_NOTICE_PATH = '/util/login/notice';

/** `link` adds the identity to the account that is logged in; it answers with the same user. */
const LoginPurpose = Type.Enum(['login', 'link']);

/**
 * `popup`: a window of its own, the callback page talks to its opener. `page`: the whole page goes and comes
 * back to `return_to`, logged in.
 */
const LoginDisplay = Type.Enum(['popup', 'page']);

const startKeys = {
  display: Type.Optional(LoginDisplay),
  /** A path of ours with its query, "/my": where the player goes when there is no page to report to. */
  return_to: Type.Optional(Text(500)),
};

/** One attempt, good for ten minutes, once, in this browser only. */
export const LoginStart = Type.Object({
  /** The provider's page. */
  url: Type.String(),
  /** Names the attempt; comes back in the LoginMessage. For X it is the request token. */
  state: Type.String(),
  redirect_uri: Type.String(),
});
export type LoginStart = Static<typeof LoginStart>;

/**
 * Every kind's route takes the attempt's `state`; without it nothing is believed. `iss` is handed
 * on when the provider sent it.
 */
const finish = { state: Type.Optional(Text(200)), iss: Type.Optional(Text(200)) };
const code = Type.String({ minLength: 1, maxLength: 4000 });
const token = Type.String({ minLength: 1, maxLength: 8000 });
const ofGame = { client_id: Type.Optional(ClientId) };
const inGame = { game_id: Type.Optional(ClientId) };

/** @source specification section 7: "authorization_code, pkg, client_id, redirect_uri" */
const google = {
  ...finish,
  authorization_code: code,
  pkg: Type.Optional(Text(200)),
  redirect_uri: Type.Optional(Text(500)),
};
/** @source specification section 7: "adds identity_token" */
const apple = {
  ...finish,
  authorization_code: code,
  identity_token: token,
  pkg: Type.Optional(Text(200)),
  redirect_uri: Type.Optional(Text(500)),
};
/** @source specification section 7: "fb_access_token"; the code is ours, so that no token passes through the browser */
const facebook = {
  ...finish,
  fb_access_token: Type.Optional(token),
  authorization_code: Type.Optional(code),
  redirect_uri: Type.Optional(Text(500)),
};
/**
 * `oauth_token` is X's request token here, never a session. @source specification section 7: "a login with
 * oauth_token and oauth_verifier"
 */
const twitter = {
  oauth_token: Type.String({ minLength: 1, maxLength: 200 }),
  oauth_verifier: Type.String({ minLength: 1, maxLength: 200 }),
};
/** @source specification section 7: "vk_access_token, uid"; code and device_id are VK ID's own way */
const vk = {
  ...finish,
  vk_access_token: Type.Optional(token),
  uid: Type.Optional(Text(40)),
  authorization_code: Type.Optional(code),
  device_id: Type.Optional(Text(300)),
  redirect_uri: Type.Optional(Text(500)),
};
/** @source specification section 7: "authorization_code, redirect_uri" */
const huawei = { ...finish, authorization_code: code, redirect_uri: Type.Optional(Text(500)) };
const own = huawei;
/**
 * Encoded as name and password are (contracts/credentials.ts). @source specification section
 * 5: at most 80 characters each
 */
const card = {
  card_number: Type.String({ minLength: 1, maxLength: 450 }),
  card_password: Type.String({ minLength: 1, maxLength: 450 }),
};

/** Under /util/login: for the shop. */
export const loginRoutes = {
  start: route({
    path: '/util/login/start',
    kind: 'post',
    summary: 'Begin a login by another identity, or the linking of one; twitter too',
    access: 'anyone',
    input: params({ ...startKeys, kind: LoginKind, client_id: ClientId, purpose: Type.Optional(LoginPurpose) }),
    output: LoginStart,
  }),
  twitterRedirect: route({
    path: '/util/login/twitter_redirect',
    kind: 'post',
    summary: 'The same for X, as the specification names it; callback must be the one of login_config',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({
      ...startKeys,
      client_id: ClientId,
      callback: Type.Optional(Text(500)),
      purpose: Type.Optional(LoginPurpose),
    }),
    output: LoginStart,
  }),
  google: route({
    path: '/util/login/google_auth',
    kind: 'post',
    summary: 'Log in (or link) with what Google sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...google, ...ofGame }),
    output: UserInfo,
  }),
  ios: route({
    path: '/util/login/apple_auth',
    kind: 'post',
    summary: 'Log in (or link) with what Apple sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...apple, ...ofGame }),
    output: UserInfo,
  }),
  facebook: route({
    path: '/util/login/facebook_auth',
    kind: 'post',
    summary: 'Log in (or link) with what Facebook sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...facebook, ...ofGame }),
    output: UserInfo,
  }),
  twitter: route({
    path: '/util/login/twitter_auth',
    kind: 'post',
    summary: 'Log in (or link) with what X sent back; oauth_token is its request token',
    access: 'anyone',
    hasLegacyGet: true,
    hasOwnToken: true,
    input: params({ ...twitter, ...ofGame }),
    output: UserInfo,
  }),
  vk: route({
    path: '/util/login/vk_auth',
    kind: 'post',
    summary: 'Log in (or link) with what VK sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...vk, ...ofGame }),
    output: UserInfo,
  }),
  huawei: route({
    path: '/util/login/huawei_auth',
    kind: 'post',
    summary: 'Log in (or link) with what Huawei sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...huawei, ...ofGame }),
    output: UserInfo,
  }),
  own: route({
    path: '/util/login/own_auth',
    kind: 'post',
    summary: "Log in (or link) with what the shop's own account server sent back",
    access: 'anyone',
    input: params({ ...own, ...ofGame }),
    output: UserInfo,
  }),
  card: route({
    path: '/util/login/card_auth',
    kind: 'post',
    summary: 'Log in with number and password of a prepaid card, to the account that it was issued to',
    access: 'anyone',
    input: params({ ...card, client_id: ClientId }),
    output: UserInfo,
  }),
};

/**
 * Under /api/ingame: for a make-up payment, with the game's id; the session lives a day at most. @source specification
 * section 7, "replenish login"
 */
export const ingameLoginRoutes = {
  start: route({
    path: '/api/ingame/start',
    kind: 'post',
    summary: 'Begin a login by another identity for a make-up payment',
    access: 'anyone',
    input: params({ ...startKeys, kind: LoginKind, game_id: ClientId }),
    output: LoginStart,
  }),
  password: route({
    path: '/api/ingame/auth',
    kind: 'post',
    summary: 'Log in with a game account for a make-up payment; fields as in /util/login/auth',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({
      username: Type.String({ minLength: 1, maxLength: 400 }),
      password: Type.String({ minLength: 1, maxLength: 2800 }),
      game_id: ClientId,
    }),
    output: UserInfo,
  }),
  twitterRedirect: route({
    path: '/api/ingame/twitter_redirect',
    kind: 'post',
    summary: 'Begin a login by X for a make-up payment',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...startKeys, game_id: ClientId, callback: Type.Optional(Text(500)) }),
    output: LoginStart,
  }),
  google: route({
    path: '/api/ingame/google_auth',
    kind: 'post',
    summary: 'Log in for a make-up payment with what Google sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...google, ...inGame }),
    output: UserInfo,
  }),
  ios: route({
    path: '/api/ingame/apple_auth',
    kind: 'post',
    summary: 'Log in for a make-up payment with what Apple sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...apple, ...inGame }),
    output: UserInfo,
  }),
  facebook: route({
    path: '/api/ingame/facebook_auth',
    kind: 'post',
    summary: 'Log in for a make-up payment with what Facebook sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...facebook, ...inGame }),
    output: UserInfo,
  }),
  twitter: route({
    path: '/api/ingame/twitter_auth',
    kind: 'post',
    summary: 'Log in for a make-up payment with what X sent back',
    access: 'anyone',
    hasLegacyGet: true,
    hasOwnToken: true,
    input: params({ ...twitter, ...inGame }),
    output: UserInfo,
  }),
  vk: route({
    path: '/api/ingame/vk_auth',
    kind: 'post',
    summary: 'Log in for a make-up payment with what VK sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...vk, ...inGame }),
    output: UserInfo,
  }),
  huawei: route({
    path: '/api/ingame/huawei_auth',
    kind: 'post',
    summary: 'Log in for a make-up payment with what Huawei sent back',
    access: 'anyone',
    hasLegacyGet: true,
    input: params({ ...huawei, ...inGame }),
    output: UserInfo,
  }),
  own: route({
    path: '/api/ingame/own_auth',
    kind: 'post',
    summary: "Log in for a make-up payment with what the shop's own account server sent back",
    access: 'anyone',
    input: params({ ...own, ...inGame }),
    output: UserInfo,
  }),
  card: route({
    path: '/api/ingame/card_auth',
    kind: 'post',
    summary: 'Log in for a make-up payment with number and password of a prepaid card',
    access: 'anyone',
    input: params({ ...card, game_id: ClientId }),
    output: UserInfo,
  }),
};
