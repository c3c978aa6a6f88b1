// Two tabs of one shop: the one that began an order answers for it. Both ends run here, over real channels.
import { expect, test, vi } from 'vitest';
import { answerForOrder, isShownElsewhere } from './tabs.ts';

test('an order that a living tab shows is gone on with there', async () => {
  const onReturned = vi.fn<() => void>();
  answerForOrder('B1', onReturned);
  // The tab that comes back has a module of its own.
  vi.resetModules();
  const returning = await import('./tabs.ts');
  await expect(returning.isShownElsewhere('B1')).resolves.toBe(true);
  expect(onReturned).toHaveBeenCalledOnce();
});

test('a step back and forth in the tab that shows the order is no return', async () => {
  const onReturned = vi.fn<() => void>();
  answerForOrder('B5', onReturned);
  await expect(isShownElsewhere('B5')).resolves.toBe(false);
  expect(onReturned).not.toHaveBeenCalled();
});

test('an order that nobody shows is gone on with here', async () => {
  const onReturned = vi.fn<() => void>();
  answerForOrder('B1', onReturned);
  await expect(isShownElsewhere('B2')).resolves.toBe(false);
  expect(onReturned).not.toHaveBeenCalled();
});

test('what others say on the channel is nothing', async () => {
  const other = new BroadcastChannel('refill-orders');
  const asked = isShownElsewhere('B3');
  for (const message of [
    null,
    'here',
    { type: 'here' },
    { type: 'here', billing_no: 'B4' },
    { type: 'x', billing_no: 'B3' },
  ])
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
    other.postMessage(message);
  await expect(asked).resolves.toBe(false);
  other.close();
});
