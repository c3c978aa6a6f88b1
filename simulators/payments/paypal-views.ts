// PayPal's answers: resources with their links, and its error bodies.

import { spoilView } from '#simulators/kit/faults.ts';
import type { Answer } from '#simulators/kit/answer.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { writeMoney } from './paypal-amounts.ts';
import type { Capture, Order, Refund } from './paypal-state.ts';

export type Bases = { api: string; page: string };

type Link = { href: string; rel: string; method: string };

export function payerLink(order: Order, bases: Bases): string {
  return `${bases.page}/checkoutnow?token=${order.id}`;
}

function linksOf(order: Order, bases: Bases): Link[] {
  const self = { href: `${bases.api}/v2/checkout/orders/${order.id}`, rel: 'self', method: 'GET' };
  const payer = { href: payerLink(order, bases), rel: order.isOldStyle ? 'approve' : 'payer-action', method: 'GET' };
  const capture = { href: `${self.href}/capture`, rel: 'capture', method: 'POST' };
  if (order.status === 'COMPLETED') return [self];
  return order.status === 'APPROVED' ? [self, payer, capture] : [self, payer];
}

/** The order as PayPal shows it: with `Prefer: return=representation` whole, else only id, status and links. */
export function orderView(order: Order, bases: Bases, isWhole: boolean): Record<string, unknown> {
  const minimal = { id: order.id, status: order.status, links: linksOf(order, bases) };
  if (!isWhole) return minimal;
  const isKnownPayer = order.status === 'APPROVED' || order.status === 'COMPLETED';
  const payments = order.capture ? { payments: { captures: [captureView(order, order.capture, bases)] } } : {};
  return {
    ...minimal,
    intent: 'CAPTURE',
    purchase_units: [{ reference_id: 'default', ...order.unit, amount: writeMoney(order.amount), ...payments }],
    ...(isKnownPayer ? { payer: { payer_id: payerIdOf(order), email_address: 'payer@example.com' } } : {}),
    create_time: order.createTime,
    update_time: order.updateTime,
  };
}

export function payerIdOf(order: Order): string {
  return `P${order.id.slice(0, 12)}`;
}

export function captureView(order: Order, capture: Capture, bases: Bases): Record<string, unknown> {
  return spoilView(wholeCapture(order, capture, bases), order.faults, { money: ['amount'], status: 'status' });
}

function wholeCapture(order: Order, capture: Capture, bases: Bases): Record<string, unknown> {
  const href = `${bases.api}/v2/payments/captures/${capture.id}`;
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.reason ? { status_details: { reason: capture.reason } } : {}),
    amount: writeMoney(capture.amount),
    final_capture: true,
    ...(order.customId ? { custom_id: order.customId } : {}),
    ...(order.invoiceId ? { invoice_id: order.invoiceId } : {}),
    supplementary_data: { related_ids: { order_id: order.id } },
    links: [
      { href, rel: 'self', method: 'GET' },
      { href: `${href}/refund`, rel: 'refund', method: 'POST' },
      { href: `${bases.api}/v2/checkout/orders/${order.id}`, rel: 'up', method: 'GET' },
    ],
    create_time: capture.createTime,
    update_time: order.updateTime,
  };
}

export function refundView(refund: Refund, bases: Bases): Record<string, unknown> {
  return {
    id: refund.id,
    status: refund.status,
    amount: writeMoney(refund.amount),
    ...(refund.customId ? { custom_id: refund.customId } : {}),
    ...(refund.invoiceId ? { invoice_id: refund.invoiceId } : {}),
    ...(refund.note ? { note_to_payer: refund.note } : {}),
    links: [
      { href: `${bases.api}/v2/payments/refunds/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${bases.api}/v2/payments/captures/${refund.captureId}`, rel: 'up', method: 'GET' },
    ],
    create_time: refund.createTime,
    update_time: refund.createTime,
  };
}

const messages = {
  INVALID_REQUEST: [400, 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  UNPROCESSABLE_ENTITY: [
    422,
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  RESOURCE_NOT_FOUND: [404, 'The specified resource does not exist.'],
  UNSUPPORTED_MEDIA_TYPE: [415, "The server does not support the request payload's media type."],
} as const;

/**
 * @source PayPal OpenAPI, `error` schema: name, message, debug_id, details[] {field, value,
 * location, issue, description}
 */
export function paypalError(name: keyof typeof messages, issue?: string, field?: string, links: Link[] = []): Answer {
  const [status, message] = messages[name];
  const detail = issue ? [{ issue, description: issue, ...(field ? { field, location: 'body' } : {}) }] : [];
  return { status, body: { name, message, debug_id: randomHex(7), details: detail, links } };
}
