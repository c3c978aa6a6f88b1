// The words of an order in review, by its kind, and neutral ones where the server does not name it. A page older than
// its server may meet a kind that it does not know.
import type { BillingInfo, ReviewKind } from '#contracts/orders.ts';
import { t } from '#web/platform/i18n.ts';

export type ReviewWords = { title: string; text: string; ask: string };

export function tellReview(kind: ReviewKind | undefined): ReviewWords {
  const ask = t('result.review_ask');
  switch (kind) {
    case 'payment':
      return { title: t('result.review_payment_title'), text: t('result.review_payment_text'), ask };
    case 'received':
      return { title: t('result.review_received_title'), text: t('result.review_received_text'), ask };
    case 'delivery':
      return { title: t('result.review_received_title'), text: t('result.review_delivery_text'), ask };
    case 'refund':
      return { title: t('result.review_refund_title'), text: t('result.review_refund_text'), ask };
    case 'dispute':
      // Whoever wants the goods all the same has to buy them anew: nothing is said of paying.
      return {
        title: t('result.review_dispute_title'),
        text: t('result.review_dispute_text'),
        ask: t('result.review_dispute_ask'),
      };
    default:
      return { title: t('result.review_title'), text: t('result.review_text'), ask };
  }
}

/** The word of an order's chip. */
export function tellStage({ stage, review_kind: kind }: Pick<BillingInfo, 'stage' | 'review_kind'>): string {
  if (stage !== 'review') return t(`order.stage_${stage}`);
  switch (kind) {
    case 'payment':
      return t('order.review_payment');
    case 'received':
      return t('order.review_received');
    case 'delivery':
      return t('order.review_delivery');
    case 'refund':
      return t('order.review_refund');
    case 'dispute':
      return t('order.review_dispute');
    default:
      return t('order.stage_review');
  }
}
