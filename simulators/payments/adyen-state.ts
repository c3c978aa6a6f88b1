// Keeps Adyen's state: payment links, the payments made with them, and idempotency keys.

import type { Answer } from '#simulators/kit/answer.ts';
import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';
import { randomUpper } from '#simulators/kit/ids.ts';
import type { Amount } from '#simulators/kit/money.ts';
import { openSettlement, type Settlement } from '#simulators/kit/settlement.ts';

export type PaymentLink = {
  id: string;
  status: 'active' | 'completed' | 'expired' | 'paymentPending';
  amount: Amount;
  reference: string;
  /** ISO 8601. */
  expiresAt: string;
  returnUrl?: string;
  description?: string;
  shopperReference?: string;
  countryCode?: string;
  shopperLocale?: string;
  metadata?: unknown;
  isManualCapture: boolean;
  faults: Sentinel[];
  /** The last payment tried with this link. */
  pspReference?: string;
};

export type Payment = {
  pspReference: string;
  linkId: string;
  reference: string;
  /** The amount that was really paid, which a fault may make differ from the link. */
  amount: Amount;
  status: 'refused' | 'pending' | 'authorised' | 'captured' | 'cancelled' | 'chargeback';
  refundedMinor: number;
  faults: Sentinel[];
  createdAt: number;
  settlesAt?: number;
};

export type AdyenState = {
  links: Table<PaymentLink>;
  payments: Table<Payment>;
  /** Answers by path and `Idempotency-Key`, with the fingerprint of the body they belong to. */
  replies: Table<{ print: string; answer: Answer }>;
  settlement: Settlement;
  saveLink(link: PaymentLink): void;
  /** By link id, reference or pspReference: the newest. */
  findLink(key: string): PaymentLink | undefined;
  paymentOf(link: PaymentLink): Payment | undefined;
};

export function openAdyenState(journal: Journal): AdyenState {
  const links = journal.table<PaymentLink>('links');
  const payments = journal.table<Payment>('payments');
  const byReference = new Map<string, string>();
  for (const link of links.values()) byReference.set(link.reference, link.id);
  return {
    links,
    payments,
    replies: journal.table('replies'),
    settlement: openSettlement(journal),
    saveLink(link) {
      links.put(link.id, link);
      byReference.set(link.reference, link.id);
    },
    findLink: (key) =>
      links.get(key) ?? links.get(byReference.get(key) ?? '') ?? links.get(payments.get(key)?.linkId ?? ''),
    paymentOf: (link) => payments.get(link.pspReference ?? ''),
  };
}

export const newPspReference = (): string => randomUpper(16);
export const newLinkId = (): string => `PL${randomUpper(16)}`;
