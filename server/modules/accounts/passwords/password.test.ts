// Password hashing: known parameters, equal work for nobody, and a queue with an end.
import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { AT_ONCE, WAITING, checkPassword, hashPassword, hashPasswordNow } from './password.ts';

test('a hash is argon2id with the parameters of today, salted', async () => {
  const [one, two] = await Promise.all([hashPassword('x'), hashPassword('x')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await checkPassword(one, 'x')).toBe('match');
  const former = await hash('x', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  expect(await checkPassword(former, 'x')).toBe('outdated');
});

test('match, differs, and nothing matches nobody', async () => {
  const stored = await hashPassword('correct horse');
  expect(await checkPassword(stored, 'correct horse')).toBe('match');
  expect(await checkPassword(stored, 'correct horse ')).toBe('differs');
  expect(await checkPassword(null, 'correct horse')).toBe('differs');
  expect(await checkPassword('not a hash', 'x')).toBe('differs');
  expect(await checkPassword(stored, 'x'.repeat(1025))).toBe('differs');
});

test('one password whatever keyboard typed it, in the form that was hashed before too', async () => {
  const typed = 'Pässwörter-é-한글-ｗｉｄｅ';
  const stored = await hashPassword(typed.normalize('NFD'));
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
    expect(await checkPassword(stored, typed.normalize(form))).toBe('match');
  const former = await hash(typed.normalize('NFD'), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  expect(await checkPassword(former, typed.normalize('NFD'))).toBe('outdated');
  expect(await checkPassword(former, 'another-é')).toBe('differs');
});

test('an account that does not exist costs the same work', async () => {
  const stored = await hashPassword('correct horse');
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let n = 0; n < 15; n += 1) {
    for (const [kind, against] of [
      ['known', stored],
      ['unknown', null],
    ] as const) {
      const started = performance.now();
      await checkPassword(against, 'wrong');
      times[kind].push(performance.now() - started);
    }
  }
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[7] ?? 0;
  // Wide, for a busy machine: without the work the ratio is in the thousands.
  expect(median(times.unknown) / median(times.known)).toBeGreaterThan(0.5);
  expect(median(times.unknown) / median(times.known)).toBeLessThan(2);
});

test('a flood waits in a queue with an end, and is told so beyond it', async () => {
  const stored = await hashPassword('x');
  const results = await Promise.all(Array.from({ length: AT_ONCE + WAITING + 28 }, () => checkPassword(stored, 'x')));
  expect(results.filter((result) => result === 'busy')).toHaveLength(28);
  expect(results.filter((result) => result === 'match')).toHaveLength(AT_ONCE + WAITING);
  expect(await checkPassword(stored, 'x')).toBe('match');
});

test('with a full queue a new hash is refused at once, and the operator waits', async () => {
  const stored = await hashPassword('x');
  const flood = Array.from({ length: AT_ONCE + WAITING }, () => checkPassword(stored, 'x'));
  expect(await hashPasswordNow('y')).toBeNull();
  expect(await hashPassword('y')).toMatch(/^\$argon2id\$/);
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['match']));
});

test('a flood of logins leaves the process its turns: hashing is no work of the event loop', async () => {
  const stored = await hashPassword('x');
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const flood = Array.from({ length: AT_ONCE + WAITING }, () => checkPassword(stored, 'wrong'));
  await Promise.all(flood);
  isOver = true;
  // Counted and not timed, for machines differ: on the event loop itself there would be one or two turns a hash,
  // beside it there are thousands.
  expect(turns / flood.length).toBeGreaterThan(20);
});
