// Long work leaves seven eighths of a processor's time to the shop.
import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

function createClock() {
  let at = 1000;
  const rests: number[] = [];
  return {
    rests,
    work: (ms: number) => void (at += ms),
    now: () => at,
    rest: async (ms: number) => {
      rests.push(ms);
      at += ms;
    },
  };
}

test('a stint is followed by a rest seven times as long', async () => {
  const clock = createClock();
  const pace = createPace(clock);
  for (const ms of [0.4, 0.4, 0.4, 100]) {
    clock.work(ms);
    await pace();
  }
  expect(clock.rests).toEqual([expect.closeTo(8.4), 700]);
});

test('what was rested is not counted as work', async () => {
  const clock = createClock();
  const pace = createPace(clock);
  clock.work(50);
  await pace();
  clock.work(0.9);
  await pace();
  expect(clock.rests).toEqual([350]);
});
