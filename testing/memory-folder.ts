// A folder of a durable record in memory, with a disk that a test can hold up, break and cut off from its power.
import type { RecordFolder } from '#server/platform/record/record-folder.ts';

type File = { synced: string; unsynced: string; touchedAt: number };
type Operation = 'list' | 'create' | 'write' | 'sync' | 'read' | 'rename' | 'remove' | 'touch';

type Before = (operation: Operation, name: string) => Promise<void>;

/**
 * @param options.before runs before an operation, which happens when it resolves and fails when it rejects
 * @param options.now epoch milliseconds
 */
export function createMemoryFolder(options: { before?: Before; now?: () => number } = {}) {
  const { now = Date.now } = options;
  const files = new Map<string, File>();
  /** The same files, by a way of its own: that of one process. */
  const open = (before: Before = async () => undefined): RecordFolder => ({
    list: async () => {
      await before('list', '');
      return [...files].map(([name, { synced, touchedAt, unsynced }]) => ({
        name,
        bytes: Buffer.byteLength(synced + unsynced),
        idleMs: Math.max(0, now() - touchedAt),
      }));
    },
    create: async (name) => {
      await before('create', name);
      if (files.has(name)) throw Object.assign(new Error(`there is a ${name}`), { code: 'EEXIST' });
      const file: File = { synced: '', unsynced: '', touchedAt: now() };
      files.set(name, file);
      return {
        write: async (text) => {
          await before('write', name);
          file.unsynced += text;
          file.touchedAt = now();
        },
        sync: async () => {
          const written = file.unsynced;
          await before('sync', name);
          file.synced += written;
          file.unsynced = file.unsynced.slice(written.length);
        },
        close: async () => undefined,
      };
    },
    read: async function* (name) {
      await before('read', name);
      const file = files.get(name);
      if (!file) throw Object.assign(new Error(`there is no ${name}`), { code: 'ENOENT' });
      // In pieces that fit no line.
      const text = file.synced + file.unsynced;
      for (let from = 0; from < text.length; from += 100) yield text.slice(from, from + 100);
    },
    rename: async (from, to) => {
      await before('rename', from);
      const file = files.get(from);
      if (!file) return false;
      files.delete(from);
      files.set(to, file);
      return true;
    },
    remove: async (name) => {
      await before('remove', name);
      files.delete(name);
    },
    touch: async (name) => {
      await before('touch', name);
      const file = files.get(name);
      if (file) file.touchedAt = now();
      return file !== undefined;
    },
  });
  return {
    folder: open(options.before),
    open,
    names: () => [...files.keys()].toSorted(),
    text: (name: string) => {
      const file = files.get(name);
      return file ? file.synced + file.unsynced : '';
    },
    put: (name: string, text: string) => void files.set(name, { synced: text, unsynced: '', touchedAt: now() }),
    /** Everything is as if nobody had touched it for so long. */
    age: (ms: number) => {
      for (const file of files.values()) file.touchedAt -= ms;
    },
    /** The power is gone: what was written and not synced is lost, but for a beginning of it. */
    cutPower: (share = 0) => {
      for (const file of files.values()) {
        file.synced += file.unsynced.slice(0, Math.floor(file.unsynced.length * share));
        file.unsynced = '';
      }
    },
  };
}
