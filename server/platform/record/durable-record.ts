// A record of what could not be handed on: appended to a file of this process, on the disk before anybody is told so,
// and handed on later in the order of its coming. Files that a dead process left are taken over by renaming, which one
// of many can do. An entry may be handed on twice (a process died before it left the file): who takes it must not mind.
import { randomBytes } from 'node:crypto';
import type { Log } from '#server/platform/log.ts';
import type { OpenRecordFile, RecordFolder } from './record-folder.ts';
import { type FileName, FREE, readFileName, writeFileName } from './record-names.ts';
import { readLines, writeLine } from './record-lines.ts';

/** `id`: the same for what is the same; it lies here once. `at`: when it came, ISO 8601. */
export type Entry = { readonly id: string; readonly at: string };
export type Kept = 'kept' | 'full' | 'failed';
/** `done`: it may leave. `later`: it stays, those behind it go on. `stop`: it stays, and so does all behind it. */
export type Taken = 'done' | 'later' | 'stop';

/** How often a process says that it lives, while it has files. */
export const HEARTBEAT_MS = 5000;
/** Our choice: twelve missed heartbeats. Who slept longer finds its file gone and goes on with a new one. */
export const DEAD_AFTER_MS = 60_000;
/** Our choice: once is a process that slept for a minute; thrice is a folder that somebody empties. */
const MAX_TRIES = 3;

type Waiting = { readonly text: string; readonly tell: (how: Kept) => void };
type Current = { readonly name: string; readonly file: OpenRecordFile };

export type DurableRecord<One extends Entry> = ReturnType<typeof createDurableRecord<One>>;

