// The one rule on which HTTP statuses prove that a call did nothing. Money hangs on it: `refused` ends an
// order, `unknown` keeps asking.

/**
 * 4xx that prove nothing about the call: the provider stopped waiting, is still at it, or does not want it yet.
 * A provider whose public documents say that nothing was made with one of them judges by its own
 * code, with the source beside it.
 * @source RFC 9110 section 15.5.9 (408), 15.5.10 (409); RFC 8470 section 5.2 (425); RFC 6585 section 4 (429)
 */
const UNPROVEN: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/**
 * Returns true when an answer with this status can prove that nothing was done, once its body is in the provider's own
 * form.
 */
export function isCertainRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !UNPROVEN.has(status);
}

/**
 * For providers that refuse by a code in their body, whatever the status: true when the status takes no belief from it.
 */
export function canBelieveCode(status: number): boolean {
  return status < 500 && !UNPROVEN.has(status);
}
