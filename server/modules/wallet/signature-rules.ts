// When a call of an operator's system counts as fresh. Pure; the signature itself is computed in signature.ts.

/** Seconds by which the clocks may differ. @source docs/wallet.md */
const SKEW_SECONDS = 300;

/** @param timestamp Unix seconds as text; @param nowMs epoch milliseconds */
export function isFresh(timestamp: string, nowMs: number): boolean {
  return /^\d{9,11}$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= SKEW_SECONDS;
}

/** 16 to 64 characters: long enough not to be met again by chance. */
export function isNonce(nonce: string): boolean {
  return /^[A-Za-z0-9_.-]{16,64}$/.test(nonce);
}
