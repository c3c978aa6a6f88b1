// Fills a shop with the traces of the operator's own systems: endpoints that were called, keys that called, fees that
// were read.
import { createHash } from 'node:crypto';
import { WEBHOOK_TYPES } from '#contracts/webhooks.ts';
import {
  addSettlementLines,
  createSettlementTable,
  keepFees,
  resolveLines,
} from '#server/modules/orders/reconcile/reconcile-store.ts';
import { onOwnConnection } from '#server/modules/orders/reconcile/reconcile.ts';
import { makeEndpoint } from '#server/modules/webhooks/service.ts';
import { finishMessage, leaseMessages } from '#server/modules/webhooks/store.ts';
import { finishCall, takeCall } from '#server/operator/admin/key-store.ts';
import { makeKey } from '#server/operator/admin/keys.ts';
import { recordBackup } from '#server/platform/database/backup-record.ts';
import type { TestShop } from '#testing/shop.ts';

const ROOTS = ['a-root-of-secrets-of-the-filled-shop-1'];
let endpointId = '';

/** Before any order: all that is told of them waits for this endpoint. */
export async function addReceiver(shop: TestShop): Promise<void> {
  const wanted = { url: 'https://crm.example.com/refill', types: WEBHOOK_TYPES, brandKey: null, by: 'anna' };
  const made = await makeEndpoint(shop.db, ROOTS, wanted);
  endpointId = made?.endpointId ?? '';
}

/** After all orders. */
export async function fillOperator(shop: TestShop): Promise<void> {
  const { db } = shop;
  await recordBackup(db, { takenAt: new Date(), kind: 'dump', bytes: 1000 });
  const [taken, refused] = await leaseMessages(db, endpointId, 3, 3600);
  if (!taken || !refused) throw new Error('nothing was told of the orders');
  const end = { isDone: false, isGone: false, error: null, retrySeconds: null, failingDays: 3 };
  await finishMessage(db, taken, { ...end, isDone: true, status: 200 });
  await finishMessage(db, refused, { ...end, status: 500, error: 'the endpoint answered 500' });
  const key = await makeKey(db, ROOTS, { name: 'helpdesk', scopes: ['support'], days: 90, by: 'anna' });
  if (!key || key === 'taken') throw new Error('no key was made');
  const call = { keyId: key.keyId, callId: 'call-0001', fingerprint: createHash('sha256').update('x').digest() };
  await takeCall(db, call, 60);
  await finishCall(db, call, 200, { outcome: 'done' });
  const { rows } = await db.query<{ billing_no: string; provider: string; currency: string }>(
    `select billing_no, provider, currency from payment_attempt where state = 'succeeded' and attempt_no = 1
       and provider = 'paypal' limit 1`,
  );
  const [paid] = rows;
  if (!paid) throw new Error('nothing was paid by PayPal');
  await onOwnConnection(db, async (client) => {
    await createSettlementTable(client);
    const lines = ['payment', 'refund', 'chargeback'].map((movement, index) => ({
      line: index + 1,
      movement,
      billing_no: paid.billing_no,
      attempt_no: 1,
      reference: null,
      capture_ref: null,
      amount_minor: 99,
      currency: paid.currency,
      fee_minor: 9,
      fee_currency: paid.currency,
      at: '2026-11-21T08:00:00.000Z',
    }));
    await addSettlementLines(client, lines);
    await resolveLines(client, paid.provider);
    await keepFees(client, paid.provider);
  });
}
