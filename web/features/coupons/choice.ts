// Keeps the player's choice of coupons: one for the whole page, because bar, panel and popup show the same order.
import { useSyncExternalStore } from 'react';

/** Why the page let go of a coupon by itself. `unpriced` can be tried again, by the player. */
export type CouponFault = { kind: 'refused' | 'unpriced'; code: string };

export type CouponChoice = {
  /** A code, empty for none; null: nothing was said, the best one is taken. */
  said: string | null;
  /** The goods it was said of; another product begins anew. Empty: of any goods, on My. */
  about: string;
  fault: CouponFault | null;
};

const NOTHING: CouponChoice = { said: null, about: '', fault: null };

let choice = NOTHING;
const listeners = new Set<() => void>();

function put(next: CouponChoice): void {
  choice = next;
  for (const listener of listeners) listener();
}

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const current = () => choice;

/** Returns the choice for these goods. @param about see keyOfGoods */
export function useCouponChoice(about: string): CouponChoice {
  const now = useSyncExternalStore(watch, current, current);
  return now.about === '' || now.about === about ? now : NOTHING;
}

export function chooseCoupon(about: string, code: string): void {
  put({ said: code, about, fault: null });
}

/** Lets go of the coupon; the player has to choose again. */
export function dropCoupon(about: string, fault: CouponFault | null = null): void {
  put({ said: '', about, fault });
}

/** Drops the wish for no coupon. @source specification section 4: "On opening the recharge popup, ... auto-selected" */
export function beginCoupon(): void {
  if (choice.said === '') put(NOTHING);
}

export const keyOfGoods = ({ clientId, productId }: { clientId: string; productId: string }): string =>
  `${clientId}/${productId}`;
