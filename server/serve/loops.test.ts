import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
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

/** Longer than any loop rests between two looks. */
const LONGEST_REST_MS = 3_600_000;

/** Statements of a pool stay on this side of the wire until they are let through. */
function holdStatements(db: Db) {
  const held: { name: string; letGo: () => void }[] = [];
  let isHolding = false;
  let inFlight = 0;
  const wrapped = new WeakSet<object>();
  db.on('acquire', (client) => {
    if (wrapped.has(client)) return;
    wrapped.add(client);
    const query = client.query.bind(client) as (...parts: unknown[]) => Promise<unknown>;
    const queryHeld = async ([first, ...rest]: unknown[]): Promise<unknown> => {
      const name = typeof first === 'string' ? first : ((first as { name?: string }).name ?? '');
      inFlight += 1;
      try {
        if (isHolding) await new Promise<void>((resolve) => held.push({ name, letGo: resolve }));
        return await query(first, ...rest);
      } finally {
        inFlight -= 1;
      }
    };
    const queryEither = (...parts: unknown[]) => {
      // The pool's own `query` hands in what is to be called with the answer.
      const answer = parts.at(-1);
      if (typeof answer !== 'function') return queryHeld(parts);
      queryHeld(parts.slice(0, -1)).then(
        (found) => answer(null, found),
        (error: unknown) => answer(error),
      );
      return undefined;
    };
    Object.assign(client, { query: queryEither });
  });
  return {
    held,
    hold: (is: boolean) => (isHolding = is),
    countInFlight: () => inFlight,
  };
}

/** @param order in which what was asked at once is answered */
async function stopEach(order: 'first' | 'last') {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const shop = await createTestShop({ environment: { REFILL_ROLE: 'worker' } });
  onTestFinished(() => shop.close());
  const { held, hold, countInFlight } = holdStatements(shop.db);
  const seen: { path: string; asked: string[]; leftBehind: number }[] = [];
  for (const [path, loop] of findLoops(shop.services)) {
    hold(true);
    loop.start();
    vi.advanceTimersByTime(LONGEST_REST_MS);
    await expect.poll(() => held.length, { message: path }).toBeGreaterThan(0);
    await setTimeout(20);
    const asked = held.map(({ name }) => name).toSorted();
    let isOver = false;
    let leftBehind = 0;
    const stopping = loop.stop().then(() => {
      isOver = true;
      leftBehind = countInFlight();
    });
    while (!isOver || countInFlight() > 0) {
      (order === 'first' ? held.shift() : held.pop())?.letGo();
      await setTimeout(5);
    }
    await stopping;
    hold(false);
    seen.push({ path, asked, leftBehind });
  }
  return seen;
}

test.each(['first', 'last'] as const)(
  'a loop does each thing once at a time, and has ended only when all that it began has (%s answered first)',
  async (order) => {
    const seen = await stopEach(order);
    expect(seen.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['orders.delivery', 'replenish.watch', 'webhooks']),
    );
    expect(seen.filter(({ asked }) => new Set(asked).size < asked.length)).toEqual([]);
    expect(seen.filter(({ leftBehind }) => leftBehind > 0)).toEqual([]);
  },
  60_000,
);