/** @param deps.kind begins the names of its files; records of several kinds may share a folder */
export function createDurableRecord<One extends Entry>(deps: {
  readonly folder: RecordFolder;
  readonly kind: string;
  /** Of all files of this kind, also those of others. */
  readonly capBytes: number;
  readonly now: () => number;
  readonly log: Log;
}) {
  const { folder, kind, log, now } = deps;
  const owner = randomBytes(6).toString('hex');
  /** Files of this process, with what lies in them. */
  const own = new Map<string, { entries: number; bytes: number }>();
  const known = new Map<string, Promise<Kept>>();
  const queue: Waiting[] = [];
  let current: Current | null = null;
  let isWriting = false;
  let sequence = 0;
  let turn: Promise<unknown> = Promise.resolve();

  /** Writing, closing and taking over come one after the other. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = turn.then(work, work);
    turn = next.catch(() => undefined);
    return next;
  }

  async function closeCurrent(): Promise<void> {
    const closing = current;
    current = null;
    await closing?.file.close().catch(() => undefined);
  }

  async function openNew(): Promise<Current> {
    sequence += 1;
    const name = writeFileName({ kind, start: now(), creator: owner, sequence, owner });
    const file = await folder.create(name);
    own.set(name, { entries: 0, bytes: 0 });
    log.warn({ file: name }, 'a local record is begun');
    return { name, file };
  }

  /** Those that fit, in their order; the others hear that it is full. */
  async function takeThoseThatFit(batch: readonly Waiting[]): Promise<Waiting[]> {
    const files = (await folder.list()).filter(({ name }) => readFileName(name)?.kind === kind);
    let used = files.reduce((sum, { bytes }) => sum + bytes, 0);
    return batch.filter(({ text, tell }) => {
      const bytes = Buffer.byteLength(text);
      if (used + bytes > deps.capBytes) {
        tell('full');
        return false;
      }
      used += bytes;
      return true;
    });
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    const refused = new Set<Waiting>();
    try {
      const fitting = await takeThoseThatFit(batch);
      for (const one of batch) if (!fitting.includes(one)) refused.add(one);
      const text = fitting.map((one) => one.text).join('');
      for (let tries = 0; fitting.length > 0; tries += 1) {
        if (tries === MAX_TRIES) throw new Error(`files of a record vanish as soon as they are written`);
        current ??= await openNew();
        const { file, name } = current;
        await file.write(text);
        await file.sync();
        // Somebody who took us for dead may have read the file to its end and removed it: then it is written anew.
        if (!(await folder.touch(name))) {
          own.delete(name);
          await closeCurrent();
          continue;
        }
        const lies = own.get(name) ?? { entries: 0, bytes: 0 };
        own.set(name, { entries: lies.entries + fitting.length, bytes: lies.bytes + Buffer.byteLength(text) });
        for (const one of fitting) one.tell('kept');
        return;
      }
    } catch (error) {
      log.error({ err: error, alert: 'callback_record' }, 'a local record cannot be written');
      // After a failed write nobody knows what lies there; the next one gets a file of its own.
      await closeCurrent();
      for (const one of batch) if (!refused.has(one)) one.tell('failed');
    }
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    try {
      // One write and one sync for all that came during the last.
      while (queue.length > 0) await inTurn(() => writeBatch(queue.splice(0)));
    } finally {
      isWriting = false;
    }
  }

  /** @returns whether all may go on */
  async function handOn(name: string, take: (entry: One) => Promise<Taken>): Promise<boolean> {
    const gone = new Set<number>();
    const damaged: string[] = [];
    let index = -1;
    let isStopped = false;
    let touchedAt = now();
    try {
      for await (const line of readLines(folder, name)) {
        index += 1;
        if (line.kind === 'torn') {
          log.warn({ file: name }, 'the last line of a local record was cut; nobody was told that it was written');
          gone.add(index);
        } else if (line.kind === 'damaged') {
          damaged.push(`${line.line}\n`);
          gone.add(index);
        } else if (!isStopped) {
          if (now() - touchedAt >= HEARTBEAT_MS) {
            // It was taken over while we slept: another one goes on with it.
            if (!(await folder.touch(name))) return drop(name);
            touchedAt = now();
          }
          const entry = line.value as One;
          const how = await take(entry);
          isStopped = how === 'stop';
          if (how === 'done') {
            gone.add(index);
            known.delete(entry.id);
          }
        }
      }
      if (!(await folder.touch(name))) return drop(name);
      if (damaged.length > 0) await putAside(name, damaged);
      if (gone.size > index) await removeWhole(name);
      else if (gone.size > 0) await keepRest(name, gone);
    } catch (error) {
      log.error({ err: error, file: name, alert: 'callback_record' }, 'a local record cannot be read or shortened');
    }
    return !isStopped;
  }

  function drop(name: string): true {
    own.delete(name);
    return true;
  }

  async function removeWhole(name: string): Promise<void> {
    await folder.remove(name);
    own.delete(name);
  }

  async function keepRest(name: string, gone: ReadonlySet<number>): Promise<void> {
    const shorter = `${name}.new`;
    await folder.remove(shorter);
    const file = await folder.create(shorter);
    const lies = { entries: 0, bytes: 0 };
    try {
      let index = -1;
      for await (const line of readLines(folder, name)) {
        index += 1;
        if (gone.has(index) || line.kind !== 'entry') continue;
        await file.write(line.line);
        lies.entries += 1;
        lies.bytes += Buffer.byteLength(line.line);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await folder.rename(shorter, name);
    own.set(name, lies);
  }

  /** Lines that are not what was written: for a person, out of the way of the others. */
  async function putAside(name: string, lines: readonly string[]): Promise<void> {
    const aside = `${name}.${now()}.damaged`;
    const file = await folder.create(aside);
    await file.write(lines.join(''));
    await file.sync();
    await file.close();
    log.error({ file: aside, lines: lines.length, alert: 'callback_record' }, 'a local record has damaged lines');
  }

  async function takeOver(name: string, left: FileName): Promise<boolean> {
    const mine = writeFileName({ ...left, owner });
    // Touched first: whoever looks from now on sees that somebody is at it.
    if (!(await folder.touch(name)) || !(await folder.rename(name, mine))) return false;
    const lies = { entries: 0, bytes: 0 };
    own.set(mine, lies);
    for await (const line of readLines(folder, mine)) {
      if (line.kind !== 'entry') continue;
      lies.entries += 1;
      lies.bytes += Buffer.byteLength(line.line);
    }
    return true;
  }

  return {
    /** Resolves when it is on the disk, or will not be. What lies here already is not written again. */
    append: (entry: One): Promise<Kept> => {
      const before = known.get(entry.id);
      if (before) return before;
      const kept = new Promise<Kept>((tell) => queue.push({ text: writeLine(entry), tell }));
      known.set(entry.id, kept);
      void kept.then((how) => how !== 'kept' && known.delete(entry.id));
      void writeAll();
      return kept;
    },
    /** Hands on everything that lies in files of this process, oldest first. False: `take` said stop. */
    replay: async (take: (entry: One) => Promise<Taken>): Promise<boolean> => {
      if (own.size === 0) return true;
      await inTurn(closeCurrent);
      for (const name of [...own.keys()].toSorted()) if (!(await handOn(name, take))) return false;
      return true;
    },
    /** Takes over what dead processes left behind. @returns how many files */
    takeLeftovers: (): Promise<number> =>
      inTurn(async () => {
        let taken = 0;
        for (const { idleMs, name } of await folder.list()) {
          const left = readFileName(name);
          if (left?.kind !== kind || left.owner === owner) continue;
          if ((left.owner === FREE || idleMs > DEAD_AFTER_MS) && (await takeOver(name, left))) taken += 1;
        }
        return taken;
      }),
    /** To be called every HEARTBEAT_MS: says that this process lives. */
    beat: async (): Promise<void> => {
      for (const name of own.keys()) if (!(await folder.touch(name))) own.delete(name);
    },
    /** Leaves its files to whoever comes next. */
    release: (): Promise<void> =>
      inTurn(async () => {
        await closeCurrent();
        for (const name of own.keys()) {
          const mine = readFileName(name);
          if (mine) await folder.rename(name, writeFileName({ ...mine, owner: FREE }));
        }
        own.clear();
      }),
    /** Counts the entries in files of this process. */
    figures: () => {
      const files = [...own.values()];
      return {
        entries: files.reduce((sum, { entries }) => sum + entries, 0),
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
  };
}
