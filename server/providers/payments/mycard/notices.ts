// Reads MyCard's messages to us: the return form, the make-up notice and the question of the difference report. Pure:
// no calls, no clock.
// @source manual 3.2.4, 3.6 and 3.7, as the public integrations in README.md follow them
import { HOUR_MS } from '#kernel/time.ts';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { CallbackEvent, RawCallback, StatementLine } from '#server/modules/payments/provider.ts';
import { toDecimal } from '#kernel/money.ts';
import { writeAmount } from './amounts.ts';
import { isHash } from './hash.ts';
import { type HashStyle } from './settings.ts';
import { readCaptureRef, readProviderRef } from './wire.ts';

/** Fields by form or by address; the form wins. */
export function readFields(raw: RawCallback): Readonly<Record<string, string>> {
  return { ...raw.query, ...Object.fromEntries(new URLSearchParams(raw.body.toString('utf8'))) };
}

/** In the order of the hash. ReturnMsg and SerialId are NOT hashed. */
const RETURN_FIELDS = [
  'ReturnCode',
  'PayResult',
  'FacTradeSeq',
  'PaymentType',
  'Amount',
  'Currency',
  'MyCardTradeNo',
  'MyCardType',
  'PromoCode',
];

export function isReturnSigned(fields: Readonly<Record<string, string>>, key: string, style: HashStyle): boolean {
  const values = RETURN_FIELDS.map((name) => fields[name] ?? '');
  return isHash(fields['Hash'] ?? '', values, key, style);
}

/** MyCard's server posts the return form too, beside the player's browser, and wants a plain 200. */
export function isMyCardServer(raw: RawCallback): boolean {
  return (raw.headers['user-agent'] ?? '').startsWith('MyCardGlobalBilling');
}

const Makeup = Compile(
  Type.Object({
    ReturnCode: Type.Union([Type.String(), Type.Number()]),
    FacServiceId: Type.String({ maxLength: 100 }),
    FacTradeSeq: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), { maxItems: 1000 }),
  }),
);

/**
 * Our numbers of payments whose players paid and never came back; null when it is no such notice. It is not
 * hashed: the caller's address and FacServiceId are all there is, and so each number is only a reason to ask.
 */
export function readMakeup(
  data: string | undefined,
): { returnCode: string; facServiceId: string; references: string[] } | null {
  let value: unknown;
  try {
    value = JSON.parse(data ?? '');
  } catch {
    return null;
  }
  if (!Makeup.Check(value)) return null;
  const { ReturnCode, FacServiceId, FacTradeSeq } = value;
  return { returnCode: String(ReturnCode), facServiceId: FacServiceId, references: [...new Set(FacTradeSeq)] };
}

/** `approved` makes the shop ask MyCard and confirm; nothing else of the notice is believed. */
export function toApproval(reference: string, facServiceId: string): CallbackEvent {
  return {
    dedupKey: `makeup:${reference}`,
    report: {
      status: 'approved',
      reference,
      providerRef: null,
      captureRef: null,
      amount: null,
      merchantAccount: facServiceId,
      reason: 'make-up notice',
    },
  };
}

const TAIPEI_MS = 8 * HOUR_MS;

/**
 * Reads the question of the difference report: one trade by MyCard's number, or a time in UTC+8. Null when it is
 * neither. UNSURE: whether EndDateTime belongs to the time asked for; its whole second is taken in, as one line too
 * many does no harm.
 */
export function readDifference(
  fields: Readonly<Record<string, string>>,
): { captureRef: string } | { from: number; to: number } | null {
  const tradeNo = fields['MyCardTradeNo'] ?? '';
  if (tradeNo !== '') return /^[A-Za-z0-9_-]{1,64}$/.test(tradeNo) ? { captureRef: tradeNo } : null;
  const from = readTaipei(fields['StartDateTime']);
  const to = readTaipei(fields['EndDateTime']);
  return from === null || to === null || to < from ? null : { from, to: to + 1000 };
}

/** Epoch milliseconds of `yyyy-MM-ddTHH:mm:ss` in UTC+8. */
function readTaipei(text: string | undefined): number | null {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return null;
  const at = Date.parse(`${text}+08:00`);
  return Number.isNaN(at) ? null : at;
}

/**
 * Delivered trades as MyCard compares them, each ended by `<BR>` and by nothing else.
 * UNSURE: whether a line break follows `<BR>`; the integrations write none.
 */
export function writeDifference(lines: readonly StatementLine[]): string {
  return lines
    .map((line) => {
      const { tradeNo, paymentType } = readCaptureRef(line.captureRef ?? '');
      const { tradeSeq } = readProviderRef(line.providerRef ?? '');
      const amount = writeAmount(line.amount) ?? toDecimal(line.amount);
      const paidAt = new Date(line.paidAt + TAIPEI_MS).toISOString().slice(0, 19);
      const { reference, playerRef } = line;
      return `${[paymentType, tradeSeq, tradeNo, reference, playerRef, amount, line.amount.currency, paidAt].join(',')}<BR>`;
    })
    .join('');
}
