// The background loops of a shop and who runs them. A loop that is made in compose.ts and missing here is found by
// loops.test.ts.
import type { Composed } from '#server/compose.ts';

export type Loop = { start(): unknown; stop(): Promise<unknown> };

/** In the order in which they end: what begins new work first. */
function workerLoops({ orders, events, replenish, webhooks, erasures, ends }: Composed): readonly Loop[] {
  const { delivery, polling, sweeper } = orders;
  return [sweeper, polling, delivery, events.rewards, replenish.watch, webhooks, erasures, ends];
}

/**
 * Starts what a process of this role has to.
 * @returns their ends, in order; each waits for the step that is under way
 */
export function startLoops(shop: Composed): readonly (() => Promise<unknown>)[] {
  // In every role: a worker takes up callbacks that a web process of this machine left behind.
  const { record } = shop.orders;
  const loops = [...(shop.config.role === 'web' ? [] : workerLoops(shop)), ...(record ? [record] : [])];
  for (const loop of loops) loop.start();
  return loops.map((loop) => () => loop.stop());
}
