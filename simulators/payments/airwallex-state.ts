// Keeps Airwallex's state: payment intents, refunds, request ids and tokens.

import { createHash } from 'node:crypto';
import type { Sentinel } from '#simulators/kit/faults.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';
import type { Amount } from '#simulators/kit/money.ts';

export type AirwallexAccount = { clientId: string; apiKey: string; accountId: string; webhookSecret: string };

export type Intent = {
  id: string;
  requestId: string;
  /** Minor units by ISO 4217. */
  amount: Amount;
  orderId: string;
  returnUrl: string | undefined;
  product: string;
  metadata: unknown;
  clientSecret: string;
  status:
    | 'REQUIRES_PAYMENT_METHOD'
    | 'REQUIRES_CUSTOMER_ACTION'
    | 'REQUIRES_CAPTURE'
    | 'PENDING'
    | 'SUCCEEDED'
    | 'CANCELLED';
  /** Of the latest attempt: `card`, `gcash`; none before the first. */
  method: string | undefined;
  attemptId: string | undefined;
  /** The amount that was really taken, which a fault may make differ. */
  captured: Amount | undefined;
  refundedMinor: number;
  faults: Sentinel[];
  createdAt: number;
  settlesAt: number | undefined;
};

export type Refund = {
  id: string;
  requestId: string;
  intentId: string;
  amount: Amount;
  status: 'RECEIVED' | 'ACCEPTED' | 'SETTLED' | 'FAILED';
  reason: string | undefined;
  metadata: unknown;
};

export type AirwallexState = {
  intents: Table<Intent>;
  refunds: Table<Refund>;
  /** Fingerprints of bodies by path and request id, and what they made. */
  requests: Table<{ print: string; id: string }>;
  save(intent: Intent): void;
  /** By intent id or merchant order id: the newest. */
  find(key: string): Intent | undefined;
};

export function openAirwallexState(journal: Journal): AirwallexState {
  const intents = journal.table<Intent>('intents');
  const byOrder = new Map<string, string>();
  for (const intent of intents.values()) byOrder.set(intent.orderId, intent.id);
  return {
    intents,
    refunds: journal.table('refunds'),
    requests: journal.table('requests'),
    save(intent) {
      intents.put(intent.id, intent);
      byOrder.set(intent.orderId, intent.id);
    },
    find: (key) => intents.get(key) ?? intents.get(byOrder.get(key) ?? ''),
  };
}

/** In the manner of Airwallex: a prefix, a region and lower-case letters. */
export const newId = (prefix: 'int' | 'att' | 'rfd' | 'evt' | 'dst' | 'acct'): string =>
  `${prefix}_hkdm${randomHex(10)}`;

/** A client secret is good for an hour; the next one is made when the intent is read after that. */
export function secretOf(intent: Intent, nowMs: number): string {
  const hour = Math.floor(nowMs / 3_600_000);
  return createHash('sha256').update(`${intent.clientSecret}:${hour}`).digest('base64url');
}
