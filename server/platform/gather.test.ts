import { expect, test } from 'vitest';
import { gather } from './gather.ts';
import type { Repeat } from './repeat.ts';

type Asked = { readonly number: number };
type Flight = { readonly batch: readonly number[]; answer(...errors: number[]): void; fail(error: Error): void };

/** A gatherer whose answers the test gives, and whose patience runs out when the test says so. */
function makeGatherer() {
  const flights: Flight[] = [];
  const patience = new Set<() => void>();
  const repeat: Repeat = (_ms, work) => {
    patience.add(work);
    return () => patience.delete(work);
  };
  const ask = gather<Asked, number>(
    (batch) =>
      new Promise((resolve, reject) =>
        flights.push({
          batch: batch.map(({ number }) => number),
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
  return { flights, patience, ask: (number: number) => ask({ number }) };
}
const nextTurn = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('one call goes by itself; what comes while two batches are under way goes together', async () => {
  const { flights, ask } = makeGatherer();
  const first = ask(1);
  await nextTurn();
  const second = ask(2);
  await nextTurn();
  const rest = [3, 4, 5].map(ask);
  await nextTurn();
  expect(flights.map(({ batch }) => batch)).toEqual([[1], [2]]);
  flights[0]?.answer();
  expect(await first).toBe(10);
  await nextTurn();
  expect(flights.map(({ batch }) => batch)).toEqual([[1], [2], [3, 4, 5]]);
  flights[2]?.answer();
  flights[1]?.answer();
  expect(await Promise.all([second, ...rest])).toEqual([20, 30, 40, 50]);
});

test('calls of one turn of the event loop go together, at most 32', async () => {
  const { flights, ask } = makeGatherer();
  const all = Promise.all(Array.from({ length: 70 }, (_, number) => ask(number)));
  await nextTurn();
  expect(flights.map(({ batch }) => batch.length)).toEqual([32, 32]);
  for (const flight of flights) flight.answer();
  await nextTurn();
  expect(flights[2]?.batch).toHaveLength(6);
  flights[2]?.answer();
  expect(await all).toEqual(Array.from({ length: 70 }, (_, number) => number * 10));
});

test('a failure of one is thrown to that one, a failed batch to all of it and to no other', async () => {
  const { flights, ask } = makeGatherer();
  const ends = Promise.allSettled([1, 2, 3].map(ask));
  await nextTurn();
  const others = Promise.allSettled([4, 5].map(ask));
  await nextTurn();
  flights[0]?.answer(2);
  flights[1]?.fail(new Error('gone'));
  expect((await ends).map((end) => (end.status === 'fulfilled' ? end.value : (end.reason as Error).message))).toEqual([10, 'not 2', 30]); // prettier-ignore
  expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const after = ask(6);
  await nextTurn();
  flights[2]?.answer();
  expect(await after).toBe(60);
});

test('a batch that takes too long holds up nobody, and its patience ends with it', async () => {
  const { flights, patience, ask } = makeGatherer();
  const slow = [ask(1)];
  await nextTurn();
  slow.push(ask(2));
  await nextTurn();
  const later = ask(3);
  await nextTurn();
  expect(flights).toHaveLength(2);
  for (const runOut of patience) runOut();
  await nextTurn();
  expect(flights).toHaveLength(3);
  flights[2]?.answer();
  expect(await later).toBe(30);
  // Both slow ones come home and give no second place back.
  flights[0]?.answer();
  flights[1]?.answer();
  expect(await Promise.all(slow)).toEqual([10, 20]);
  expect(patience.size).toBe(0);
  const last = [];
  for (const number of [4, 5, 6]) {
    last.push(ask(number));
    await nextTurn();
  }
  expect(flights).toHaveLength(5);
  for (const flight of flights.slice(3)) flight.answer();
  await nextTurn();
  flights[5]?.answer();
  expect(await Promise.all(last)).toEqual([40, 50, 60]);
});
