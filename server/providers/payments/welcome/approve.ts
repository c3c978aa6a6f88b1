// Taking the money: the approval call, and the network cancellation whenever its answer is anything but a clear yes.
// Nobody can be asked afterwards.
import { HOUR_MS } from '#kernel/time.ts';
import type { KnownPayment, PaymentReport, ProviderContext } from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { bareReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { wayOf } from './pages.ts';
import { cancelUrl, isApprovalUrl } from './settings.ts';
import { signApproval, signCancel } from './signature.ts';
import {
  type Approval,
  type Cancelled,
  judgeCancel,
  judgeMobile,
  judgePc,
  judgeUndo,
  readApproval,
  type Undone,
  type Verdict,
  writeAmount,
} from './wire.ts';

/**
 * Our choice: a card company may take its time, and two of these calls must end before the
 * shop lets another process try.
 */
const TIMEOUT_MS = 15_000;

/**
 * Paid, failed (nothing was taken, or it was given back at once), or unknown while neither is sure: then the same is
 * tried again. An approval that cannot be read is undone as well; what cannot be undone is paid_unreadable.
 * An approval is taken only within five minutes; later ones are refused by Welcome, cancelled here, and end as failed.
 * @source github.com/paywelcome/paywelcome.github.io: "if the approval answer is lost, send the same to netCancelUrl"
 */
export async function approve(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  const { settings, environment } = context;
  const approval = payment.approval === null ? null : readApproval(payment.approval);
  const amount = writeAmount(payment.amount);
  // Approved before: a second call would be refused, and its undoing would hit the first.
  if (payment.captureRef !== null || !approval || !amount)
    return end(payment, 'pending', 'there is nothing to approve');
  const urls = approval.way === 'pc' ? [approval.url, approval.netCancelUrl] : [approval.url];
  // Kept texts are checked again: settings change, and this is the last look before the call.
  if (!urls.every((url) => isApprovalUrl(settings, environment, url)))
    return end(payment, 'failed', 'the approval points to a host that is not the provider');
  const call = approval.way === 'pc' ? pcCall(context, approval, amount.price) : mobileCall(context, approval);
  let raw = '';
  const verdict = await ask(context, approval.url, call, (answer) => {
    raw = answer.text;
    return approval.way === 'pc'
      ? judgePc(answer.status, answer.text, payment)
      : judgeMobile(answer.status, answer.text, payment);
  });
  if (verdict.kind === 'paid') return verdict.report;
  if (verdict.kind === 'unsent') return end(payment, 'pending', verdict.reason);
  const undone =
    approval.way === 'pc'
      ? await undoPc(context, approval, call)
      : (await cancelByApi(context, payment, approval.token, true)).kind;
  // A clear no, and nothing to undo: no money. A lost answer whose undoing is refused proves nothing.
  const isOver = undone === 'done' || (verdict.kind === 'refused' && undone === 'refused');
  if (isOver) return end(payment, 'failed', verdict.reason);
  const said = verdict.kind === 'unreadable' ? 'paid' : 'unknown';
  return unreadableReport({ ...payment, captureRef: null }, said, `Welcome: ${verdict.reason}`, raw);
}

async function ask(
  context: ProviderContext,
  url: string,
  form: Readonly<Record<string, string>>,
  judge: (answer: OutboundAnswer) => Verdict,
): Promise<Verdict | { readonly kind: 'unsent'; readonly reason: string }> {
  try {
    return judge(await post(context, url, form));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: error.wasSent ? 'unclear' : 'unsent', reason: error.message };
  }
}

/** @source the vendor's manual, PC, approval request */
function pcCall(context: ProviderContext, { token }: Approval, price: string): Readonly<Record<string, string>> {
  const timestamp = String(context.now());
  return {
    mid: context.settings['MID'] ?? '',
    authToken: token,
    price,
    timestamp,
    signature: signApproval(token, timestamp),
    charset: 'UTF-8',
    format: 'JSON',
  };
}

/** @source the vendor's manual, Mobile, approval request */
function mobileCall(context: ProviderContext, { token }: Approval): Readonly<Record<string, string>> {
  return { P_TID: token, P_MID: context.settings['MID'] ?? '' };
}

/** @source the vendor's manual: the very same fields, to netCancelUrl */
async function undoPc(
  context: ProviderContext,
  approval: Extract<Approval, { way: 'pc' }>,
  form: Readonly<Record<string, string>>,
): Promise<Undone> {
  try {
    const { status, text } = await post(context, approval.netCancelUrl, form);
    return judgeUndo(status, text);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return 'unclear';
  }
}

/**
 * A whole cancellation by the PAYAPI. Throws nothing for the outside.
 * @param isNetwork an approval whose answer was lost (cancelType C), not a refund
 * @source the vendor's manual, PAYAPI /cancel/cancel
 */
export async function cancelByApi(
  context: ProviderContext,
  payment: KnownPayment,
  tid: string,
  isNetwork: boolean,
): Promise<Cancelled> {
  const fields = { price: writeAmount(payment.amount)?.price ?? '', ...(isNetwork ? { cancelType: 'C' } : {}) };
  return callCancel(context, payment, tid, 'cancel', fields);
}

/**
 * Cancels what is left of a payment of which parts went back. Throws nothing for the outside.
 * @source the vendor's manual, PAYAPI /cancel/repay: also for what is left after parts; confirmPrice is what remains
 */
export function cancelRestByApi(context: ProviderContext, payment: KnownPayment, tid: string): Promise<Cancelled> {
  const fields = { cancelPrice: writeAmount(payment.amount)?.price ?? '', confirmPrice: '0' };
  return callCancel(context, payment, tid, 'repay', fields);
}

async function callCancel(
  context: ProviderContext,
  payment: KnownPayment,
  tid: string,
  verb: 'cancel' | 'repay',
  fields: Readonly<Record<string, string>>,
): Promise<Cancelled> {
  const { settings, environment } = context;
  const amount = writeAmount(payment.amount);
  const way = wayOf(payment.channelId);
  if (!amount || !way) return { kind: 'refused', reason: 'Welcome cannot express this payment', price: null };
  const mid = settings['MID'] ?? '';
  const timestamp = koreanTime(context.now());
  try {
    const { status, text } = await post(context, cancelUrl(settings, environment, verb), {
      payType: way.payType,
      mid,
      tid,
      currency: amount.currency,
      timestamp,
      signature: signCancel(settings['SIGN_KEY'] ?? '', mid, timestamp),
      ...fields,
    });
    return judgeCancel(status, text, verb === 'cancel');
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: 'unclear', reason: error.message, price: null };
  }
}

/** yyyyMMddHHmmss. UNSURE: the zone; the provider is in Korea */
function koreanTime(ms: number): string {
  return new Date(ms + 9 * HOUR_MS).toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

function post(context: ProviderContext, url: string, form: Readonly<Record<string, string>>): Promise<OutboundAnswer> {
  return context.outbound(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(form).toString(),
    timeoutMs: TIMEOUT_MS,
  });
}

function end(payment: KnownPayment, status: 'pending' | 'failed', reason: string): PaymentReport {
  return bareReport({ ...payment, captureRef: null }, status, reason);
}
