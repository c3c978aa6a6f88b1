// MyCard (MyBillingPay): the verbs of the payment port. One adapter for three channels: INGAME (point card), COSTPOINT
// (member points) and empty (all that MyCard offers). Shapes and meanings are in wire.ts, what MyCard sends in
// notices.ts.
import { DAY_SECONDS } from '#kernel/time.ts';
import type {
  CallbackAnswer,
  CallbackReading,
  CheckOutcome,
  CreateOutcome,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
  RawCallback,
} from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { asRead, pendingReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { hashOf } from './hash.ts';
import {
  isMyCardServer,
  isReturnSigned,
  readDifference,
  readFields,
  readMakeup,
  toApproval,
  writeDifference,
} from './notices.ts';
import {
  apiBase,
  apiHosts,
  hashStyle,
  isCallbackIp,
  isConfirmedCode,
  pathVersion,
  payHosts,
  payPageUrl,
  settings,
} from './settings.ts';
import {
  type Auth,
  authFields,
  readAuth,
  readConfirm,
  readProviderRef,
  readTrade,
  reportTrade,
  saidBy,
  type Trade,
  writeProviderRef,
} from './wire.ts';

/**
 * UNSURE: how long an AuthCode can be paid is not known. A day, so that a make-up notice still finds its order open.
 */
const PAYABLE_SECONDS = DAY_SECONDS;

/** Our choice: a confirmation that is refused for this long after the payment began is a case for a person. */
const DOUBT_MS = 15 * 60 * 1000;

/** @source manual 3.2.4 and 3.6: 200; no text is known to be required */
const ACCEPTED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: 'OK' };
const NOT_BELIEVED: CallbackAnswer = { status: 403, contentType: 'text/plain', body: '' };

