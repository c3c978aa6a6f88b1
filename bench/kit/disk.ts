// How long the disk takes to make a page durable: what every commit waits for, and what a bulk write
// before it spoils for minutes.
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './figures.ts';

const PAGE = Buffer.alloc(8192, 1);
const WRITES = 200;
/** Our choice: twice as slow is the noise of a shared disk; three looks in a row are no luck. */
const CALM = { factor: 2, looks: 3, pauseMs: 3000 };

/**
 * p99 of writing a page and waiting until it is on the disk of the temporary folder, where the benches have
 * their databases. Milliseconds.
 */
export async function probeDisk(): Promise<number> {
  const path = join(tmpdir(), `refill-disk-${process.pid}`);
  const file = await open(path, 'w');
  const took: number[] = [];
  try {
    for (let count = 0; count < WRITES; count += 1) {
      const started = performance.now();
      await file.write(PAGE, 0, PAGE.length, count * PAGE.length);
      await file.datasync();
      took.push(performance.now() - started);
    }
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
  return percentile(took, 99);
}

/**
 * Waits until the disk is as quick as it was.
 * @param before what `probeDisk` told then
 * @returns what it tells now; more than twice `before` when it did not calm down in `timeoutMs`
 */
export async function waitForDisk(before: number, timeoutMs: number): Promise<number> {
  const deadline = performance.now() + timeoutMs;
  for (let calm = 0; ;) {
    const now = await probeDisk();
    calm = now <= before * CALM.factor ? calm + 1 : 0;
    if (calm === CALM.looks || performance.now() > deadline) return now;
    await sleep(CALM.pauseMs);
  }
}
