// Welcome Payments: the verbs of the payment port. The browser brings an approval, our server turns it into money;
// there is nothing to ask afterwards.
import { HOUR_SECONDS } from '#kernel/time.ts';
import type {
  CheckOutcome,
  CreateOutcome,
  PaymentProvider,
  PayPage,
  RefundOutcome,
} from '#server/modules/payments/provider.ts';
import { bareReport, pendingReport } from '#server/providers/payments/kit/report.ts';
import { isOfRest, refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { approve, cancelByApi, cancelRestByApi } from './approve.ts';
import { wayOf, writeMobilePage, writePcPage } from './pages.ts';
import { apiHosts, isApprovalUrl, mobileUrl, payHosts, scriptSources, scriptUrl, settings } from './settings.ts';
import { readAmount, readBrowser, refuse, supportsCurrency, writeAmount } from './wire.ts';

/** Our choice: the form can be opened for an hour, and an approval is good for five minutes more. */
const PAYABLE_SECONDS = HOUR_SECONDS + 5 * 60;

export const welcome: PaymentProvider = {
  name: 'welcome',
  settings,
  amountForm: 'minor-units',
  supportsCurrency,
  accountOf: (given) => given['MID'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  signedHeaders: [],
  // These name the payer of a virtual account, and the account. @source the manual's deposit notice
  personalFields: ['nm_input', 'no_vacct'],

  /** There is no call that makes a payment: the form of our page does, when it is opened. */
  async create(_context, input): Promise<CreateOutcome> {
    if (!writeAmount(input.amount)) return refuse(input.amount);
    if (!wayOf(input.channelId)) return { kind: 'refused', reason: `"${input.channelId}" is no way to pay at Welcome` };
    return { kind: 'page', providerRef: null };
  },

  async payPage(context, input): Promise<PayPage> {
    const { settings: given, environment } = context;
    const charge = writeAmount(input.amount);
    const way = wayOf(input.channelId);
    const now = context.now();
    if (!charge || !way) return { kind: 'closed', reason: 'this cannot be paid at Welcome' };
    if (input.expiresAt <= now) return { kind: 'closed', reason: 'too late' };
    const merchant = { mid: given['MID'] ?? '', signKey: given['SIGN_KEY'] ?? '', tel: given['BUYER_TEL'] ?? '' };
    if (input.device.isMobile)
      return writeMobilePage(input, merchant, charge, way, { action: mobileUrl(given, environment, way.path), now });
    const to = { src: scriptUrl(given, environment), sources: scriptSources(given, environment), now };
    return writePcPage(input, merchant, charge, way, to);
  },

  readReturn({ settings: given, environment }, raw, payment) {
    const approval = readBrowser(raw, payment, given['MID'] ?? '');
    const urls = approval?.way === 'pc' ? [approval.url, approval.netCancelUrl] : [approval?.url];
    const isOurs = approval !== null && urls.every((url) => isApprovalUrl(given, environment, url));
    return { approval: isOurs ? JSON.stringify(approval) : null };
  },

  /**
   * No query is published: an approval in hand is all that can be known, and only `capture` finds out what it is worth.
   */
  async query(context, payment) {
    if (payment.approval !== null && payment.captureRef === null)
      return bareReport(payment, 'approved', 'waits for our approval');
    const isOver = context.now() - payment.createdAt > PAYABLE_SECONDS * 1000;
    // Without an approval of the browser nothing can have been taken.
    if (isOver && payment.captureRef === null) return bareReport(payment, 'expired', 'the player has not come back');
    return pendingReport(payment, 'Welcome cannot be asked');
  },

  capture: approve,

  async readCallback() {
    // Only virtual accounts notify, which are not offered; and what notifies is not signed.
    const answer = { status: 404, contentType: 'text/plain', body: '' };
    return { kind: 'invalid', reason: 'Welcome signs no notification', answer };
  },

  async refund(context, payment): Promise<RefundOutcome> {
    if (payment.captureRef === null)
      return { status: 'failed', refundProviderRef: null, reason: 'the tid is not known' };
    const { kind, reason, price } = isOfRest(payment)
      ? await cancelRestByApi(context, payment, payment.captureRef)
      : await cancelByApi(context, payment, payment.captureRef, false);
    const status = { done: 'done', refused: 'failed', unclear: 'unknown' } as const;
    const refundProviderRef = kind === 'done' ? payment.captureRef : null;
    const amount = price === null ? null : readAmount(price, payment.amount.currency);
    return refundOfAmount({ status: status[kind], refundProviderRef, reason }, amount, payment.amount);
  },

  /** Only its script can be asked for without touching a payment, and that is public. */
  async check({ environment, outbound, settings: given }): Promise<CheckOutcome> {
    const url = scriptUrl(given, environment);
    const { status, text } = await outbound(url, { method: 'GET' });
    // A page that says "back soon" comes with 200 as well.
    if (status !== 200 || text.trimStart().startsWith('<'))
      return { kind: 'unreachable', reason: `Welcome answered ${status} instead of its script` };
    const reason =
      'Welcome gives its script, but has no query that would need a key: a test purchase proves MID and SIGN_KEY';
    return { kind: 'nothing_to_ask', reason };
  },
};
