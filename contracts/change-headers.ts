// The header that makes a call safe to send again, as the server checks it and the reference shows it.
import Type from 'typebox';

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
