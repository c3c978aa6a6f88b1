// How programs that share a few processors are started: each finishes what it is at before the next one has its turn.
import { spawnSync } from 'node:child_process';

const BATCH = ['chrt', '--batch', '0'] as const;
let found: readonly string[] | undefined;

/**
 * Words before a command line that make Linux treat the program, and whatever it starts, as one that computes: woken by
 * a message, it waits for its turn instead
 * of taking the processor from its sender. Server and PostgreSQL wake each other ten times an order; measured in turn
 * within one run, they deliver a tenth more this way and a call waits less (docs/decisions/0016). Empty where the
 * system does not know it.
 * @source sched(7), "SCHED_BATCH"; chrt(1) of util-linux
 */
export function findBatchWay(): readonly string[] {
  return (found ??= spawnSync(BATCH[0], [...BATCH.slice(1), 'true']).status === 0 ? BATCH : []);
}

/** The same for this process, all its threads, and what it starts from now on. */
export function joinBatch(): void {
  if (findBatchWay().length > 0) spawnSync('chrt', ['--all-tasks', '--batch', '--pid', '0', String(process.pid)]);
}
