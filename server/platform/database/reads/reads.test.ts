// Which server is read, and how old what was read may be, by positions in the log alone. With a real replica: test 43
// (chaos/replica.ts).
import { beforeEach, expect, test } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
import { type Reads, readPrimary, readReplica } from './reads.ts';

let now: number;
let here: number;
let there: { is_replica: boolean; position: string } | Error;
let asked: { primary: number; replica: number };
let lines: string[];
let reads: Reads;

/** A server that answers every statement alike. */
const server = (answer: () => object | Error): Db =>
  ({
    query: async () => {
      const row = answer();
      if (row instanceof Error) throw row;
      return { rows: [row] };
    },
    end: async () => undefined,
  }) as unknown as Db;
const primary = server(() => {
  asked.primary += 1;
  return { position: String(here) };
});
const replica = server(() => {
  asked.replica += 1;
  return there;
});
const follow = (position: number) => (there = { is_replica: true, position: String(position) });
const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const readFrom = async () => {
  const { behindSeconds, value } = await reads.read(async (db) => (db === replica ? 'replica' : 'primary'));
  return behindSeconds === null ? value : `${value} ${behindSeconds}`;
};

beforeEach(() => {
  [now, here, asked, lines] = [1_000_000, 500, { primary: 0, replica: 0 }, []];
  follow(500);
  const log = {
    info: (_: object, line: string) => lines.push(line),
    warn: (_: object, line: string) => lines.push(line),
  };
  reads = readReplica({ primary, replica, log, maxBehindSeconds: 30, now: () => now });
});

test('without a replica the primary is read, and nothing is said of its age', async () => {
  const plain = readPrimary(primary);
  expect(await plain.read(async (db) => db === primary)).toEqual({ value: true, behindSeconds: null });
  expect(await plain.look()).toBeNull();
});

test('a replica that has all is read; what is between two looks counts', async () => {
  expect(await readFrom()).toBe('replica 0');
  now += 800;
  expect(await readFrom()).toBe('replica 0.8');
  expect(asked).toEqual({ primary: 1, replica: 1 });
});

test('one that stands still is as old as the last moment that it has reached', async () => {
  await readFrom();
  for (let second = 1; second <= 29; second += 2) {
    now += 2000;
    here += 10;
    expect(await readFrom()).toBe(`replica ${second + 1}`);
  }
  now += 2000;
  here += 10;
  expect(await readFrom()).toBe('primary');
  expect(await readFrom()).toBe('primary');
  expect(lines).toEqual(['the replica is too far behind; the primary is read']);
  now += 2000;
  follow(here);
  expect(await readFrom()).toBe('replica 0');
  expect(lines.at(-1)).toBe('the replica is read again');
});

test('it is as old as the newest moment that it has reached, and not as the time of its last change', async () => {
  await readFrom();
  now += 10_000;
  here = 600;
  expect(await readFrom()).toBe('replica 10');
  now += 5000;
  here = 700;
  follow(650);
  expect(await readFrom()).toBe('replica 5');
  // Nothing happens in the shop: it has all, however long ago that was.
  now += 3_600_000;
  follow(700);
  expect(await readFrom()).toBe('replica 0');
});

test('the bytes on their way after a long pause are waited for', async () => {
  await readFrom();
  now += 600_000;
  here = 900;
  const late = readFrom();
  setTimeout(() => follow(900), 20);
  expect(await late).toMatch(/^replica 0/);
});

test.each([
  ['away', () => gone, 'the replica cannot be read; the primary is read'],
  [
    'a primary itself',
    () => ({ is_replica: false, position: '500' }),
    'the database of DATABASE_READ_URL is no replica; the primary is read',
  ],
])('one that is %s is not read', async (_, make, line) => {
  there = make();
  expect(await readFrom()).toBe('primary');
  now += 5000;
  expect(await readFrom()).toBe('primary');
  expect(lines).toEqual([line]);
});

test.each(['ECONNREFUSED', '40001', '57P01'])(
  'a read that it does not finish (%s) is done at the primary',
  async (code) => {
    const work = async (db: Db) => {
      if (db === replica) throw Object.assign(new Error('over'), { code });
      return 'done';
    };
    expect(await reads.read(work)).toEqual({ value: 'done', behindSeconds: null });
  },
);

test('a fault of the read itself is no fault of the replica', async () => {
  await expect(reads.read(async () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  expect(await readFrom()).toBe('replica 0');
});

test('who can wait is read at a replica that catches up meanwhile', async () => {
  follow(100);
  setTimeout(() => follow(500), 400);
  setTimeout(() => (now += 2000), 450);
  expect((await reads.read(async () => 'x', 60_000)).behindSeconds).not.toBeNull();
});
