// Tests the durable record: an entry acknowledged as kept is on the disk; one process at a time hands a file on, in its
// order, and removes it then.
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { createMemoryFolder } from '#testing/memory-folder.ts';
import { createDurableRecord, type Taken } from './durable-record.ts';
import { openRecordFolder, type RecordFolder } from './record-folder.ts';

type One = { id: string; at: string; text: string };
type Memory = ReturnType<typeof createMemoryFolder>;
const DEAD_MS = 120_000;
let lines: string[] = [];
const log = createLog('trace', { write: (line) => void lines.push(line) });
let memory: Memory;
beforeEach(() => {
  lines = [];
  memory = createMemoryFolder();
});

const one = (id: string, text = `text of ${id}`): One => ({ id, at: '2026-03-02T09:00:00.000Z', text });
const open = (over: { folder?: RecordFolder; capBytes?: number; kind?: string; now?: () => number } = {}) =>
  createDurableRecord<One>({ folder: memory.folder, kind: 'proven', capBytes: 1e6, now: Date.now, log, ...over });
const collect =
  (into: string[]) =>
  async (entry: One): Promise<Taken> => {
    into.push(entry.id);
    return 'done';
  };
const whole = () => memory.names().map(memory.text).join('');

describe('an entry', () => {
  test('is told as kept only when it is on the disk', async () => {
    const did: string[] = [];
    let release = (): void => undefined;
    const disk = new Promise<void>((resolve) => (release = resolve));
    memory = createMemoryFolder({
      before: async (operation) => {
        if (operation === 'sync') await disk;
        did.push(operation);
      },
    });
    const record = open();
    const kept = record.append(one('a')).then((how) => did.push(`told ${how}`));
    // The same again, meanwhile: it waits for the same disk.
    const again = record.append(one('a')).then((how) => did.push(`told ${how}`));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(did).toEqual(['list', 'create', 'write']);
    release();
    await Promise.all([kept, again]);
    expect(did).toEqual(['list', 'create', 'write', 'sync', 'touch', 'told kept', 'told kept']);
    expect(record.figures().entries).toBe(1);
  });

  test('outlives the power; one that was not told may be lost or torn', async () => {
    for (const share of [0, 0.3, 0.99]) {
      let isHeld = false;
      memory = createMemoryFolder({
        before: (operation) =>
          operation === 'sync' && isHeld ? new Promise(() => undefined) : Promise.resolve(undefined),
      });
      const record = open();
      expect(await record.append(one('a'))).toBe('kept');
      isHeld = true;
      let isAnswered = false;
      void record.append(one('b')).then(() => (isAnswered = true));
      await new Promise((resolve) => setTimeout(resolve, 5));
      memory.cutPower(share);
      memory.age(DEAD_MS);
      isHeld = false;
      const next = open();
      const taken: string[] = [];
      await next.takeLeftovers();
      await next.replay(collect(taken));
      expect([isAnswered, taken, memory.names()]).toEqual([false, ['a'], []]);
    }
    expect(lines.join('')).toContain('was cut');
  });

  test.each(['list', 'create', 'write', 'sync', 'touch'] as const)(
    'is told as failed when its %s fails; the next one is kept',
    async (step) => {
      let isBroken = true;
      memory = createMemoryFolder({
        before: async (operation) => {
          if (isBroken && operation === step) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        },
      });
      const record = open();
      expect(await record.append(one('a'))).toBe('failed');
      expect(lines.join('')).toContain('"alert":"callback_record"');
      isBroken = false;
      expect([await record.append(one('b')), await record.append(one('a'))]).toEqual(['kept', 'kept']);
      const taken: string[] = [];
      await record.replay(collect(taken));
      expect([new Set(taken), memory.names()]).toEqual([new Set(['a', 'b']), []]);
    },
  );

  test('many at once share a write, and lie in the order of their coming', async () => {
    let syncs = 0;
    memory = createMemoryFolder({ before: async (operation) => void (syncs += operation === 'sync' ? 1 : 0) });
    const record = open();
    const ids = Array.from({ length: 200 }, (_, n) => `n${n}`);
    expect(new Set(await Promise.all(ids.map((id) => record.append(one(id)))))).toEqual(new Set(['kept']));
    expect(syncs).toBeLessThan(5);
    const taken: string[] = [];
    await record.replay(collect(taken));
    expect(taken).toEqual(ids);
  });

  test('that has no room is refused, also for what others left; with room again it is kept', async () => {
    const first = open({ capBytes: 1000 });
    expect(await first.append(one('a', 'x'.repeat(600)))).toBe('kept');
    const second = open({ capBytes: 1000 });
    expect(await second.append(one('b', 'x'.repeat(600)))).toBe('full');
    expect(await second.append(one('c', 'small'))).toBe('kept');
    // Another kind has room of its own.
    expect(await open({ kind: 'unproven', capBytes: 1000 }).append(one('d', 'x'.repeat(600)))).toBe('kept');
    await first.replay(collect([]));
    expect(await second.append(one('b', 'x'.repeat(600)))).toBe('kept');
  });

  test('written to a file that somebody took over and removed lies in a new one', async () => {
    const record = open();
    await record.append(one('a'));
    memory.age(DEAD_MS);
    const other = open();
    const taken: string[] = [];
    expect(await other.takeLeftovers()).toBe(1);
    await other.replay(collect(taken));
    expect(memory.names()).toEqual([]);
    expect(await record.append(one('b'))).toBe('kept');
    expect(memory.names()).toHaveLength(1);
    await record.replay(collect(taken));
    expect(taken).toEqual(['a', 'b']);
  });
});

