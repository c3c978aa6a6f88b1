// Shares out the connections of a process: the batches of steps have few of their own, all else has the others.
//
// Each connection is a process of PostgreSQL with caches of its own (tables, plans, compiled functions), and a batch of
// the money path works through most of them. Taken from one pool with everything else, batches came round at all its
// connections, each time at one whose caches had gone cold: a twelfth more of PostgreSQL's processor time an order
// (decision 15). Of a pool that nothing else uses the one that was given back last is taken first.

import type { Config } from '#server/platform/config.ts';

/** Our choice: two batches run at once (gather.ts), and two that have stalled hold up nobody. */
export const FOR_BATCHES = 4;

/**
 * Connections of a process: `forBatches` is 0 where there are so few that batches have to share them, or where there
 * are no batches.
 */
export function splitConnections({ poolSize, sharesTransactions }: Pick<Config, 'poolSize' | 'sharesTransactions'>): {
  forBatches: number;
  others: number;
} {
  const forBatches = sharesTransactions ? Math.min(FOR_BATCHES, Math.floor(poolSize / 3)) : 0;
  // One alone would make each batch wait for the one before.
  return forBatches < 2 ? { forBatches: 0, others: poolSize } : { forBatches, others: poolSize - forBatches };
}
