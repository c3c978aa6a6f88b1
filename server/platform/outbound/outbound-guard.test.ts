import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { guardOutbound } from './outbound-guard.ts';
import { type Outbound, OutboundError } from './outbound.ts';

const call = { method: 'GET' } as const;
const answer = (status: number) => ({ status, headers: {}, text: '' });

afterEach(() => vi.useRealTimers());

/** Only the date stands still, and moves when told; timers run as ever. */
function setManualClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  return { advance: (ms: number) => vi.setSystemTime(Date.now() + ms) };
}

function setUp(
  script: () => number | 'timeout' | 'refused' | Promise<number>,
  options: { callsPerSecond?: number; pauseMs?: number } = {},
) {
  const changes: string[] = [];
  let calls = 0;
  const peer: Outbound = async () => {
    calls += 1;
    const next = await script();
    if (next === 'timeout') throw new OutboundError('timeout', true, 'no answer');
    if (next === 'refused') throw new OutboundError('network', false, 'cannot be reached (ECONNREFUSED)');
    return answer(next);
  };
  const guarded = guardOutbound(peer, {
    name: 'paypal',
    callsPerSecond: options.callsPerSecond ?? null,
    onChange: (_name, state) => changes.push(state),
    ...(options.pauseMs ? { pauseMs: options.pauseMs } : {}),
  });
  const outcome = () =>
    guarded('https://x.example/', call).then(
      ({ status }) => status,
      (error: OutboundError) => error.reason,
    );
  return { outcome, changes, calls: () => calls, isAvailable: () => guarded.isAvailable() };
}

async function repeat<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < times; index += 1) results.push(await work());
  return results;
}

test('opens at half of twenty, then calls nobody and says that nothing was sent', async () => {
  let turn = 0;
  const { outcome, changes, calls } = setUp(() => (turn++ % 2 === 0 ? 200 : 500));
  const first = await repeat(20, outcome);
  expect(first.filter((status) => status === 500)).toHaveLength(10);
  expect(changes).toEqual(['open']);
  expect(await outcome()).toBe('circuit_open');
  expect(calls()).toBe(20);
});

test.each([[429], [503], ['timeout']] as const)('%s is the trouble of the peer', async (trouble) => {
  const { outcome, changes } = setUp(() => trouble);
  await repeat(20, outcome);
  expect(changes).toEqual(['open']);
});

test('a refusal of our own call is no trouble of the peer', async () => {
  const { outcome, changes } = setUp(() => 422);
  expect(await repeat(40, outcome)).toEqual(Array.from({ length: 40 }, () => 422));
  expect(changes).toEqual([]);
});

test('closes again once the peer answers', async () => {
  let isDown = true;
  const { outcome, changes } = setUp(() => (isDown ? 500 : 200), { pauseMs: 30 });
  await repeat(20, outcome);
  isDown = false;
  await sleep(40);
  expect(await outcome()).toBe(200);
  expect(changes).toEqual(['open', 'half-open', 'closed']);
});

test('an outage of one second is over after one second', async () => {
  const clock = setManualClock();
  let isDown = true;
  const { outcome, changes, calls } = setUp(() => (isDown ? 'refused' : 200));
  expect(await repeat(5, outcome)).toEqual(['network', 'network', 'network', 'circuit_open', 'circuit_open']);
  expect(calls()).toBe(3);
  isDown = false;
  clock.advance(999);
  expect(await outcome()).toBe('circuit_open');
  clock.advance(1);
  expect(await repeat(3, outcome)).toEqual([200, 200, 200]);
  expect(changes).toEqual(['open', 'half-open', 'closed']);
});

test('each probe that fails doubles the pause, up to ten seconds; a success begins anew', async () => {
  const clock = setManualClock();
  let isDown = true;
  const { outcome, isAvailable, calls } = setUp(() => (isDown ? 503 : 200));
  await repeat(20, outcome);
  for (const [index, pauseMs] of [1000, 2000, 4000, 8000, 10_000, 10_000].entries()) {
    clock.advance(pauseMs - 1);
    expect([await outcome(), isAvailable()]).toEqual(['circuit_open', false]);
    clock.advance(1);
    expect(await outcome()).toBe(503);
    expect(calls()).toBe(21 + index);
  }
  isDown = false;
  clock.advance(10_000);
  expect(await outcome()).toBe(200);
  isDown = true;
  await repeat(20, outcome);
  clock.advance(1000);
  expect(isAvailable()).toBe(true);
});

test('one buyer tries a peer that was down, the others are refused until it has answered', async () => {
  const clock = setManualClock();
  let answerProbe: (status: number) => void = () => undefined;
  let isDown = true;
  const probe = () => new Promise<number>((resolve) => void (answerProbe = resolve));
  const { outcome, isAvailable } = setUp(() => (isDown ? 503 : probe()));
  expect(isAvailable()).toBe(true);
  await repeat(20, outcome);
  expect([isAvailable(), isAvailable()]).toEqual([false, false]);
  clock.advance(1000);
  expect([isAvailable(), isAvailable(), isAvailable()]).toEqual([true, false, false]);
  isDown = false;
  const first = outcome();
  clock.advance(60_000);
  expect(isAvailable()).toBe(false);
  answerProbe(200);
  expect(await first).toBe(200);
  expect([isAvailable(), isAvailable()]).toEqual([true, true]);
});

test('a buyer who was let through and never called does not keep the peer closed', async () => {
  const clock = setManualClock();
  const { outcome, isAvailable } = setUp(() => 503);
  await repeat(20, outcome);
  clock.advance(1000);
  expect([isAvailable(), isAvailable()]).toEqual([true, false]);
  clock.advance(1000);
  expect(isAvailable()).toBe(true);
});

test('two calls that reached nobody and one that did leave the circuit closed', async () => {
  let turn = 0;
  const { outcome, changes } = setUp(() => (turn++ % 3 === 2 ? 200 : 'refused'));
  await repeat(9, outcome);
  expect(changes).toEqual([]);
});

test('what is too much at once is refused without calling', async () => {
  const { outcome, calls } = setUp(() => 200, { callsPerSecond: 5 });
  const outcomes = await Promise.race([Promise.all(Array.from({ length: 300 }, outcome)), sleep(200).then(() => null)]);
  expect(outcomes).toBeNull();
  expect(calls()).toBeLessThanOrEqual(10);
});
