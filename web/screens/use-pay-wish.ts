// Keeps a press of Pay until what has to come before the checkout is there: the login, the goods, the character. Both
// versions of the shop lead on from here, so a press is never asked for twice, and one that is given up opens nothing.
import { useEffect, useEffectEvent } from 'react';
import type { ReceiverState } from '#web/features/games/ReceiverCard.tsx';
import { dropWish, useWish, wishToPay } from '#web/features/orders/unfinished/pay-wish.ts';

type Ways = {
  state: ReceiverState;
  /** The chosen goods, and the code of what comes next, are there. */
  isReady: boolean;
  /** The chosen goods can no longer be bought: they are not paid for when they can be again. */
  isClosed: boolean;
  /** Opens the checkout. */
  onGo: () => void;
  /** Shows where a character is chosen, or why there is none to choose. */
  onAsk: () => void;
};

export function usePayWish({ state, isReady, isClosed, onGo, onAsk }: Ways) {
  const isWished = useWish();
  const isMissing = state === 'choose' || state === 'none' || state === 'notFound';
  const lead = useEffectEvent(() => {
    if (state === 'chosen') {
      dropWish();
      onGo();
    } else if (isMissing) onAsk();
  });
  useEffect(() => {
    if (isClosed) dropWish();
  }, [isClosed]);
  const step = isWished && isReady ? state : null;
  useEffect(() => {
    if (step) lead();
  }, [step]);
  return {
    isWished,
    /** A press while something is missing: the second one points at it again. */
    press: () => {
      if (isWished && isMissing) onAsk();
      else wishToPay();
    },
  };
}
