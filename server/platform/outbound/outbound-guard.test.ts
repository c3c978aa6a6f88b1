import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { guardOutbound } from './outbound-guard.ts';
import { type Outbound, OutboundError } from './outbound.ts';

const call = { method: 'GET' } as const;
const answer = (status: number) => ({ status, headers: {}, text: '' });

function setUp(script: () => number | 'timeout', options: { callsPerSecond?: number; pauseMs?: number } = {}) {
  const changes: string[] = [];
  let calls = 0;
  const peer: Outbound = async () => {
    calls += 1;
    const next = script();
    if (next === 'timeout') throw new OutboundError('timeout', true, 'no answer');
    return answer(next);
  };
  const guarded = guardOutbound(peer, {
    name: 'paypal', callsPerSecond: options.callsPerSecond ?? null, onChange: (_name, state) => changes.push(state), pauseMs: options.pauseMs ?? 10_000,
  }); // prettier-ignore
  const outcome = () =>
    guarded('https://x.example/', call).then(
      ({ status }) => status,
      (error: OutboundError) => error.reason,
    );
  return { outcome, changes, calls: () => calls };
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

test('what is too much at once is refused without calling', async () => {
  const { outcome, calls } = setUp(() => 200, { callsPerSecond: 5 });
  const outcomes = await Promise.race([Promise.all(Array.from({ length: 300 }, outcome)), sleep(200).then(() => null)]);
  expect(outcomes).toBeNull();
  expect(calls()).toBeLessThanOrEqual(10);
});
