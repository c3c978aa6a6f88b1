// How a route is declared once, for the server's validation, the client's types and the OpenAPI document.
import type { Static, TSchema } from 'typebox';

/**
 * `read` is GET. `change` is POST with our header and cookie, or GET when the request carries its own oauth_token.
 * `post` is POST only, whatever the token: passwords and card numbers never travel in a query.
 */
export type RouteKind = 'read' | 'change' | 'post';

/** 'player' answers -600 without a session. */
export type Access = 'anyone' | 'player';

export type Route<Input extends TSchema = TSchema, Output extends TSchema = TSchema, Who extends Access = Access> = {
  readonly path: string;
  readonly kind: RouteKind;
  readonly summary: string;
  readonly access: Who;
  readonly input: Input;
  readonly output: Output;
  /**
   * A backup host answers it, where a token of a quarter of an hour names the player. Left out: true for reads, false for
   * changes, so that a new act on an account is refused there until somebody decides otherwise.
   */
  readonly isAtBackupHost?: boolean;
  /** The call has an `oauth_token` of its own that is no session of ours: X's request token. */
  readonly hasOwnToken?: true;
  /**
   * A `post` that brands with `legacyGet` take by GET as well, as the specification writes it: its logins only, and
   * never to begin the linking of an identity.
   */
  readonly hasLegacyGet?: true;
};

/** Returns true for a call that a backup host answers. */
export const isAtBackupHost = (one: Pick<Route, 'kind' | 'isAtBackupHost'>): boolean =>
  one.isAtBackupHost ?? one.kind === 'read';

/** Declares a route; the identity function exists for its types. */
export function route<Input extends TSchema, Output extends TSchema, Who extends Access>(
  declaration: Route<Input, Output, Who>,
): Route<Input, Output, Who> {
  return declaration;
}

export type InputOf<R extends Route> = Static<R['input']>;
export type OutputOf<R extends Route> = Static<R['output']>;
