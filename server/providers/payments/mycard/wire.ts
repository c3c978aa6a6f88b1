// MyCard's MyBillingPay on the wire: the three server calls, and what their answers mean to us. Pure: no calls, no
// clock. What MyCard sends us is in notices.ts.
// @source MyCard's manual is for contracted vendors; written after ten public integrations
// that agree, named in README.md
import Type, { type Static } from 'typebox';
import type { Money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { reader } from '#server/providers/payments/kit/json.ts';
import { readAmount } from './amounts.ts';
import type { PathVersion } from './settings.ts';

const Text = Type.Optional(Type.String());

const Auth = Type.Object({
  ReturnCode: Type.String(),
  ReturnMsg: Text,
  AuthCode: Text,
  TradeSeq: Text,
  InGameSaveType: Text,
  TransactionUrl: Text,
});
const Trade = Type.Object({
  ReturnCode: Type.String(),
  ReturnMsg: Text,
  PayResult: Text,
  FacTradeSeq: Text,
  PaymentType: Text,
  Amount: Text,
  Currency: Text,
  MyCardTradeNo: Text,
});
const Confirm = Type.Object({ ReturnCode: Type.String(), ReturnMsg: Text });

export type Auth = Static<typeof Auth>;
export type Trade = Static<typeof Trade>;
export type Confirm = Static<typeof Confirm>;

export const readAuth = reader(Auth);
export const readTrade = reader(Trade);
export const readConfirm = reader(Confirm);

/** One sentence of an answer: the code, and the message, which comes URL-encoded, sometimes twice. */
export function saidBy(answer: { ReturnCode: string; ReturnMsg?: string }): string {
  let message = answer.ReturnMsg ?? '';
  for (let times = 0; times < 2 && /%[0-9a-f]{2}/i.test(message); times += 1) message = decode(message);
  return `${answer.ReturnCode} ${message}`.trim().slice(0, 200);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Our choice: what MyCard's page shows in one line; the manual's limit is not known. */
const NAME_LENGTH = 60;

/** Names of letters, digits, blanks, `-_.` and CJK only: some versions of MyCard hash other signs in other ways. */
function plainName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9 _.\-\p{Script=Han}]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, NAME_LENGTH);
}

/**
 * Fields of AuthGlobal in MyCard's order, which is also the order of the hash; the hash itself is not among them. The
 * channel's own name is the PaymentType:
 * INGAME, COSTPOINT, empty for everything that fits amount and currency, or a code (`FA...`) of one billing method.
 * UNSURE: whether an empty ServerId is always taken, and whether FacTradeSeq may be longer than our 28 characters.
 * @param version v1.0 ("api") and v1.1 know no game, v1.0 no return address
 * @source manual 3.1, as the integrations follow it
 */
export function authFields(
  input: CreatePayment,
  given: {
    version: PathVersion;
    facServiceId: string;
    facGameId: string;
    facGameName: string;
    amount: string;
    isSandbox: boolean;
  },
): [name: string, value: string][] {
  const hasGame = given.version !== 'api' && given.version !== 'v1.1';
  const game: [string, string][] = [
    ['FacGameId', given.facGameId],
    ['FacGameName', plainName(given.facGameName || input.brandName)],
  ];
  return [
    ['FacServiceId', given.facServiceId],
    ['FacTradeSeq', input.reference],
    ...(hasGame ? game : []),
    // 2: a web page, not an SDK.
    ['TradeType', '2'],
    ['ServerId', ''],
    ['CustomerId', input.playerRef],
    ['PaymentType', input.channelId],
    ['ItemCode', ''],
    ['ProductName', plainName(input.productName) || 'Item'],
    ['Amount', given.amount],
    ['Currency', input.amount.currency],
    ['SandBoxMode', String(given.isSandbox)],
    ...(given.version === 'api' ? [] : ([['FacReturnURL', input.returnUrl]] as [string, string][])),
  ];
}

/**
 * AuthCode is what every later call needs, TradeSeq is MyCard's order number, which its difference report asks for.
 * Both are kept as one provider reference: "AuthCode:TradeSeq".
 */
export function writeProviderRef(auth: { AuthCode: string; TradeSeq?: string | undefined }): string {
  return `${auth.AuthCode}:${auth.TradeSeq ?? ''}`;
}

export function readProviderRef(providerRef: string): { authCode: string; tradeSeq: string } {
  const at = providerRef.lastIndexOf(':');
  return at < 0
    ? { authCode: providerRef, tradeSeq: '' }
    : { authCode: providerRef.slice(0, at), tradeSeq: providerRef.slice(at + 1) };
}

/**
 * MyCard's number of the payment and the way it was really paid: "MyCardTradeNo:PaymentType". Null without a number.
 */
function writeCaptureRef(trade: Trade): string | null {
  return trade.MyCardTradeNo ? `${trade.MyCardTradeNo}:${trade.PaymentType ?? ''}` : null;
}

export function readCaptureRef(captureRef: string): { tradeNo: string; paymentType: string } {
  const [tradeNo = '', ...rest] = captureRef.split(':');
  return { tradeNo, paymentType: rest.join(':') };
}

/**
 * Both are needed: ReturnCode 1 alone says only that the question was understood. @source manual 3.3,
 * as the integrations follow it
 */
function isTradePaid(trade: Trade): boolean {
  return trade.ReturnCode === '1' && trade.PayResult === '3';
}

/** Not paid: PayResult 0, or none and no number of a payment. @source manual 3.3, as the integrations follow it */
function isTradeOpen({ MyCardTradeNo, PayResult, ReturnCode }: Trade): boolean {
  return ReturnCode === '1' && (PayResult === '0' || (!PayResult && !MyCardTradeNo));
}

/** An amount that cannot be read is not confirmed: manual review comes first. */
function paidStatus(amount: Money | null, payment: KnownPayment): PaymentStatus {
  if (amount === null) return 'paid_unreadable';
  return payment.captureRef === null ? 'approved' : 'paid';
}

/**
 * Reports the payment of a TradeQuery. A paid trade is only `approved` until our confirmation is booked: without it
 * MyCard does not settle. UNSURE: whether PayResult 0 is final or also stands for "not paid yet"; so it ends nothing.
 */
export function reportTrade(trade: Trade, payment: KnownPayment): PaymentReport {
  const isPaid = isTradePaid(trade);
  const amount = isPaid ? readAmount(trade.Amount, trade.Currency) : null;
  return {
    status: isPaid ? paidStatus(amount, payment) : isTradeOpen(trade) ? 'pending' : 'unknown',
    reference: trade.FacTradeSeq || payment.reference,
    providerRef: payment.providerRef,
    captureRef: isPaid ? writeCaptureRef(trade) : payment.captureRef,
    amount,
    merchantAccount: null,
    reason: `${saidBy(trade)} PayResult ${trade.PayResult ?? '-'}`.slice(0, 200),
  };
}
