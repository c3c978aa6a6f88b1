// Declares the messages between the window of a provider's page and the page that opened it.
import type { LoginKind } from './logins.ts';

/**
 * The callback page posts this: to its opener with the exact origin, and on the BroadcastChannel for openers that the
 * provider's page cut off. Believe it only when the origin is ours, the shape fits and `state` is the one of a login
 * begun here; answer with LoginHeard at once (to `event.source`, or on the channel), else the callback page finishes
 * the login by itself after `LOGIN_TIMEOUT_MS`.
 */
export type LoginMessage = {
  type: 'refill-login';
  kind: LoginKind;
  state: string;
  /**
   * Null: call the kind's route with `fields`. `cancelled`: the player thought better of
   * it. `failed`: toast `log_fail`.
   */
  error: 'cancelled' | 'failed' | null;
  /**
   * Fields of the kind's route as they came: authorization_code, identity_token, device_id, iss,
   * oauth_token, oauth_verifier, state.
   */
  fields: Record<string, string>;
};
export type LoginReceived = { type: 'refill-login-heard'; state: string };
export const LOGIN_CHANNEL = 'refill-login';
export const LOGIN_TIMEOUT_MS = 3000;

/**
 * Query key of `return_to` after a login that ended without an opener: `cancelled` or
 * `failed`; absent when it went well.
 */
export const LOGIN_RESULT_KEY = 'login_result';
