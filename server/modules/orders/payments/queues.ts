// Names of the background queues of orders.

/** Ask the provider about one attempt: after an approval, and by the query ladder. */
export const SETTLE_QUEUE = 'settle-payment';
export const ORDER_QUEUES = [SETTLE_QUEUE] as const;
