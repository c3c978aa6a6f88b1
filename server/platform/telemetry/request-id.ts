// The number of a request: what a trace calls its trace id, so that one number finds page, log and trace.
import { randomBytes } from 'node:crypto';

/** @source W3C Trace Context, 3.2.2.3: 32 hex digits, not all of them zero */
const REQUEST_ID = /^(?!0{32})[0-9a-f]{32}$/;

export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text);
}

export function newRequestId(): string {
  return randomBytes(16).toString('hex');
}
