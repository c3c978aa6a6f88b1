// Antom's notices: shapes and what each means to us. Pure; signatures are in antom-wire.ts.
import Type, { type Static } from 'typebox';
import type { CallbackEvent, PaymentStatus } from '#server/modules/payments/provider.ts';
import { capped, reader, wordAt } from '#server/providers/payments/kit/json.ts';
import { statusIn, unreadableEvent } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';
import { CARD, refundKey } from './antom-wire.ts';

const Text = Type.Optional(Type.String({ maxLength: 4000 }));
const Amount = Type.Optional(Type.Object({ currency: Text, value: Text }));

/**
 * notifyPayment, notifyCapture, notifyRefund and notifyDispute in one: they come to the same
 * address and share their fields.
 * @source docs.antom.com, the four pages of these names
 */
const Notice = Type.Object({
  notifyType: Text,
  disputeNotificationType: Text,
  result: Type.Optional(Type.Object({ resultStatus: Text, resultCode: Text, resultMessage: Text })),
  paymentRequestId: Text,
  paymentId: Text,
  paymentAmount: Amount,
  paymentMethodType: Text,
  captureAmount: Amount,
  captureId: Text,
  refundRequestId: Text,
  refundId: Text,
  refundAmount: Amount,
  refundStatus: Text,
  metadata: Text,
  disputeId: Text,
  disputeJudgedResult: Text,
  disputeJudgedAmount: Amount,
  disputeAmount: Amount,
  disputeAcceptReason: Text,
});
type Notice = Static<typeof Notice>;

export const readNotice = reader(Notice);

/**
 * Goes with a refund and comes back in its notice, which names the payment in no other way.
 * @source docs.antom.com, refund and notifyRefund, metadata
 */
const Metadata = Type.Object({ reference: Type.String({ maxLength: 64 }) });
const readMetadata = reader(Metadata);
export const writeMetadata = (reference: string): string => JSON.stringify({ reference });

/** @source docs.antom.com, notifyRefund */
const REFUND_STATUS: Readonly<Record<string, PaymentStatus>> = { SUCCESS: 'refunded', FAIL: 'refund_failed' };

/** A verified notice as an event of ours; null when it is of no interest. */
export function reportNotice(notice: Notice, clientId: string): CallbackEvent | null {
  const { notifyType = '', result } = notice;
  const outcome = result?.resultStatus ?? '';
  const tell = (
    status: PaymentStatus,
    key: string,
    about: { reference?: string | undefined; amount?: Notice['paymentAmount']; reason?: string | undefined },
  ): CallbackEvent => ({
    dedupKey: capped(key),
    report: {
      status,
      reference: about.reference ?? notice.paymentRequestId ?? null,
      providerRef: notice.paymentId ?? null,
      captureRef: notice.paymentId ?? null,
      amount: readAmount(about.amount?.value, about.amount?.currency),
      merchantAccount: clientId,
      reason: capped(about.reason ?? [notifyType, result?.resultCode, result?.resultMessage].filter(Boolean).join(' ')),
    },
  });

  switch (notifyType) {
    case 'PAYMENT_RESULT':
    case 'PAYMENT_PENDING':
      return tell(
        paymentStatus(notice, outcome),
        `${notifyType}:${notice.paymentId ?? notice.paymentRequestId}:${outcome}`,
        {
          amount: notice.paymentAmount,
        },
      );
    case 'CAPTURE_RESULT':
      // Success was told as PAYMENT_RESULT already; a capture that failed takes that promise back.
      // UNSURE: this notice names the payment by paymentId only, which the shop knows once the payment was reported
      return outcome === 'F'
        ? tell('chargeback', `CAPTURE_RESULT:${notice.captureId ?? notice.paymentId}:F`, {
            amount: notice.captureAmount,
          })
        : null;
    case 'REFUND_RESULT': {
      const reference = readMetadata(notice.metadata ?? '')?.reference;
      const key = refundKey(notice.refundId ?? notice.refundRequestId, notice.refundStatus);
      // One made in the Dashboard names no payment and stays unmatched. Its own key is left to the inquiry's list, where
      // it stands beside its payment.
      const isNamed = (reference ?? notice.paymentRequestId ?? notice.paymentId) !== undefined;
      return tell(statusIn(REFUND_STATUS, notice.refundStatus), isNamed ? key : `${key}:unnamed`, {
        reference,
        amount: notice.refundAmount,
      });
    }
  }
  const lost = lostDispute(notice);
  // One key for the dispute: it is lost once, whichever of the three notices comes, or how many of them.
  return lost === null
    ? null
    : tell('chargeback', `DISPUTE:${notice.disputeId ?? notice.paymentId}`, {
        amount: notice.disputeJudgedAmount ?? notice.disputeAmount,
        reason: lost,
      });
}

/**
 * How a dispute was lost; null while it is open, or when it was won or withdrawn. Judged against the
 * merchant; accepted, by us or by silence (TIMEOUT); or given back at once under an agreement with the card network
 * (RDR).
 * @source docs.antom.com, notifyDispute; github.com/alipay/global-open-sdk-java,
 *   DisputeNotificationType and DisputeAcceptReasonType UNSURE: RDR_RESOLVED names no result; the network's rule of it
 * is that the buyer gets the money back
 */
function lostDispute({
  disputeNotificationType: type,
  disputeJudgedResult,
  disputeAcceptReason,
}: Notice): string | null {
  if (type === 'DISPUTE_JUDGED' && disputeJudgedResult === 'ACCEPT_BY_MERCHANT')
    return `${type} ${disputeJudgedResult}`;
  if (type === 'DISPUTE_ACCEPTED') return [type, disputeAcceptReason].filter(Boolean).join(' ');
  return type === 'RDR_RESOLVED' ? type : null;
}

/** A verified notice whose shape does not fit: what it names is told all the same. */
export function unreadableNotice(body: Buffer): CallbackEvent | null {
  const text = body.toString('utf8');
  const kind = wordAt(text, 'notifyType') ?? wordAt(text, 'disputeNotificationType') ?? '';
  const isPaid = kind === 'PAYMENT_RESULT' && wordAt(text, 'result', 'resultStatus') === 'S';
  const isBack = kind === 'REFUND_RESULT' || kind === 'RDR_RESOLVED' || kind.startsWith('DISPUTE_');
  const about = {
    reference: wordAt(text, 'paymentRequestId') ?? null,
    providerRef: wordAt(text, 'paymentId') ?? null,
    captureRef: wordAt(text, 'paymentId') ?? null,
  };
  const said = isPaid ? 'paid' : isBack ? 'chargeback' : 'unknown';
  return unreadableEvent(about, said, `Antom sent ${kind || 'a notice'}`, body);
}

/**
 * Only PAYMENT_RESULT with S is money; PAYMENT_PENDING with S is still on its way.
 * @source docs.antom.com, notifyPayment
 * UNSURE: whether a refused card on the hosted page sends F and may be tried again; `declined` is right either way
 */
function paymentStatus(notice: Notice, outcome: string): PaymentStatus {
  if (notice.notifyType === 'PAYMENT_PENDING') return 'pending';
  if (outcome === 'S') return 'paid';
  if (outcome === 'F') return notice.paymentMethodType === CARD ? 'declined' : 'failed';
  return 'unknown';
}