describe('a replay', () => {
  test('goes on after "later", ends at "stop", and keeps what stays in its order', async () => {
    const record = open();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await record.append(one(id));
    const how: Record<string, Taken> = { a: 'done', b: 'later', c: 'done', d: 'stop' };
    const seen: string[] = [];
    const isDone = await record.replay(async ({ id }) => {
      seen.push(id);
      return how[id] ?? 'done';
    });
    expect([isDone, seen]).toEqual([false, ['a', 'b', 'c', 'd']]);
    expect(record.figures().entries).toBe(3);
    const rest: string[] = [];
    expect(await record.replay(collect(rest))).toBe(true);
    expect(rest).toEqual(['b', 'd', 'e']);
    expect([memory.names(), record.figures()]).toEqual([[], { entries: 0, bytes: 0 }]);
  });

  test('an entry leaves the file only after it was taken', async () => {
    const record = open();
    await record.append(one('a'));
    await record.replay(async ({ text }) => {
      expect(whole()).toContain(text);
      return 'done';
    });
    expect(memory.names()).toEqual([]);
  });

  test('what comes meanwhile lies in a file of its own', async () => {
    const record = open();
    await record.append(one('a'));
    const taken: string[] = [];
    await record.replay(async ({ id }) => {
      taken.push(id);
      expect(await record.append(one('b'))).toBe('kept');
      return 'done';
    });
    await record.replay(collect(taken));
    expect(taken).toEqual(['a', 'b']);
  });

  test('of a file whose last line is torn at any byte skips that line and no other', async () => {
    const record = open();
    for (const id of ['a', 'b', 'c']) await record.append(one(id, 'ö🔥\n'));
    await record.release();
    const [name = ''] = memory.names();
    const text = memory.text(name);
    for (let end = text.indexOf('\n', text.indexOf('\n') + 1) + 2; end < text.length; end += 1) {
      memory = createMemoryFolder();
      memory.put(name, text.slice(0, end));
      const taken: string[] = [];
      const next = open();
      await next.takeLeftovers();
      await next.replay(collect(taken));
      expect([end, taken, memory.names()]).toEqual([end, ['a', 'b'], []]);
    }
    expect(lines.join('')).toContain('was cut');
  });

  test('a line that was changed is put aside and told, the others are handed on', async () => {
    const record = open();
    for (const id of ['a', 'b', 'c']) await record.append(one(id));
    await record.release();
    const [name = ''] = memory.names();
    memory.put(name, memory.text(name).replace('text of b', 'text of x'));
    const next = open();
    await next.takeLeftovers();
    const taken: string[] = [];
    await next.replay(collect(taken));
    expect(taken).toEqual(['a', 'c']);
    expect(memory.names()).toEqual([expect.stringMatching(/\.damaged$/)]);
    expect(whole()).toContain('text of x');
    expect(lines.join('')).toContain('damaged lines');
  });
});

