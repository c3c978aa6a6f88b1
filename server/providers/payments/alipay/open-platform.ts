// The verbs of the payment port over Alipay's Open Platform (mainland China, CNY). Shapes and
// signing are in open-wire.ts.
import type {
  CallbackAnswer,
  CallbackEvent,
  CallbackReading,
  CheckOutcome,
  CreateOutcome,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import {
  asRead,
  bareReport,
  pendingReport,
  unknownReport,
  unreadableReport,
} from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { readYuan, yuan } from './amounts.ts';
import {
  type Answer,
  chinaTime,
  type Fields,
  isNoticeSigned,
  partOf,
  readAnswer,
  reportNotice,
  reportTrade,
  sentenceOf,
  signedPart,
  signFields,
  tradeStatus,
  writeTrade,
} from './open-wire.ts';
import { readPrivateKey, readPublicKeys } from './rsa.ts';
import { apiBase, payHosts } from './settings.ts';

/** @source opendocs.alipay.com, asynchronous notice: exactly these seven characters, no redirect */
const ACKNOWLEDGED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: 'success' };
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: 'fail' };

/** @source opendocs.alipay.com, result codes */
const OK = '10000';
const NO_TRADE = 'ACQ.TRADE_NOT_EXIST';
const QUERY = 'alipay.trade.query';
const REFUND_QUERY = 'alipay.trade.fastpay.refund.query';

type Verbs = Required<Pick<PaymentProvider, 'create' | 'query' | 'readCallback' | 'cancel' | 'refund' | 'check'>>;

export const openPlatform: Verbs = {
  /**
   * No call at all: the link is signed here, and the trade begins to exist when the player opens it.
   * UNSURE: how long Alipay takes a link by its timestamp; time_expire ends the trade itself.
   */
  async create(context, input): Promise<CreateOutcome> {
    const totalAmount = yuan.write(input.amount);
    if (!totalAmount) return yuan.refuse(input.amount);
    if (input.channelId === 'CARD') return { kind: 'refused', reason: 'the card channel needs the protocol of Antom' };
    const url = new URL(gateway(context));
    const method = input.device.isMobile ? 'alipay.trade.wap.pay' : 'alipay.trade.page.pay';
    const fields = {
      return_url: input.returnUrl,
      notify_url: input.notifyUrl,
      biz_content: writeTrade(input, totalAmount),
    };
    url.search = new URLSearchParams(sign(context, method, fields)).toString();
    if (!isPayLink(url.href, payHosts(context.settings, context.environment), context.environment))
      return { kind: 'refused', reason: 'the gateway is not among PAY_HOSTS' };
    return { kind: 'redirect', url: url.href, providerRef: input.reference };
  },

  query: queryTrade,

  async readCallback(context, raw) {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    // The body is a form; what is signed are its decoded values.
    const fields = Object.fromEntries(new URLSearchParams(raw.body.toString('utf8')));
    if (!isNoticeSigned(fields, readPublicKeys(context.settings['PUBLIC_KEY'])))
      return invalid('the signature does not fit');
    const event = await withPart(context, fields, reportNotice(fields));
    if (event && 'kind' in event) return event;
    if (event) {
      const report = asRead(event.report, raw.body.toString('utf8'));
      return { kind: 'events', events: [{ ...event, report }], answer: ACKNOWLEDGED };
    }
    const reason = `${fields['notify_type'] ?? 'a notice'} ${fields['trade_status'] ?? ''} is of no interest`;
    return { kind: 'ignored', reason: reason.slice(0, 200), answer: ACKNOWLEDGED };
  },

  async cancel(context, payment) {
    try {
      const answer = await call(context, 'alipay.trade.close', { out_trade_no: payment.reference });
      if (answer?.code === OK) return bareReport(payment, 'failed', 'closed');
      // A trade that does not exist yet can still come to be: its link is in the player's hands.
      if (answer?.sub_code === NO_TRADE) return pendingReport(payment, sentenceOf(answer));
      return await queryTrade(context, payment);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return pendingReport(payment, error.message);
    }
  },

  async refund(context, payment, refundRef) {
    const amount = yuan.write(payment.amount);
    if (!amount) return { status: 'failed', refundProviderRef: null, reason: 'the Open Platform takes CNY only' };
    const say = (status: 'done' | 'failed' | 'unknown', reason: string) => ({
      status,
      refundProviderRef: refundRef,
      reason,
    });
    const about = { out_trade_no: payment.reference, out_request_no: refundRef };
    try {
      const answer = await call(context, 'alipay.trade.refund', { ...about, refund_amount: amount });
      if (!answer) return say('unknown', 'Alipay gave no signed answer');
      if (answer.code === OK && answer.fund_change === 'Y') return say('done', 'fund_change Y');
      if (answer.code === OK) {
        // Nothing moved by this call: the same refund was carried out before, or not yet.
        // UNSURE: refund_status of alipay.trade.fastpay.refund.query is from memory
        const found = await call(context, REFUND_QUERY, about);
        const isBack = found?.refund_status === 'REFUND_SUCCESS';
        const outcome = say(isBack ? 'done' : 'unknown', found ? sentenceOf(found) : 'no answer');
        return refundOfAmount(outcome, readYuan(found?.refund_amount), payment.amount);
      }
      const isFinal = answer.code === '40004' && answer.sub_code !== 'ACQ.SYSTEM_ERROR';
      return say(isFinal ? 'failed' : 'unknown', sentenceOf(answer));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return say('unknown', error.message);
    }
  },

  /**
   * A trade that is not there.
   * @source opendocs.alipay.com, public error codes: 20000 is their own trouble, 40002 isv.* speaks
   *   of application and signature UNSURE: whether an answer to an application nobody knows is signed at all;
   * PUBLIC_KEY alone is not blamed then.
   */
  async check(context): Promise<CheckOutcome> {
    const reply = await send(context, QUERY, { out_trade_no: 'refill-check' });
    const names = ['CLIENT_ID', 'PRIVATE_KEY', 'PUBLIC_KEY'];
    if (reply.status !== 200 || !reply.text.includes(nodeOf(QUERY)))
      return { kind: 'unreachable', reason: `Alipay answered ${reply.status} without a result` };
    const answer = readSigned(context, QUERY, reply);
    if (!answer)
      return { kind: 'refused', reason: 'the answer is not signed by PUBLIC_KEY', lookAt: names.toReversed() };
    const reason = `Alipay answered ${sentenceOf(answer)}`;
    if (answer.code === OK || answer.sub_code === NO_TRADE) return { kind: 'ok', said: reason, proven: names };
    if (answer.code === '20000') return { kind: 'unreachable', reason };
    const isOfKey = /signature/.test(answer.sub_code ?? '');
    return { kind: 'refused', reason, lookAt: isOfKey ? ['PRIVATE_KEY'] : ['CLIENT_ID', 'PRIVATE_KEY'] };
  },
};

