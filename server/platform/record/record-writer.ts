// Writes a durable record: entries that come at once share one write and one sync, and each hears whether it is on the
// disk. Reading, handing on and taking over are in durable-record.ts.
import type { Log } from '#server/platform/log.ts';
import type { OpenRecordFile, RecordFolder } from './record-folder.ts';
import { readFileName, writeFileName } from './record-names.ts';

export type Kept = 'kept' | 'full' | 'failed';
/** The content of a file: entries, and bytes of them. */
export type Lies = { entries: number; bytes: number };

/** Our choice: once is a process that slept for a minute; thrice is a folder that somebody empties. */
const MAX_TRIES = 3;

type Waiting = { readonly text: string; readonly tell: (how: Kept) => void };
type Current = { readonly name: string; readonly file: OpenRecordFile };

export function createRecordWriter(deps: {
  readonly folder: RecordFolder;
  readonly kind: string;
  readonly owner: string;
  /** Files of this process; the writer adds its own. */
  readonly own: Map<string, Lies>;
  readonly capBytes: number;
  readonly now: () => number;
  readonly log: Log;
  /** Writing, closing and taking over come one after the other. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}) {
  const { capBytes, folder, inTurn, kind, log, now, own, owner } = deps;
  const queue: Waiting[] = [];
  let current: Current | null = null;
  let isWriting = false;
  let sequence = 0;

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
      if (used + bytes > capBytes) {
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

  return {
    /** Resolves when the line is on the disk, or will not be. */
    write: (text: string): Promise<Kept> => {
      const kept = new Promise<Kept>((tell) => queue.push({ text, tell }));
      void writeAll();
      return kept;
    },
    /** The next line gets a file of its own. To be called in turn. */
    close: closeCurrent,
  };
}
