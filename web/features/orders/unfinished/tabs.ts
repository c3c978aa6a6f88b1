// A provider's page comes back into its own tab. When the tab that the payment was begun in is alive, the
// order goes on there, and this
// one has done its work: two live shops would leave a player asking which of them counts.

type Message = { type: 'returned' | 'here'; billing_no: string };

const CHANNEL = 'refill-orders';
/**
 * Our choice: a tab that is alive answers in a few milliseconds; one that sleeps does not, and
 * then the order goes on here.
 */
const ANSWER_MS = 400;

const shown = new Map<string, () => void>();
let channel: BroadcastChannel | null = null;

/**
 * From now on this tab answers for an order.
 * @param onReturned the player is back from the provider's page
 */
export function answerForOrder(billingNo: string, onReturned: () => void): void {
  shown.set(billingNo, onReturned);
  if (channel) return;
  channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const back = isMessage(data) && data.type === 'returned' ? shown.get(data.billing_no) : undefined;
    if (!back || !isMessage(data)) return;
    say({ type: 'here', billing_no: data.billing_no });
    back();
  });
}

/** Resolves to true when another tab shows this order and goes on with it. */
export function isShownElsewhere(billingNo: string): Promise<boolean> {
  // A step back and forth in this tab is no return from a provider.
  if (shown.has(billingNo)) return Promise.resolve(false);
  const ear = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      clearTimeout(timer);
      ear.close();
      resolve(answer);
    };
    const timer = setTimeout(end, ANSWER_MS, false);
    ear.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data) && data.type === 'here' && data.billing_no === billingNo) end(true);
    });
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
    ear.postMessage({ type: 'returned', billing_no: billingNo } satisfies Message);
  });
}

function say(message: Message): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
  channel?.postMessage(message);
}

function isMessage(data: unknown): data is Message {
  if (typeof data !== 'object' || data === null) return false;
  const { type, billing_no } = data as Partial<Record<keyof Message, unknown>>;
  return (type === 'returned' || type === 'here') && typeof billing_no === 'string';
}
