import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestShop } from '#testing/shop.ts';
import { type Loop, startLoops } from './loops.ts';

/** As services are nested: shop.orders.sweeper, shop.replenish.watch. */
const DEPTH = 3;

/** Everything in a shop that can be started and stopped, by its path. */
function findLoops(value: unknown, path: readonly string[] = []): [string, Loop][] {
  // Services are plain objects; what is of a class (a pool, a cache) is somebody else's.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return [];
  const { start, stop } = value as Partial<Loop>;
  if (typeof start === 'function' && typeof stop === 'function') return [[path.join('.'), value as Loop]];
  if (path.length >= DEPTH) return [];
  return Object.entries(value).flatMap(([name, part]) => findLoops(part, [...path, name]));
}

/** A shop of this role whose loops only note that they were started and stopped. */
async function watchLoops(role: string) {
  const folder = await mkdtemp(join(tmpdir(), 'refill-loops-'));
  const shop = await createTestShop({
    environment: { REFILL_ROLE: role, REFILL_CALLBACK_RECORD: folder, REFILL_CALLBACK_RECORD_MB: '1' },
  });
  onTestFinished(async () => {
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  });
  const loops = findLoops(shop.services);
  const [started, stopped]: [string[], string[]] = [[], []];
  for (const [path, loop] of loops) {
    loop.start = () => void started.push(path);
    loop.stop = async () => void stopped.push(path);
  }
  for (const stop of startLoops(shop.services)) await stop();
  return { paths: loops.map(([path]) => path).toSorted(), started: started.toSorted(), stopped: stopped.toSorted() };
}

test.each(['worker', 'all'])('every loop that a shop has is started and stopped once (%s)', async (role) => {
  const { paths, started, stopped } = await watchLoops(role);
  // Else whoever looks for loops finds none, and this passes.
  expect(paths).toEqual(expect.arrayContaining(['orders.delivery', 'orders.record', 'replenish.watch', 'webhooks']));
  expect(started).toEqual(paths);
  expect(stopped).toEqual(paths);
});

test('a web process only looks after callbacks that were left behind', async () => {
  const { started, stopped } = await watchLoops('web');
  expect(started).toEqual(['orders.record']);
  expect(stopped).toEqual(started);
});