describe('files of others', () => {
  test('of a living process are left alone; of a dead one and of one that ended in order they are taken over', async () => {
    const dead = open();
    await dead.append(one('a'));
    const next = open();
    expect(await next.takeLeftovers()).toBe(0);
    memory.age(DEAD_MS);
    // It says that it lives.
    await dead.beat();
    expect(await next.takeLeftovers()).toBe(0);
    memory.age(DEAD_MS);
    expect(await next.takeLeftovers()).toBe(1);
    await next.release();
    expect(await open().takeLeftovers()).toBe(1);
  });

  test('are handed on by one of many that come at once', async () => {
    const dead = [open(), open(), open()];
    for (const [index, record] of dead.entries()) await record.append(one(`d${index}`));
    memory.age(DEAD_MS);
    const others = Array.from({ length: 8 }, () => open());
    const taken = await Promise.all(others.map((record) => record.takeLeftovers()));
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(3);
    const seen: string[] = [];
    await Promise.all(others.map((record) => record.replay(collect(seen))));
    expect(seen.toSorted()).toEqual(['d0', 'd1', 'd2']);
    expect(memory.names()).toEqual([]);
  });

  test('taken over while their process slept in the middle of them are not gone on with', async () => {
    let now = Date.now();
    const sleeper = open({ now: () => now });
    for (const id of ['a', 'b', 'c']) await sleeper.append(one(id));
    const other = open();
    const seen: string[] = [];
    await sleeper.replay(async ({ id }) => {
      seen.push(`sleeper ${id}`);
      memory.age(DEAD_MS);
      await other.takeLeftovers();
      now += DEAD_MS;
      return 'done';
    });
    await other.replay(async ({ id }) => {
      seen.push(`other ${id}`);
      return 'done';
    });
    // The one that was under way is done twice, which who takes it does not mind.
    expect(seen).toEqual(['sleeper a', 'other a', 'other b', 'other c']);
    expect(memory.names()).toEqual([]);
  });
});

test('on a real disk: for the account of the shop alone, taken over by one, away when it is handed on', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'refill-record-')), 'made');
  try {
    const folder = () => openRecordFolder(path);
    expect(await open({ folder: folder() }).takeLeftovers()).toBe(0);
    expect(await open({ folder: folder() }).append(one('a', 'ö🔥\n'))).toBe('kept');
    const [name = ''] = await readdir(path);
    expect([(await stat(path)).mode & 0o777, (await stat(join(path, name))).mode & 0o777]).toEqual([0o700, 0o600]);
    const before = new Date(Date.now() - DEAD_MS);
    await utimes(join(path, name), before, before);
    const [one1, other] = [open({ folder: folder() }), open({ folder: folder() })];
    expect((await one1.takeLeftovers()) + (await other.takeLeftovers())).toBe(1);
    const seen: string[] = [];
    const take = async (entry: One): Promise<Taken> => {
      seen.push(entry.text);
      return seen.length === 1 ? 'later' : 'done';
    };
    await one1.append(one('b'));
    for (const record of [one1, other, one1]) await record.replay(take);
    expect(seen).toEqual(['ö🔥\n', 'text of b', 'ö🔥\n']);
    expect(await readdir(path)).toEqual([]);
  } finally {
    await rm(join(path, '..'), { recursive: true, force: true });
  }
});
