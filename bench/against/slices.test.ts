// Figures of one side in one turn, from its slices.
import { expect, test } from 'vitest';
import { type Slice, figuresOf } from './slices.ts';

const slice = (over: Partial<Slice> = {}): Slice => ({
  orders: 200,
  seconds: 2,
  payMs: [10, 20],
  callbackMs: [4, 6],
  usedMs: { server: 200, postgres: 400, driver: 300 },
  peakMemoryMb: 200,
  ...over,
});

test('a longer or faster slice counts for as much as it holds', () => {
  const full = [
    slice(),
    slice({ orders: 700, seconds: 4, usedMs: { server: 880, postgres: 500, driver: 600 }, payMs: [30] }),
  ];
  expect(figuresOf({ full, steady: [slice()], taken: [0.01, 0.05, 0.3] })).toEqual({
    deliveredPerSecond: 150,
    payP99Ms: 30,
    steadyMedianMs: 4,
    steadyP99Ms: 6,
    serverMsPerOrder: 1.2,
    postgresMsPerOrder: 1,
    driverMsPerOrder: 1,
    peakMemoryMb: 200,
    taken: 0.05,
  });
});

test('delays are those of the steady rate, pay calls those of full load, memory the most of both', () => {
  const figures = figuresOf({
    full: [slice({ callbackMs: [900], peakMemoryMb: 220 })],
    steady: [slice({ payMs: [900], callbackMs: [5], peakMemoryMb: 230 })],
    taken: [0],
  });
  expect(figures).toMatchObject({ payP99Ms: 20, steadyMedianMs: 5, steadyP99Ms: 5, peakMemoryMb: 230 });
});
