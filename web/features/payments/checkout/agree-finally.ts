// Opens the last look before paying; its code comes with the first use.
import { type Confirmation, CONFIRMATIONS } from '#contracts/confirmations.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';

const FinalPopup = lazyPart(() => import('./FinalPopup.tsx').then((module) => module.FinalPopup));

/**
 * The version of the form that was confirmed; empty where the area wants none; null: the player thought better of it.
 */
export function agreeFinally(confirmation: Confirmation | null, order: OrderView): Promise<string | null> {
  if (confirmation === null) return Promise.resolve('');
  return new Promise((resolve) => {
    let answer: string | null = null;
    const onAgree = () => {
      answer = CONFIRMATIONS[confirmation.form].version;
    };
    openPopup(FinalPopup, { confirmation, order, onAgree }, () => resolve(answer));
  });
}
