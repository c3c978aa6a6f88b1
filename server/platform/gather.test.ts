import { expect, test } from 'vitest';
import { gather } from './gather.ts';
import type { Repeat } from './repeat.ts';

type Asked = { readonly number: number };
type Batch = { readonly inputs: readonly number[]; answer(...errors: number[]): void; fail(error: Error): void };

/** A gatherer whose answers the test gives, and whose batches stall when the test says so. */
function makeGatherer() {
  const batches: Batch[] = [];
  const stalls = new Set<() => void>();
  const repeat: Repeat = (_ms, work) => {
    stalls.add(work);
    return () => stalls.delete(work);
  };
  const ask = gather<Asked, number>(
    (batch) =>
      new Promise((resolve, reject) =>
        batches.push({
          inputs: batch.map(({ number }) => number),
          answer: (...errors) =>
            resolve(
              batch.map(async ({ number }) => {
                if (errors.includes(number)) throw new Error(`not ${number}`);
                return number * 10;
              }),
            ),
          fail: reject,
        }),
      ),
    repeat,
  );
  return { batches, stalls, ask: (number: number) => ask({ number }) };
}
const nextTurn = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('one call goes by itself; what comes while it is under way goes together', async () => {
  const { batches, ask } = makeGatherer();
  const first = ask(1);
  await nextTurn();
  const second = ask(2);
  await nextTurn();
  const rest = [3, 4].map(ask);
  await nextTurn();
  expect(batches.map(({ inputs }) => inputs)).toEqual([[1]]);
  batches[0]?.answer();
  expect(await first).toBe(10);
  await nextTurn();
  expect(batches.map(({ inputs }) => inputs)).toEqual([[1], [2, 3, 4]]);
  batches[1]?.answer();
  expect(await Promise.all([second, ...rest])).toEqual([20, 30, 40]);
});

test('ten that wait go beside the first batch, and no third goes', async () => {
  const { batches, ask } = makeGatherer();
  const calls = [ask(0)];
  await nextTurn();
  const ten = Array.from({ length: 10 }, (_, index) => index + 1);
  for (const number of ten) {
    expect(batches).toHaveLength(1);
    calls.push(ask(number));
    await nextTurn();
  }
  expect(batches.map(({ inputs }) => inputs)).toEqual([[0], ten]);
  const next = ten.map((number) => number + 10);
  for (const number of next) calls.push(ask(number));
  await nextTurn();
  expect(batches).toHaveLength(2);
  batches[1]?.answer();
  await nextTurn();
  expect(batches[2]?.inputs).toEqual(next);
  batches[0]?.answer();
  batches[2]?.answer();
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 21 }, (_, number) => number * 10));
});

test('calls of one turn of the event loop go together, at most 32', async () => {
  const { batches, ask } = makeGatherer();
  const all = Promise.all(Array.from({ length: 70 }, (_, number) => ask(number)));
  await nextTurn();
  expect(batches.map(({ inputs }) => inputs.length)).toEqual([32, 32]);
  for (const batch of batches) batch.answer();
  await nextTurn();
  expect(batches[2]?.inputs).toHaveLength(6);
  batches[2]?.answer();
  expect(await all).toEqual(Array.from({ length: 70 }, (_, number) => number * 10));
});

test('a failure of one is thrown to that one, a failed batch to all of it and to no other', async () => {
  const { batches, ask } = makeGatherer();
  const ends = Promise.allSettled([1, 2, 3].map(ask));
  await nextTurn();
  const others = Promise.allSettled([4, 5].map(ask));
  batches[0]?.answer(2);
  await nextTurn();
  batches[1]?.fail(new Error('gone'));
  expect((await ends).map((end) => (end.status === 'fulfilled' ? end.value : (end.reason as Error).message))).toEqual([
    10,
    'not 2',
    30,
  ]);
  expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const after = ask(6);
  await nextTurn();
  batches[2]?.answer();
  expect(await after).toBe(60);
});

test('a batch that stalls holds up nobody, and its timer ends with it', async () => {
  const { batches, stalls, ask } = makeGatherer();
  const slow = ask(1);
  await nextTurn();
  const later = ask(2);
  await nextTurn();
  expect(batches).toHaveLength(1);
  for (const stall of stalls) stall();
  await nextTurn();
  expect(batches).toHaveLength(2);
  batches[1]?.answer();
  expect(await later).toBe(20);
  // The slow one ends and releases no second slot.
  batches[0]?.answer();
  expect(await slow).toBe(10);
  expect(stalls.size).toBe(0);
  const last = [];
  for (const number of [3, 4]) {
    last.push(ask(number));
    await nextTurn();
  }
  expect(batches).toHaveLength(3);
  batches[2]?.answer();
  await nextTurn();
  batches[3]?.answer();
  expect(await Promise.all(last)).toEqual([30, 40]);
});
