// The number of a request: what a trace calls its trace id, so that one number finds page, log and trace.
import { randomUUID } from 'node:crypto';

/** @source W3C Trace Context, 3.2.2.3: 32 hex digits, not all of them zero */
const REQUEST_ID = /^(?!0{32})[0-9a-f]{32}$/;

export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text);
}

/** A UUID, of which Node draws many at once: asking for 16 random bytes each time took as long as finding the route. */
export function newRequestId(): string {
  return randomUUID().replaceAll('-', '');
}
