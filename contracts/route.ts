// How a route is declared once, for the server's validation, the client's types and the OpenAPI document.
import Type, { type Static, type TSchema } from 'typebox';

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
  /** Never at a backup host: what is asked there must not prolong itself. */
  readonly isOwnHostOnly?: true;
  /** The call has an `oauth_token` of its own that is no session of ours: X's request token. */
  readonly hasOwnToken?: true;
  /**
   * A `post` that brands with `legacyGet` take by GET as well, as the specification writes it: its logins only, and
   * never to begin the linking of an identity.
   */
  readonly hasLegacyGet?: true;
};

/**
 * The headers of a call that changes something. A key of another form is refused: passed over, the retry would pay
 * again. Without a comma, because a header sent twice arrives as one with its values joined by commas.
 * @source draft-ietf-httpapi-idempotency-key-header: 400 for a key that is not valid; RFC 9110, 5.3
 */
export const CHANGE_HEADERS = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x2b\\x2d-\\x7e]{8,100}$',
      description:
        'Makes a payment or a prepaid card safe to send again: the same key returns the first answer. 8 to 100 visible ASCII characters without a comma, sent once.',
    }),
  ),
});

/** Declares a route; the identity function exists for its types. */
export function route<Input extends TSchema, Output extends TSchema, Who extends Access>(
  declaration: Route<Input, Output, Who>,
): Route<Input, Output, Who> {
  return declaration;
}

export type InputOf<R extends Route> = Static<R['input']>;
export type OutputOf<R extends Route> = Static<R['output']>;
