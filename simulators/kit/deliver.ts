// Carries a payment's callbacks from the provider to the shop.

import type { CallbackDraft, Outbox } from './outbox.ts';
import type { Sentinel } from './faults.ts';

/** Our choice: longer than a shop's first query, short enough to watch. */
const lateMs = 20_000;
const reorderGapMs = 1_000;

/**
 * Sends the callbacks of one outcome under the payment's sentinels.
 * `success` are the true ones, `stale` those that report a failure which is not the final word.
 * Resolves when everything that has no delay was tried once.
 */
export async function deliverOutcome(
  outbox: Outbox,
  faults: readonly Sentinel[],
  events: { success: CallbackDraft[]; stale: () => CallbackDraft[] },
): Promise<void> {
  if (faults.includes('lost')) return;
  const delayMs = faults.includes('late') || faults.includes('timeout') ? lateMs : 0;
  const copies = faults.includes('duplicate') ? 3 : 1;
  const success = Array.from({ length: copies }, () => events.success).flat();
  const sendAll = (drafts: CallbackDraft[], extraMs: number) =>
    Promise.all(drafts.map((draft) => outbox.send(draft, delayMs + extraMs)));

  if (faults.includes('reorder')) {
    await sendAll(events.stale(), 0);
    await sendAll(success, reorderGapMs);
    return;
  }
  if (copies > 1) await sendAll(success, 0);
  // One after the other: a provider that sends two kinds of callback for one payment sends them in order.
  else for (const draft of success) await outbox.send(draft, delayMs);
  if (faults.includes('reorder-reverse')) await sendAll(events.stale(), reorderGapMs);
}