/** The event of a part that went back with its amount, which only the refund itself tells; `unavailable` until it does. */
async function withPart(
  context: ProviderContext,
  fields: Fields,
  event: CallbackEvent | null,
): Promise<CallbackEvent | Extract<CallbackReading, { kind: 'unavailable' }> | null> {
  const requestNo = event && partOf(fields)?.requestNo;
  if (!requestNo) return event;
  const about = { out_trade_no: fields['out_trade_no'] ?? '', out_request_no: requestNo };
  try {
    const found = await call(context, REFUND_QUERY, about);
    if (!found) return { kind: 'unavailable', reason: 'Alipay gave no signed answer about a refund' };
    const isThis = found.code === OK && found.refund_status === 'REFUND_SUCCESS';
    return { ...event, report: { ...event.report, amount: isThis ? readYuan(found.refund_amount) : null } };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: 'unavailable', reason: error.message };
  }
}

async function queryTrade(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  const reply = await send(context, QUERY, { out_trade_no: payment.reference });
  const answer = readSigned(context, QUERY, reply);
  if (answer?.code === OK) return asRead(reportTrade(answer, payment.reference), reply.text);
  // Nobody has opened the link yet.
  if (answer?.sub_code === NO_TRADE) return pendingReport(payment, sentenceOf(answer));
  if (answer) return unknownReport(payment, sentenceOf(answer), reply.text);
  const part = signedPart(reply.text, nodeOf(QUERY), readPublicKeys(context.settings['PUBLIC_KEY']));
  const said = part === null ? 'unknown' : tradeStatus(wordAt(part, 'trade_status'));
  return unreadableReport(payment, said, `Alipay answered ${reply.status} to the query`, reply.text);
}

function gateway(context: ProviderContext): string {
  return `${apiBase(context.settings, context.environment)}/gateway.do`;
}

/** @source opendocs.alipay.com, common request parameters */
function sign(context: ProviderContext, method: string, fields: Record<string, string>): Record<string, string> {
  const common = {
    app_id: context.settings['CLIENT_ID'] ?? '',
    method,
    format: 'JSON',
    charset: 'utf-8',
    sign_type: 'RSA2',
    timestamp: chinaTime(context.now()),
    version: '1.0',
  };
  return signFields({ ...common, ...fields }, readPrivateKey(context.settings['PRIVATE_KEY']));
}

/**
 * The signed part of the answer; null when it makes no sense or is not Alipay's. Throws
 * OutboundError when there is none.
 */
async function call(context: ProviderContext, method: string, content: Record<string, string>): Promise<Answer | null> {
  return readSigned(context, method, await send(context, method, content));
}

function send(context: ProviderContext, method: string, content: Record<string, string>): Promise<OutboundAnswer> {
  const { biz_content: body = '', ...common } = sign(context, method, { biz_content: JSON.stringify(content) });
  const url = new URL(gateway(context));
  url.search = new URLSearchParams(common).toString();
  return context.outbound(url.href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
    body: new URLSearchParams({ biz_content: body }).toString(),
  });
}

function readSigned({ settings }: ProviderContext, method: string, { text }: OutboundAnswer): Answer | null {
  const part = signedPart(text, nodeOf(method), readPublicKeys(settings['PUBLIC_KEY']));
  return part === null ? null : readAnswer(part);
}

/** Name of the answer inside the body. @source opendocs.alipay.com, common response parameters */
function nodeOf(method: string): string {
  return `${method.replaceAll('.', '_')}_response`;
}
