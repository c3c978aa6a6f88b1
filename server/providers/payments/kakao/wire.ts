// KakaoPay's single payment on the wire: shapes, statuses, and what they mean to us. Pure: no calls, no clock.
import Type, { type Static } from 'typebox';
import type { Money } from '#kernel/money.ts';
import type {
  CreatePayment,
  KnownPayment,
  PaymentReport,
  PaymentStatus,
  RefundOutcome,
} from '#server/modules/payments/provider.ts';
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';
import { reader } from '#server/providers/payments/kit/json.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { statusIn } from '#server/providers/payments/kit/report.ts';

const Id = Type.String({ minLength: 1, maxLength: 100 });
const Text = Type.Optional(Type.String());
/** `total` is text here: see parse. */
const Total = Type.Optional(Type.Object({ total: Text }));

/** @source developers.kakaopay.com, single payment, "ready" */
const Ready = Type.Object({ tid: Id, next_redirect_pc_url: Text, next_redirect_mobile_url: Text });

/** @source developers.kakaopay.com, single payment, "approve" */
const Approval = Type.Object({ aid: Id, tid: Id, cid: Text, partner_order_id: Text, amount: Total });

/**
 * @source developers.kakaopay.com, "order": `payment_action_details`, each with its `aid`; `payment_action_type` is
 *   PAYMENT, CANCEL or ISSUED_SID. Mock payments leave `amount` out.
 */
const Action = Type.Object({ aid: Id, payment_action_type: Type.String(), amount: Text });

/** @source developers.kakaopay.com, "order" */
const Order = Type.Object({
  tid: Id,
  cid: Text,
  status: Type.String(),
  partner_order_id: Text,
  amount: Total,
  canceled_amount: Total,
  payment_action_details: Type.Optional(Type.Array(Action)),
});
export type Order = Static<typeof Order>;

/** @source developers.kakaopay.com, "cancel" */
const Cancelled = Type.Object({ aid: Id, status: Type.String(), approved_cancel_amount: Total });

/** @source developers.kakaopay.com, error codes */
const Fault = Type.Object({ error_code: Type.String(), error_message: Text });

export const readReady = reader(Ready);
export const readApproval = reader(Approval);
export const readOrder = reader(Order);
const readCancelled = reader(Cancelled);
const readFaultBody = reader(Fault);

/** KakaoPay takes won only, which have no decimals. @source developers.kakaopay.com: amounts are Integer, KRW */
const amounts = createAmounts({ title: 'KakaoPay', form: 'major', currencies: ['KRW'] });

export const { failRefund, refuse, supportsCurrency } = amounts;

/** Whole won; null for anything else. */
export function writeAmount(amount: Money): number | null {
  const won = amounts.write(amount);
  return won === null ? null : Number(won);
}

export const readAmount = (won: string | undefined): Money | null => amounts.read(won, 'KRW');

/** @source developers.kakaopay.com, "ready": item_name 100 characters, addresses 255 */
const MAX = { itemName: 100, address: 255 };

/** Body of ready; null when an address is longer than KakaoPay takes. */
export function writeReady(input: CreatePayment, cid: string, amount: number): string | null {
  if ([input.returnUrl, input.cancelUrl].some((url) => url.length > MAX.address)) return null;
  return JSON.stringify({
    cid,
    partner_order_id: input.reference,
    partner_user_id: input.playerRef,
    item_name: [...input.productName].slice(0, MAX.itemName).join(''),
    quantity: 1,
    total_amount: amount,
    tax_free_amount: 0,
    approval_url: input.returnUrl,
    cancel_url: input.cancelUrl,
    // The player lands here after 15 minutes: no cancellation of theirs, so the plain address.
    fail_url: input.returnUrl,
  });
}

/** Body of approve. With `total_amount` KakaoPay itself refuses an amount that differs. */
export function writeApprove(payment: KnownPayment, tid: string, cid: string, amount: number): string {
  return JSON.stringify({
    cid,
    tid,
    partner_order_id: payment.reference,
    partner_user_id: payment.playerRef,
    pg_token: payment.approval,
    total_amount: amount,
  });
}

/**
 * Body of cancel, of all that is left. `cancel_available_amount` is what must still be there: a repeat finds nothing and
 * is refused, and so is a rest that is another than we know.
 */
