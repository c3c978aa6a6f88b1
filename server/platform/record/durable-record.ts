// A record of what could not be handed on: appended to a file of this process, on the disk before anybody is told so,
// and handed on later in the order of its coming. Files that a dead process left are taken over by renaming, which one
// of many can do. An entry may be handed on twice (a process died before it left the file): who takes it must not mind.
import { randomBytes } from 'node:crypto';
import type { Log } from '#server/platform/log.ts';
import type { RecordFolder } from './record-folder.ts';
import { type FileName, FREE, readFileName, writeFileName } from './record-names.ts';
import { readLines, writeLine } from './record-lines.ts';
import { createRecordWriter, type Kept, type Lies } from './record-writer.ts';

/** `id`: the same for what is the same; it lies here once. `at`: when it came, ISO 8601. */
export type Entry = { readonly id: string; readonly at: string };
/** `done`: it may leave. `later`: it stays, those behind it go on. `stop`: it stays, and so does all behind it. */
export type Taken = 'done' | 'later' | 'stop';

/** How often a process says that it lives, while it has files. */
export const HEARTBEAT_MS = 5000;
/** Our choice: twelve missed heartbeats. Who slept longer finds its file gone and goes on with a new one. */
export const DEAD_AFTER_MS = 60_000;
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
  const own = new Map<string, Lies>();
  const known = new Map<string, Promise<Kept>>();
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = turn.then(work, work);
    turn = next.catch(() => undefined);
    return next;
  };
  const writer = createRecordWriter({ ...deps, owner, own, inTurn });

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
      if (damaged.length > 0) {
        const aside = `${name}.${now()}.damaged`;
        await putAside(folder, aside, damaged);
        log.error({ file: aside, lines: damaged.length, alert: 'callback_record' }, 'a local record has damaged lines');
      }
      if (gone.size > index) await removeWhole(name);
      else if (gone.size > 0) own.set(name, await keepRest(folder, name, gone));
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
      const kept = writer.write(writeLine(entry));
      known.set(entry.id, kept);
      void kept.then((how) => how !== 'kept' && known.delete(entry.id));
      return kept;
    },
    /** Hands on everything that lies in files of this process, oldest first. False: `take` said stop. */
    replay: async (take: (entry: One) => Promise<Taken>): Promise<boolean> => {
      if (own.size === 0) return true;
      await inTurn(writer.close);
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
        await writer.close();
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

/** Leaves out the entries that are gone. @returns what is left in the file */
async function keepRest(folder: RecordFolder, name: string, gone: ReadonlySet<number>): Promise<Lies> {
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
  return lies;
}

/** Lines that are not what was written: for a person, out of the way of the others. */
async function putAside(folder: RecordFolder, aside: string, lines: readonly string[]): Promise<void> {
  const file = await folder.create(aside);
  await file.write(lines.join(''));
  await file.sync();
  await file.close();
}
