// An order begun here, perhaps in a tab that is long closed: offered again while it is open, and told
// once when it arrived meanwhile.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type BillingInfo, orderRoutes } from '#contracts/orders.ts';
import { CallError, read } from '#web/platform/calls/query.ts';
import { dropOrder, listUnfinished } from './order-info.ts';
import { UNFINISHED_KEY } from './refresh.ts';
import { isFinal } from '#web/features/orders/stages.ts';

/** The newest order that is not finished, with the way to put it aside for this visit. */
export function useUnfinished(): { order: BillingInfo | null; hide: () => void } {
  // By its number: another order that is left open later is told all the same.
  const [hidden, setHidden] = useState('');
  const query = useQuery({
    queryKey: UNFINISHED_KEY,
    queryFn: ({ signal }) => findOpen(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const order = query.data ?? null;
  return { order: order?.billing_no === hidden ? null : order, hide: () => setHidden(order?.billing_no ?? '') };
}

/**
 * The first of the remembered orders that is still open or has just arrived; those that are
 * over are forgotten on the way.
 */
async function findOpen(signal: AbortSignal): Promise<BillingInfo | null> {
  for (const { billing_no } of listUnfinished()) {
    try {
      const order = await read(orderRoutes.getOrderInfo, { billing_no, simple: '1' }, signal);
      if (!isFinal(order.stage)) return order;
      dropOrder(billing_no);
      // Nobody has seen it arrive: good news once. What ended otherwise stands on My.
      if (order.stage === 'delivered') return order;
    } catch (error) {
      // Another account's order, or one that is gone: nothing to offer. A dead line is Query's business.
      if (!(error instanceof CallError) || error.outcome.kind === 'network') throw error;
      dropOrder(billing_no);
    }
  }
  return null;
}