export const mycard: PaymentProvider = {
  name: 'mycard',
  settings,
  amountForm: 'decimal-text',
  supportsCurrency,
  accountOf: (given) => given['FAC_SERVICE_ID'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  signedHeaders: [],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (!amount) return refuse(input.amount);
    const given = context.settings;
    const fields = authFields(input, {
      version: pathVersion(given),
      facServiceId: given['FAC_SERVICE_ID'] ?? '',
      facGameId: given['FAC_GAME_ID'] ?? '',
      facGameName: given['FAC_GAME_NAME'] ?? '',
      amount,
      isSandbox: context.environment === 'demo',
    });
    const values = fields.map(([, value]) => value);
    const hash = hashOf(values, given['KEY'] ?? '', hashStyle(given));
    try {
      const { status, text } = await call(context, 'AuthGlobal', [...fields, ['Hash', hash]]);
      const auth = status === 200 ? readAuth(text) : null;
      return auth ? readCreated(context, auth, input.channelId) : unknown(`MyCard answered ${status} to AuthGlobal`);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  async query(context, payment) {
    const found = await askTrade(context, payment);
    return 'trade' in found ? asRead(reportTrade(found.trade, payment), found.text) : found.report;
  },

  async readCallback(context, raw): Promise<CallbackReading> {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    // No hash on these two: the address is what proves the caller, and nothing is given away or
    // booked without our own question.
    if (!isCallbackIp(context.settings, context.environment, raw.ip))
      return invalid(`${raw.ip} is no address of MyCard`);
    const fields = readFields(raw);
    if (raw.topic === 'difference') {
      const wanted = readDifference(fields);
      if (!wanted) return invalid('neither a trade number nor a time');
      const answer: Extract<CallbackReading, { kind: 'statement' }>['answer'] = (lines) => ({
        status: 200,
        contentType: 'text/plain; charset=utf-8',
        body: writeDifference(lines),
      });
      return { kind: 'statement', wanted, answer };
    }
    if (raw.topic !== 'makeup') return invalid(`"${raw.topic}" is no notice of MyCard`);
    const makeup = readMakeup(fields['DATA']);
    if (!makeup) return invalid('DATA is no make-up notice');
    if (makeup.facServiceId !== context.settings['FAC_SERVICE_ID']) return invalid('the notice is for another service');
    if (makeup.returnCode !== '1' || makeup.references.length === 0) {
      return { kind: 'ignored', reason: `a notice of ReturnCode ${makeup.returnCode}`.slice(0, 200), answer: ACCEPTED };
    }
    const events = makeup.references.map((reference) => toApproval(reference, makeup.facServiceId));
    return { kind: 'events', events, answer: ACCEPTED };
  },

  // The return form is never believed: TradeQuery says it better. The hash tells MyCard's server from anybody's.
  readReturn(context: ProviderContext, raw: RawCallback, payment) {
    if (!isMyCardServer(raw)) return { approval: null };
    const fields = readFields(raw);
    const isOurs = fields['FacTradeSeq'] === payment.reference;
    const isSigned = isReturnSigned(fields, context.settings['KEY'] ?? '', hashStyle(context.settings));
    return { approval: null, answer: isOurs && isSigned ? ACCEPTED : NOT_BELIEVED };
  },

  // The trade is asked about before every confirmation: a second one of the same AuthCode fails, and by
  // itself its no proves nothing.
  async capture(context, payment) {
    const found = await askTrade(context, payment);
    if (!('trade' in found)) return found.report;
    const report = asRead(reportTrade(found.trade, payment), found.text);
    if (report.status !== 'approved') return report;
    // Reported as paid, which differs from the request, so that manual review follows; nothing was confirmed.
    if (report.reference !== payment.reference) return { ...report, status: 'paid' };
    const answer = await call(context, 'PaymentConfirm', [['AuthCode', authCodeOf(payment)]]);
    const confirm = answer.status === 200 ? readConfirm(answer.text) : null;
    if (!confirm)
      return unreadableReport(payment, 'unknown', `MyCard answered ${answer.status} to the confirmation`, answer.text);
    if (confirm.ReturnCode === '1' || isConfirmedCode(context.settings, confirm.ReturnCode)) {
      return { ...report, status: 'paid', reason: `confirmed: ${saidBy(confirm)}`.slice(0, 200) };
    }
    const reason = `confirmation refused: ${saidBy(confirm)}`.slice(0, 200);
    // Either it was confirmed before and the answer was lost, or MyCard will not settle: after a while
    // that is a case for a person.
    const isOld = context.now() - payment.createdAt > DOUBT_MS;
    return asRead({ ...report, status: isOld ? 'paid_unreadable' : 'unknown', reason }, answer.text);
  },

  /**
   * TradeQuery has no hash and names no service, so a stranger gets the same answer; AuthGlobal, which
   * has both, would begin a trade.
   */
  async check(context): Promise<CheckOutcome> {
    const { status, text } = await call(context, 'TradeQuery', [['AuthCode', 'REFILLCHECK']]);
    const trade = status === 200 ? readTrade(text) : null;
    if (!trade) return { kind: 'unreachable', reason: `MyCard answered ${status}: is our address registered with it?` };
    const reason = `MyCard answers (${saidBy(trade)}), but its query carries no key: a test purchase proves the settings`;
    return { kind: 'nothing_to_ask', reason };
  },
};

function call(context: ProviderContext, name: string, fields: readonly (readonly [string, string])[]) {
  return context.outbound(`${apiBase(context.settings, context.environment)}/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(fields.map(([field, value]) => [field, value])).toString(),
  });
}

async function askTrade(
  context: ProviderContext,
  payment: KnownPayment,
): Promise<{ trade: Trade; text: string } | { report: PaymentReport }> {
  if (payment.providerRef === null) return { report: pendingReport(payment, 'no AuthCode is known') };
  const { status, text } = await call(context, 'TradeQuery', [['AuthCode', authCodeOf(payment)]]);
  const trade = status === 200 ? readTrade(text) : null;
  if (trade) return { trade, text };
  const isPaid = status === 200 && wordAt(text, 'ReturnCode') === '1' && wordAt(text, 'PayResult') === '3';
  const what = `MyCard answered ${status} to the query`;
  return { report: unreadableReport(payment, isPaid ? 'paid' : 'unknown', what, text) };
}

function authCodeOf(payment: KnownPayment): string {
  return readProviderRef(payment.providerRef ?? '').authCode;
}

/**
 * A no comes without an AuthCode, and without one nobody can pay: it is certain. UNSURE:
 * the list of codes is not known.
 */
function readCreated(context: ProviderContext, auth: Auth, channelId: string): CreateOutcome {
  if (auth.ReturnCode !== '1') return { kind: 'refused', reason: `MyCard refused: ${saidBy(auth)}` };
  if (!auth.AuthCode) return unknown('MyCard answered without an AuthCode');
  // 1: the card form is to be on our page. Card numbers and passwords stay at MyCard, and no
  // player was sent anywhere yet.
  if (auth.InGameSaveType === '1' && channelId === 'INGAME') {
    return { kind: 'refused', reason: 'this MyCard service wants its card form on our page: InGameSaveType must be 2' };
  }
  const url = auth.TransactionUrl || payPageUrl(context.settings, context.environment, auth.AuthCode);
  if (!isPayLink(url, payHosts(context.settings, context.environment), context.environment))
    return unknown('the page is missing or points elsewhere');
  return { kind: 'redirect', url, providerRef: writeProviderRef({ AuthCode: auth.AuthCode, TradeSeq: auth.TradeSeq }) };
}

function unknown(reason: string): CreateOutcome {
  return { kind: 'unknown', reason };
}
