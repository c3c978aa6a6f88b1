// The signed notices of the family.

import { spoilView } from '#simulators/kit/faults.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import type { CallbackDraft } from '#simulators/kit/outbox.ts';
import type { SaleCallbacks, Refund, Sale } from '#simulators/kit/simulated-sales.ts';
import type { Context } from './context.ts';
import { type Account, type Fields, type Manner, redirectSign, writeMoney } from './signed-redirect-manner.ts';

export function createRedirectCallbacks(context: Context, manner: Manner, account: Account): SaleCallbacks {
  function draft(sale: Sale, status: string, refund?: Refund): CallbackDraft {
    const seconds = (ms: number) => String(Math.floor(ms / 1000));
    const whole: Fields = {
      merchant_id: sale.faults.includes('wrong-merchant') ? `${account.merchantId}X` : account.merchantId,
      order_no: sale.faults.includes('wrong-reference') ? `${sale.reference}X` : sale.reference,
      provider_order_no: sale.paymentId ?? sale.id,
      ...writeMoney(manner, refund?.amount ?? sale.paid ?? sale.amount),
      ...(refund ? { refund_no: refund.ref } : {}),
      status,
      ...(sale.paidAt === undefined ? {} : { paid_at: seconds(sale.paidAt) }),
      timestamp: seconds(context.clock.now()),
      nonce: randomHex(8),
      sign_type: 'HMAC-SHA256',
    };
    const fields = spoilView(whole, sale.faults, { money: ['amount'], status: 'status' });
    const secret = sale.faults.includes('bad-signature') ? `${account.secret}x` : account.secret;
    const signed = { ...fields, sign: redirectSign(fields, secret) };
    return {
      reference: sale.reference,
      kind: status,
      body: manner.isJson ? JSON.stringify(signed) : new URLSearchParams(signed).toString(),
      headers: { 'content-type': manner.isJson ? 'application/json' : 'application/x-www-form-urlencoded' },
    };
  }
  return {
    paid: (sale) => draft(sale, 'SUCCESS'),
    // The page can be paid again, so a refused try is no FAIL: that word is final.
    declined: (sale) => draft(sale, 'DECLINED'),
    pending: (sale) => draft(sale, 'PROCESSING'),
    refunded: (sale, refund) => draft(sale, 'REFUNDED', refund),
    emitted: (sale, kind) => (/^[A-Z_]+$/.test(kind) ? draft(sale, kind) : undefined),
  };
}
