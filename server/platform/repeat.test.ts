// Rounds of work: one at a time of each kind, and none left when they have stopped.
import { expect, test } from 'vitest';
import { createRounds, type Repeat } from './repeat.ts';

/** A clock of the test's own: `tick` is one turn of every interval that is not stopped. */
function manualRounds() {
  const works = new Set<() => void>();
  const repeat: Repeat = (_, work) => {
    works.add(work);
    return () => works.delete(work);
  };
  return { rounds: createRounds(repeat), tick: () => works.forEach((work) => work()) };
}

function heldWork() {
  const ends: (() => void)[] = [];
  return { ends, work: () => new Promise<void>((resolve) => ends.push(resolve)) };
}
const unexpected = (error: unknown) => expect.unreachable(String(error));

test('a round begins at once, and none beside one that is under way', async () => {
  const { rounds, tick } = manualRounds();
  const { ends, work } = heldWork();
  rounds.every(1000, work, unexpected);
  tick();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => (tick(), ends.length)).toBe(2);
  ends[1]?.();
  await rounds.stop();
});

test('stop waits for every kind of work that is under way, and nothing begins after it', async () => {
  const { rounds, tick } = manualRounds();
  const [first, second] = [heldWork(), heldWork()];
  rounds.every(1000, first.work, unexpected);
  rounds.every(5000, second.work, unexpected);
  let isOver = false;
  const stopping = rounds.stop().then(() => (isOver = true));
  first.ends[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  second.ends[0]?.();
  await stopping;
  tick();
  expect([first.ends.length, second.ends.length]).toEqual([1, 1]);
});

test('a round that fails is told, and the next one comes', async () => {
  const { rounds, tick } = manualRounds();
  const errors: unknown[] = [];
  let count = 0;
  const work = async () => {
    count += 1;
    if (count === 1) throw new Error('no database');
  };
  rounds.every(1000, work, (error) => errors.push(error));
  await expect.poll(() => errors).toEqual([new Error('no database')]);
  tick();
  expect(count).toBe(2);
  await rounds.stop();
});
