// Declares the calls about an account's sessions: the player's own list on My, ending one that should not be there, and
// the session at backup hosts.
import Type, { type Static } from 'typebox';
import { NoContent, Text, params } from './envelope.ts';
import { LOGIN_KINDS } from './logins.ts';
import { route } from './route.ts';

/** One live session of the player at this brand. Times in epoch milliseconds. */
export const OwnSession = Type.Object({
  /** Public id: names a session, opens none. */
  id: Type.String(),
  isCurrent: Type.Boolean(),
  /** Browser and system, "Chrome, Android"; empty when it told neither. */
  device: Type.String(),
  /** How it was opened; `other` for a way that this shop no longer has. */
  method: Type.Enum(['password', 'card', 'other', ...LOGIN_KINDS]),
  openedAt: Type.Integer(),
  /** Exact to the minute. */
  seenAt: Type.Integer(),
});
export type OwnSession = Static<typeof OwnSession>;

/** @source OWASP ASVS 5.0, 7.5.2: users can see their sessions and end any of them */
export const sessionRoutes = {
  list: route({
    path: '/util/login/sessions',
    kind: 'read',
    summary: 'Where this account is logged in at this brand, the current session first',
    access: 'player',
    isAtBackupHost: false,
    input: params({}),
    output: Type.Object({
      list: Type.Array(OwnSession),
      /** False in a session that may only look: opened by a card, by a game, or for a make-up payment. */
      canEnd: Type.Boolean(),
    }),
  }),
  /**
   * @source OWASP ASVS 5.0, 3.4.2 and 7.2.1: cookies do not go to another origin, so the page shows
   * this there as a Bearer token
   */
  backupToken: route({
    path: '/util/login/backup_token',
    kind: 'post',
    summary: "A token for the brand's backup hosts, good for the current session and for a short time",
    access: 'player',
    input: params({}),
    output: Type.Object({
      token: Type.String(),
      /** Seconds. */
      expires_in: Type.Integer(),
    }),
  }),
  end: route({
    path: '/util/login/end_session',
    kind: 'post',
    summary: 'End another session of this account; one that has ended already is no fault',
    access: 'player',
    input: params({ id: Text(64) }),
    output: NoContent,
  }),
  endOthers: route({
    path: '/util/login/end_other_sessions',
    kind: 'post',
    summary: 'End every session of this account at this brand but the current one',
    access: 'player',
    input: params({}),
    output: NoContent,
  }),
};