export function writeCancel(tid: string, cid: string, amount: number): string {
  return JSON.stringify({
    cid,
    tid,
    cancel_amount: amount,
    cancel_tax_free_amount: 0,
    cancel_available_amount: amount,
  });
}

/**
 * Only our `approve` takes money, so AUTH_PASSWORD is not paid, and a refused or left page never will
 * be: another try is another tid.
 * @source developers.kakaopay.com, "order", status
 */
const STATUS: Readonly<Record<string, PaymentStatus>> = {
  READY: 'pending',
  SEND_TMS: 'pending',
  OPEN_PAYMENT: 'pending',
  SELECT_METHOD: 'pending',
  ARS_WAITING: 'pending',
  AUTH_PASSWORD: 'pending',
  ISSUED_SID: 'pending',
  SUCCESS_PAYMENT: 'paid',
  FAIL_AUTH_PASSWORD: 'failed',
  QUIT_PAYMENT: 'failed',
  FAIL_PAYMENT: 'failed',
  CANCEL_PAYMENT: 'refunded',
  PART_CANCEL_PAYMENT: 'refunded',
};

export const orderStatus = (word: string | undefined): PaymentStatus => statusIn(STATUS, word);

/** Each cancel of a payment, ours and those of the merchant console; null when they are not all told. */
function listCancels({ canceled_amount, payment_action_details = [] }: Order): PaymentReport['refunds'] | null {
  const cancels = payment_action_details.filter((one) => one.payment_action_type === 'CANCEL');
  const refunds = cancels.flatMap(({ aid, amount: won }) => {
    const amount = readAmount(won);
    return amount ? [{ dedupKey: `CANCEL:${aid}`, amount }] : [];
  });
  const sum = refunds.reduce((total, { amount }) => total + amount.amountMinor, 0);
  return sum > 0 && sum === readAmount(canceled_amount?.total)?.amountMinor ? refunds : null;
}

/** Reports the payment of an `order`. Of a cancelled one, the amount is what went back. */
export function reportOrder(order: Order): PaymentReport {
  const status = orderStatus(order.status);
  const amount = readAmount(status === 'refunded' ? order.canceled_amount?.total : order.amount?.total);
  const hasMoney = status === 'paid' || status === 'refunded';
  const refunds = status === 'refunded' ? listCancels(order) : null;
  return {
    status,
    reference: order.partner_order_id ?? null,
    providerRef: order.tid,
    captureRef: hasMoney ? order.tid : null,
    amount,
    ...(refunds ? { refunds } : {}),
    merchantAccount: order.cid ?? null,
    reason: order.status.slice(0, 200),
  };
}

/** Reports a successful approve. Refunds need the tid, so that is the capture's name too. */
export function reportApproval(approval: Static<typeof Approval>): PaymentReport {
  return {
    status: 'paid',
    reference: approval.partner_order_id ?? null,
    providerRef: approval.tid,
    captureRef: approval.tid,
    amount: readAmount(approval.amount?.total),
    merchantAccount: approval.cid ?? null,
    reason: `approved as ${approval.aid}`,
  };
}

/**
 * The outcome of cancel; null when only `order` can tell.
 * @source developers.kakaopay.com, "cancel": approved_cancel_amount is what this call cancelled
 */
export function readRefund(status: number, text: string, asked: Money): RefundOutcome | null {
  const cancelled = status === 200 ? readCancelled(text) : null;
  if (cancelled?.status !== 'CANCEL_PAYMENT') return null;
  const amount = readAmount(cancelled.approved_cancel_amount?.total);
  return refundOfAmount({ status: 'done', refundProviderRef: cancelled.aid, reason: null }, amount, asked);
}

/** One sentence of an error answer; null when the body is not KakaoPay's. */
export function readFault(text: string): string | null {
  const body = readFaultBody(text);
  return body ? `${body.error_code} ${body.error_message ?? ''}`.trim().slice(0, 200) : null;
}

/**
 * Codes of a refused cancel that prove nothing: too many calls, our own trouble, another call in progress.
 * @source developers.kakaopay.com, error codes. UNSURE: known at second hand, from
 *   integrations that quote the error sheet
 */
export function isPassing(reason: string): boolean {
  return /^(?:-429|-500|-503|-785)\b/.test(reason);
}
