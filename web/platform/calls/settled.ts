// Decides when a change that makes an order has ended, so that its Idempotency-Key has done its work.
import type { CodeName } from '#contracts/errors.ts';
import type { Outcome } from './api.ts';

/** Answers that leave open whether an order was made: the next press must carry the same key to find it. */
const UNSURE: readonly (CodeName | null)[] = ['requestRunning', 'unavailable', 'failed', null];

/** Returns true when the draft's Idempotency-Key has done its work, so that the next press is a new order. */
export function isSettled(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'network') return false;
  return outcome.kind === 'ok' || !UNSURE.includes(outcome.name);
}
