// Keeps Welcome's state: every time a form of the shop was opened, the payer's decision, and the shop's calls about it.

import type { Sentinel } from '#simulators/kit/faults.ts';
import { randomHex, randomUpper } from '#simulators/kit/ids.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';

export type Visit = {
  /** authToken of a desktop, P_TID of a phone. */
  id: string;
  kind: 'pc' | 'mobile';
  oid: string;
  price: string;
  currency: string;
  goods: string;
  returnUrl: string;
  method: 'CARD' | 'BANK' | 'MOBILE';
  status: 'open' | 'agreed' | 'declined' | 'paid' | 'cancelled';
  /** The part of the price that went back so far. */
  cancelledPrice?: number;
  /** The number of the transaction once it is paid. */
  tid?: string;
  faults: Sentinel[];
  createdAt: number;
  agreedAt?: number;
};

export type WelcomeState = {
  visits: Table<Visit>;
  save(visit: Visit): void;
  /** By id, tid, or the shop's oid: the newest. */
  find(key: string): Visit | undefined;
};

export function openWelcomeState(journal: Journal): WelcomeState {
  const visits = journal.table<Visit>('visits');
  const byName = new Map<string, string>();
  const name = (visit: Visit) => {
    byName.set(visit.oid, visit.id);
    if (visit.tid) byName.set(visit.tid, visit.id);
  };
  for (const visit of visits.values()) name(visit);
  return {
    visits,
    save(visit) {
      visits.put(visit.id, visit);
      name(visit);
    },
    find: (key) => visits.get(key) ?? visits.get(byName.get(key) ?? ''),
  };
}

/** With the characters of base64, which must survive forms and signatures. */
export const newAuthToken = (): string => `${Buffer.from(randomHex(24)).toString('base64')}+/=`;
export const newTid = (mid: string): string => `${mid}${randomUpper(26)}`;

/** The rest of the price, in won. */
export const restOf = (visit: Visit): number => Number(visit.price) - (visit.cancelledPrice ?? 0);

/** Takes a part, or all that is left, back. The caller has looked whether that much is there. */
export function cancelPart(state: WelcomeState, visit: Visit, price: number): void {
  visit.cancelledPrice = (visit.cancelledPrice ?? 0) + price;
  if (restOf(visit) === 0) visit.status = 'cancelled';
  state.save(visit);
}
