// What an answer of the pay call means for the page: one small table, so that every case is written down once.
import type { Envelope } from '#contracts/envelope.ts';
import { type CodeName, nameOfCode } from '#contracts/errors.ts';
import type { PayResult } from '#contracts/payments.ts';
import { isPayLink } from './rules.ts';

export type PayAnswer =
  /** The order stands; `url` is safe to open, or empty when the provider needs no page. */
  | { kind: 'placed'; billingNo: string; url: string }
  /** An unpaid order for the same thing exists already. @source specification section 4, "10 repeat" */
  | { kind: 'repeat'; billingNo: string; url: string }
  /** The order stands but its address may not be opened. */
  | { kind: 'badLink'; billingNo: string }
  | { kind: 'priceChanged' }
  | { kind: 'noChannel' }
  /** Everything else: the reactions table of the platform answers by code. */
  | { kind: 'refused'; code: number; message: string };

/** @param pageUrl address of the page, for the rule of the demo's loopback links */
export function readPayAnswer(answer: Envelope<PayResult>, pageUrl: string): PayAnswer {
  const { code, content, msg: message } = answer;
  switch (nameOfCode(code)) {
    case 'success':
    case 'repeatOrder': {
      if (!content) return { kind: 'refused', code, message };
      const { billing_no: billingNo, url } = content;
      if (url !== '' && !isPayLink(url, pageUrl)) return { kind: 'badLink', billingNo };
      return { kind: nameOfCode(code) === 'success' ? 'placed' : 'repeat', billingNo, url };
    }
    case 'priceChanged':
      return { kind: 'priceChanged' };
    case 'channelNotFound':
      return { kind: 'noChannel' };
    default:
      return { kind: 'refused', code, message };
  }
}

/** Answers that leave open whether an order was made: the next press must carry the same key to find it. */
const UNSURE: readonly CodeName[] = ['requestRunning', 'unavailable', 'failed'];

/** Whether the draft's Idempotency-Key has done its work, so that the next press is a new order. */
export function isSettled(code: number): boolean {
  const name = nameOfCode(code);
  return name !== null && !UNSURE.includes(name);
}
