// Razer Gold (payment API v1): the verbs of the payment port. PINs and wallets are asked for on Razer's own pages.
// Shapes and meanings are in wire.ts.
import { DAY_SECONDS } from '#kernel/time.ts';
import type {
  CallbackAnswer,
  CheckOutcome,
  CreateOutcome,
  PaymentProvider,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { canBelieveCode } from '#server/providers/payments/kit/certainty.ts';
import { asRead, pendingReport, unknownReport } from '#server/providers/payments/kit/report.ts';
import { refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { apiBase, apiHosts, channelOf, hashType, payHosts, settings } from './settings.ts';
import { type Fields, isSigned, signFields } from './signature.ts';
import {
  isNotice,
  isRefusal,
  readAnswer,
  readCreated,
  readFault,
  readForm,
  reportPayment,
  writePayment,
} from './wire.ts';

/**
 * UNSURE: how long a page of Razer can be paid is not known, and no call closes it; cash and
 * carrier channels take hours.
 */
const PAYABLE_SECONDS = DAY_SECONDS;

/** @source manual v1.20, section 4.1.4: only the status is read; else it is sent again, three times within 24 hours */
const ACCEPTED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: '200 OK' };
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: '' };

/**
 * A stranger is refused by these codes; 40102 is about the address of our server, which no setting names.
 * @source integrations: 40101 application code, 40102 server IP, 40103 signature, 40400 payment not found
 */
const NOT_FOUND = '40400';
const LOOK_AT: Readonly<Record<string, readonly string[]>> = {
  '40101': ['APPLICATION_CODE'],
  '40102': [],
  '40103': ['SECRET_KEY', 'HASH_TYPE'],
};

export const razer: PaymentProvider = {
  name: 'razer',
  settings,
  amountForm: 'minor-units',
  supportsCurrency,
  accountOf: (given) => given['APPLICATION_CODE'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  signedHeaders: [],

  async create(context, input): Promise<CreateOutcome> {
    const given = context.settings;
    const amount = writeAmount(input.amount);
    if (!amount) return refuse(input.amount);
    const channel = channelOf(given, input.channelId);
    if (!channel) return { kind: 'refused', reason: `"${input.channelId}" is no channel of Razer` };
    const fields = writePayment(input, {
      applicationCode: given['APPLICATION_CODE'] ?? '',
      amount,
      channel,
      callbackUrl: given['SENDS_CALLBACK_URL'] === 'yes' ? input.notifyUrl : '',
    });
    try {
      return readOutcome(context, input.reference, await call(context, 'POST', fields));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  // By our own number: it works also when the answer of `create` was lost.
  async query(context, payment) {
    const answer = await ask(context, payment.reference);
    const fields = answer.status === 200 ? readAnswer(answer.text) : null;
    const fault = answer.status === 200 ? null : readFault(answer.text);
    if (fault?.code === NOT_FOUND) return pendingReport(payment, fault.reason);
    // Without flat fields there is no signature to look at, so nothing of it is believed.
    if (!fields) return unknownReport(payment, fault?.reason ?? `Razer answered ${answer.status}`, answer.text);
    if (!isOurs(context, fields))
      return unknownReport(payment, "Razer's answer is not signed as it must be", answer.text);
    return asRead(reportPayment(fields), answer.text);
  },

  async readCallback(context, raw) {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    // Never both: what stands beside the signed fields must not slip in.
    const fields = raw.method === 'GET' ? raw.query : readForm(raw.body.toString('utf8'));
    if (!isOurs(context, fields)) return invalid('the signature does not fit the fields');
    if (!isNotice(fields)) return invalid('the fields are not those of a callback');
    const report = asRead(reportPayment(fields), raw.body.toString('utf8') || JSON.stringify(raw.query));
    const dedupKey = `${fields['paymentId']}:${fields['paymentStatusCode']}`;
    return { kind: 'events', events: [{ dedupKey, report }], answer: ACCEPTED };
  },

  async check(context): Promise<CheckOutcome> {
    const { status, text } = await ask(context, 'refill-check');
    const fault = readFault(text);
    const reason = `Razer answered ${status}: ${fault?.reason ?? 'nothing readable'}`;
    const names = ['APPLICATION_CODE', 'SECRET_KEY', 'HASH_TYPE'];
    if (fault?.code === NOT_FOUND) return { kind: 'ok', said: reason, proven: names };
    if (!fault || !canBelieveCode(status)) return { kind: 'unreachable', reason };
    return { kind: 'refused', reason, lookAt: LOOK_AT[fault.code] ?? names };
  },
};

function isOurs({ settings: given }: ProviderContext, fields: Fields): boolean {
  return isSigned(fields, given['SECRET_KEY'] ?? '', hashType(given));
}

function ask(context: ProviderContext, referenceId: string): Promise<OutboundAnswer> {
  const applicationCode = context.settings['APPLICATION_CODE'] ?? '';
  return call(context, 'GET', { applicationCode, referenceId, version: 'v1' });
}

function call(context: ProviderContext, method: 'GET' | 'POST', fields: Fields): Promise<OutboundAnswer> {
  const given = context.settings;
  const url = apiBase(given, context.environment);
  const form = new URLSearchParams(signFields(fields, given['SECRET_KEY'] ?? '', hashType(given))).toString();
  const accept = { accept: 'application/json' };
  if (method === 'GET') return context.outbound(`${url}?${form}`, { method, headers: accept });
  const headers = { ...accept, 'content-type': 'application/x-www-form-urlencoded' };
  return context.outbound(url, { method, headers, body: form });
}

function readOutcome(context: ProviderContext, reference: string, { status, text }: OutboundAnswer): CreateOutcome {
  const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const;
  const fault = status === 200 ? null : readFault(text);
  if (fault && isRefusal(status, fault.code)) {
    return { kind: 'refused', reason: `Razer answered ${status}: ${fault.reason}` };
  }
  const fields = status === 200 ? readAnswer(text) : null;
  if (!fields) return unknown(`Razer answered ${status}: ${fault?.reason ?? 'nothing readable'}`);
  if (!isOurs(context, fields)) return unknown("Razer's answer is not signed as it must be");
  const created = readCreated(fields);
  if (!created || created.referenceId !== reference) return unknown("Razer's answer is about no payment of ours");
  if (!isPayLink(created.paymentUrl, payHosts(context.settings, context.environment), context.environment))
    return unknown('the pay link is missing or points elsewhere');
  return { kind: 'redirect', url: created.paymentUrl, providerRef: created.paymentId };
}
