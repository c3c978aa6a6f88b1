// Asks the server about orders: one order again and again until it is final, and the history page by page.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BillingInfo, orderRoutes } from '#contracts/orders.ts';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { CallError, read } from '#web/platform/calls/query.ts';
import { dropOrder } from './unfinished/order-info.ts';
import { pollDelayMs } from './result/poll.ts';
import { isFinal, needsFullCheck } from './stages.ts';

async function readOrder(billingNo: string, signal: AbortSignal): Promise<BillingInfo> {
  try {
    return await readSettled(billingNo, signal);
  } catch (error) {
    // Somebody else's order, or none: not to be offered on the next visit.
    if (isGone(error)) dropOrder(billingNo);
    throw error;
  }
}

/** @source specification section 4: "A simple check returning success or fail triggers a full check" */
async function readSettled(billingNo: string, signal: AbortSignal): Promise<BillingInfo> {
  const simple = await read(orderRoutes.getOrderInfo, { billing_no: billingNo, simple: '1' }, signal);
  const order = needsFullCheck(simple)
    ? await read(orderRoutes.getOrderInfo, { billing_no: billingNo }, signal)
    : simple;
  if (isFinal(order.stage)) dropOrder(billingNo);
  return order;
}

const orderKey = (billingNo: string, language: string) => ['order', billingNo, language];

/**
 * One order, polled until nothing more happens to it by itself.
 * @param known what is known before the first answer: then the first poll waits, as it should after a payment
 */
export function useOrder(billingNo: string, known: BillingInfo | null) {
  const language = useLanguage();
  const client = useQueryClient();
  const [openedAt] = useState(() => Date.now());
  const query = useQuery({
    queryKey: orderKey(billingNo, language),
    queryFn: ({ signal }) => readOrder(billingNo, signal),
    ...(known ? { initialData: known } : {}),
    staleTime: known ? Number.POSITIVE_INFINITY : 0,
    gcTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => {
      if (state.data && isFinal(state.data.stage)) return false;
      if (isGone(state.error) || isLoggedOut(state.error)) return false;
      const polls = state.dataUpdateCount + state.errorUpdateCount - (known ? 0 : 1);
      return pollDelayMs(Math.max(0, polls), Date.now() - openedAt);
    },
    meta: { isQuiet: true },
  });
  /** Asks with the provider's own word, on a press of "I have paid". Null when there was no answer. */
  const check = async (): Promise<BillingInfo | null> => {
    const order = await read(orderRoutes.getOrderInfo, { billing_no: billingNo }).catch(() => null);
    if (!order) return null;
    if (isFinal(order.stage)) dropOrder(billingNo);
    client.setQueryData(orderKey(billingNo, language), order);
    return order;
  };
  const put = (order: BillingInfo) => client.setQueryData(orderKey(billingNo, language), order);
  return {
    order: query.data ?? null,
    isAnswered: query.isFetchedAfterMount && query.isSuccess,
    isGone: isGone(query.error),
    fault: query.isError ? tellFault(query.error, t('result.load_error')) : '',
    check,
    put,
  };
}

/** Returns true when the server knows no such order of this player. */
function isGone(error: unknown): boolean {
  return error instanceof CallError && error.outcome.kind === 'code' && error.outcome.name === 'orderNotFound';
}

/** In the SDK view the page stays as it is then, and asking on would change nothing. */
function isLoggedOut(error: unknown): boolean {
  return error instanceof CallError && error.outcome.kind === 'code' && error.outcome.name === 'notLoggedIn';
}

/** Our choice: a page of ten fills two screens of a phone. */
const PAGE_SIZE = '10';
/** Our choice: what is under way is looked at again every five seconds, as the slowest poll of a result. */
const LIVE_MS = 5000;

/** The player's orders, newest first; read again while one of them is under way. */
export function useHistory(isLoggedIn: boolean) {
  const language = useLanguage();
  return useInfiniteQuery({
    queryKey: ['history', language],
    queryFn: ({ pageParam, signal }) =>
      read(orderRoutes.history, { limit: PAGE_SIZE, ...(pageParam && { before: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || null,
    enabled: isLoggedIn,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => {
      const orders = state.data?.pages.flatMap((page) => page.list) ?? [];
      return orders.some((order) => order.paid_at > 0 && !isFinal(order.stage)) ? LIVE_MS : false;
    },
    meta: { isQuiet: true },
  });
}
