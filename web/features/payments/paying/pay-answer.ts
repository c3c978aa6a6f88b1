// Maps an outcome of the pay call to the page's reaction: one small table, so that every case is written down once.
import type { CodeName } from '#contracts/errors.ts';
import type { PayResult } from '#contracts/payments.ts';
import type { Outcome } from '#web/platform/calls/api.ts';
import { isPayLink } from './pay-link.ts';

export type PayAnswer =
  /** The order stands; `url` is safe to open, or empty when there is no page to open yet. */
  | { kind: 'placed'; billingNo: string; url: string }
  /** An unpaid order for the same thing exists already. @source specification section 4, "10 repeat" */
  | { kind: 'repeat'; billingNo: string; url: string }
  /** The order stands but its address may not be opened. */
  | { kind: 'badLink'; billingNo: string }
  | { kind: 'priceChanged' }
  | { kind: 'noChannel' }
  /** The coupon does not work for these goods, or not any more. */
  | { kind: 'illegalCoupon' }
  /** The promo code does not work for this order, or not any more. */
  | { kind: 'promoRefused' }
  /** It cannot be bought (any more): the limit is reached, or there is none left. The server's words say which. */
  | { kind: 'closed' }
  /**
   * The sent values do not fit together: an old page, or a link gone wrong. @source specification section 8, "incorrect
   * payment parameters"
   */
  | { kind: 'badParameters' }
  /** Everything else: the platform's table of reactions decides. */
  | { kind: 'refused' };

const CLOSED: readonly CodeName[] = ['limitReached', 'soldOut', 'productNotFound', 'bonusGone'];

/** @param pageUrl address of the page, for the rule of the demo's loopback links */
export function readPayAnswer(outcome: Outcome<PayResult>, pageUrl: string): PayAnswer {
  if (outcome.kind === 'network') return { kind: 'refused' };
  const name = outcome.kind === 'ok' ? 'success' : outcome.name;
  if (name === 'priceChanged') return { kind: 'priceChanged' };
  if (name === 'channelNotFound') return { kind: 'noChannel' };
  if (name === 'illegalCoupon') return { kind: 'illegalCoupon' };
  if (name === 'promoRefused') return { kind: 'promoRefused' };
  if (name !== null && CLOSED.includes(name)) return { kind: 'closed' };
  if (name === 'badRequest') return { kind: 'badParameters' };
  const { content } = outcome;
  if ((name !== 'success' && name !== 'repeatOrder') || !content) return { kind: 'refused' };
  const { billing_no: billingNo, url } = content;
  if (url !== '' && !isPayLink(url, pageUrl)) return { kind: 'badLink', billingNo };
  return { kind: name === 'success' ? 'placed' : 'repeat', billingNo, url };
}
