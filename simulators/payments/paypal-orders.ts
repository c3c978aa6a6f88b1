// PayPal's orders: create, approve, capture, complete later.

import type { Answer } from '#simulators/kit/answer.ts';
import type { Sentinel } from '#simulators/kit/faults.ts';
import { randomUpper } from '#simulators/kit/ids.ts';
import { asFields, at, type Fields, textAt } from '#simulators/kit/read.ts';
import { type Context, laterMs } from './context.ts';
import { readMoney } from './paypal-amounts.ts';
import type { PaypalEvents } from './paypal-events.ts';
import type { Capture, Order, PaypalState } from './paypal-state.ts';
import { type Bases, orderView, payerLink, paypalError } from './paypal-views.ts';

export type PaypalOrders = {
  create(body: unknown, requestId: string | undefined, isWhole: boolean, fault: Sentinel | undefined): Promise<Answer>;
  approve(order: Order, choice: { faults: Sentinel[]; isLater: boolean; isInstrumentDeclined: boolean }): Promise<void>;
  capture(id: string, isWhole: boolean): Promise<Answer>;
  settle(order: Order): Promise<void>;
  /** Takes up captures that were to complete by themselves when the process ended. */
  resume(): void;
};

export function createPaypalOrders(
  context: Context,
  state: PaypalState,
  events: PaypalEvents,
  bases: () => Bases,
): PaypalOrders {
  const isoNow = () => new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');

  const approve: PaypalOrders['approve'] = async (order, choice) => {
    order.status = 'APPROVED';
    order.updateTime = isoNow();
    order.faults = [...order.faults, ...choice.faults];
    order.isLater = choice.isLater;
    order.isInstrumentDeclined = choice.isInstrumentDeclined;
    state.save(order);
    await events.approved(order);
  };

  const book = (order: Order, capture: Capture) =>
    state.settlement.book({
      id: capture.id,
      kind: 'payment',
      paymentId: capture.id,
      reference: order.customId ?? '',
      amount: capture.amount,
      at: context.clock.now(),
    });

  const settle = async (order: Order) => {
    const capture = order.capture;
    if (capture?.status !== 'PENDING') return;
    capture.status = 'COMPLETED';
    delete capture.reason;
    delete capture.settlesAt;
    order.updateTime = isoNow();
    state.save(order);
    book(order, capture);
    await events.captured(order, capture);
  };

  const settleAt = (order: Order, dueAt: number) =>
    context.clock.after(Math.max(0, dueAt - context.clock.now()), () => void settle(order));

  return {
    approve,
    settle,
    async create(body, requestId, isWhole, fault) {
      const replayed = state.orders.get(state.replayed('create', requestId, context.clock.now()) ?? '');
      if (replayed) return { status: 200, body: orderView(replayed, bases(), isWhole) };
      const checked = checkOrder(body, state);
      if ('status' in checked) return checked;
      const time = isoNow();
      const isOldStyle = at(body, 'payment_source') === undefined;
      const order: Order = {
        ...checked,
        id: randomUpper(17),
        status: isOldStyle ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
        createTime: time,
        updateTime: time,
        isOldStyle,
        faults: fault ? [fault] : [],
        isLater: false,
        isInstrumentDeclined: false,
      };
      state.save(order);
      state.rememberRequest('create', requestId, order.id, context.clock.now());
      const answer = { status: 201, body: orderView(order, bases(), isWhole) };
      if (fault === 'early') await approve(order, { faults: [], isLater: false, isInstrumentDeclined: false });
      return answer;
    },
    async capture(id, isWhole) {
      const order = state.orders.get(id);
      if (!order) return paypalError('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID', 'order_id');
      if (order.capture) return paypalError('UNPROCESSABLE_ENTITY', 'ORDER_ALREADY_CAPTURED');
      if (order.status !== 'APPROVED') return paypalError('UNPROCESSABLE_ENTITY', 'ORDER_NOT_APPROVED');
      if (order.isInstrumentDeclined) {
        // The payer may choose another card behind the same link.
        order.status = 'PAYER_ACTION_REQUIRED';
        order.isInstrumentDeclined = false;
        state.save(order);
        const again = { href: payerLink(order, bases()), rel: 'payer-action', method: 'GET' };
        return paypalError('UNPROCESSABLE_ENTITY', 'INSTRUMENT_DECLINED', undefined, [again]);
      }
      const capture: Capture = {
        id: randomUpper(17),
        status: order.isLater ? 'PENDING' : 'COMPLETED',
        amount: paidAmount(order),
        refundedMinor: 0,
        createTime: isoNow(),
        ...(order.isLater ? { reason: 'PENDING_REVIEW', settlesAt: context.clock.now() + laterMs } : {}),
      };
      order.capture = capture;
      order.status = 'COMPLETED';
      order.updateTime = capture.createTime;
      state.save(order);
      if (capture.status === 'COMPLETED') book(order, capture);
      const answer = { status: 201, body: orderView(order, bases(), isWhole) };
      if (capture.settlesAt !== undefined) settleAt(order, capture.settlesAt);
      else if (order.faults.includes('early')) await events.captured(order, capture);
      else void events.captured(order, capture);
      return answer;
    },
    resume() {
      for (const order of state.orders.values()) {
        if (order.capture?.settlesAt !== undefined) settleAt(order, order.capture.settlesAt);
      }
    },
  };
}

function paidAmount(order: Order): Order['amount'] {
  const { amountMinor, currency } = order.amount;
  if (order.faults.includes('wrong-amount')) return { amountMinor: amountMinor - 1, currency };
  if (order.faults.includes('wrong-currency')) return { amountMinor, currency: currency === 'EUR' ? 'USD' : 'EUR' };
  return order.amount;
}

type CheckedOrder = Pick<
  Order,
  'unit' | 'amount' | 'customId' | 'invoiceId' | 'description' | 'brandName' | 'returnUrl' | 'cancelUrl'
>;

/** @source PayPal OpenAPI `checkout_orders_v2`, field lengths */
const longest = { reference_id: 256, custom_id: 127, invoice_id: 127, description: 127 } as const;

function checkOrder(body: unknown, state: PaypalState): CheckedOrder | Answer {
  if (body === undefined) return paypalError('INVALID_REQUEST', 'MALFORMED_REQUEST_JSON');
  const missing = (field: string) => paypalError('INVALID_REQUEST', 'MISSING_REQUIRED_PARAMETER', field);
  const intent = textAt(body, 'intent');
  if (!intent) return missing('/intent');
  if (intent !== 'CAPTURE' && intent !== 'AUTHORIZE')
    return paypalError('INVALID_REQUEST', 'INVALID_PARAMETER_VALUE', '/intent');
  const units = at(body, 'purchase_units');
  if (!Array.isArray(units) || units.length === 0) return missing('/purchase_units');
  const unit: Fields = asFields(units[0]);
  for (const [name, length] of Object.entries(longest)) {
    const value = unit[name];
    if (value !== undefined && (typeof value !== 'string' || value.length === 0 || value.length > length)) {
      return paypalError(
        'INVALID_REQUEST',
        'INVALID_STRING_LENGTH',
        `/purchase_units/@reference_id=='default'/${name}`,
      );
    }
  }
  const amount = readMoney(unit['amount']);
  if (amount === 'MISSING_REQUIRED_PARAMETER') return missing("/purchase_units/@reference_id=='default'/amount");
  if (typeof amount === 'string') {
    return paypalError('UNPROCESSABLE_ENTITY', amount, "/purchase_units/@reference_id=='default'/amount");
  }
  if (unit['items'] !== undefined && at(unit, 'amount.breakdown.item_total') === undefined) {
    return paypalError(
      'UNPROCESSABLE_ENTITY',
      'ITEM_TOTAL_REQUIRED',
      "/purchase_units/@reference_id=='default'/amount/breakdown",
    );
  }
  const itemTotal = at(unit, 'amount.breakdown.item_total');
  if (itemTotal !== undefined && JSON.stringify(readMoney(itemTotal)) !== JSON.stringify(amount)) {
    return paypalError(
      'UNPROCESSABLE_ENTITY',
      'AMOUNT_MISMATCH',
      "/purchase_units/@reference_id=='default'/amount/value",
    );
  }
  const invoiceId = textAt(unit, 'invoice_id');
  if (invoiceId && state.isInvoiceUsed(invoiceId)) {
    return paypalError(
      'UNPROCESSABLE_ENTITY',
      'DUPLICATE_INVOICE_ID',
      "/purchase_units/@reference_id=='default'/invoice_id",
    );
  }
  const pick = (name: string) =>
    textAt(body, `payment_source.paypal.experience_context.${name}`) ?? textAt(body, `application_context.${name}`);
  const entries = Object.entries({
    customId: textAt(unit, 'custom_id'),
    invoiceId,
    description: textAt(unit, 'description'),
    brandName: pick('brand_name'),
    returnUrl: pick('return_url'),
    cancelUrl: pick('cancel_url'),
  }).filter(([, value]) => value !== undefined);
  return { unit, amount, ...Object.fromEntries(entries) };
}
