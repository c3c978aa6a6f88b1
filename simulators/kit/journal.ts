// Append-only JSONL file under a set of in-memory tables: what a simulator must still know after
// kill -9, as the real one would.

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Entities by id, in order of first arrival. `put` stores the whole value again; the last one wins at replay. */
export type Table<T> = {
  get(id: string): T | undefined;
  put(id: string, value: T): void;
  remove(id: string): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<T>;
  readonly size: number;
};

export type Journal = {
  table<T>(name: string): Table<T>;
  flush(): void;
  close(): void;
};

type Line = { t: string; i: string; v?: unknown };

/** Buffered lines reach the file this often when `durable` is off. Our choice: little lost, few system calls. */
const flushEveryMs = 50;
/** Below this many lines a rewrite at start is not worth it. Our choice. */
const rewriteFromLines = 2_000;

/**
 * Opens (or makes) the journal and replays it.
 * `durable: true` hands every line to the system before the call returns: safe against the end of the
 * process, not of the machine.
 */
export function openJournal(file: string, durable: boolean): Journal {
  mkdirSync(dirname(file), { recursive: true });
  const tables = new Map<string, Map<string, unknown>>();
  const rows = (name: string) => {
    let found = tables.get(name);
    if (!found) tables.set(name, (found = new Map()));
    return found;
  };

  const lineCount = replay(file, (line) => {
    if (line.v === undefined) rows(line.t).delete(line.i);
    else rows(line.t).set(line.i, line.v);
  });
  const live = [...tables.values()].reduce((sum, table) => sum + table.size, 0);
  if (lineCount > rewriteFromLines && lineCount > live * 2) rewrite(file, tables);

  const descriptor = openSync(file, 'a', 0o600);
  let buffered = '';
  const flush = () => {
    if (buffered === '') return;
    const text = buffered;
    buffered = '';
    writeSync(descriptor, text);
  };
  const timer = durable ? undefined : setInterval(flush, flushEveryMs).unref();
  const append = (line: Line) => {
    const text = JSON.stringify(line) + '\n';
    if (durable) writeSync(descriptor, text);
    else buffered += text;
  };

  return {
    table<T>(name: string): Table<T> {
      const map = rows(name) as Map<string, T>;
      return {
        get: (id) => map.get(id),
        put(id, value) {
          map.set(id, value);
          append({ t: name, i: id, v: value });
        },
        remove(id) {
          if (map.delete(id)) append({ t: name, i: id });
        },
        keys: () => map.keys(),
        values: () => map.values(),
        get size() {
          return map.size;
        },
      };
    },
    flush,
    close() {
      clearInterval(timer);
      flush();
      closeSync(descriptor);
    },
  };
}

function replay(file: string, apply: (line: Line) => void): number {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  // The process may have died in the middle of a line: what follows the last line end was never promised to anybody.
  const torn = lines.pop();
  if (torn) writeFileSync(file, text.slice(0, text.length - torn.length), { mode: 0o600 });
  for (const line of lines) if (line) apply(JSON.parse(line) as Line);
  return lines.length;
}

function rewrite(file: string, tables: Map<string, Map<string, unknown>>): void {
  const parts: string[] = [];
  for (const [t, table] of tables) for (const [i, v] of table) parts.push(JSON.stringify({ t, i, v }) + '\n');
  writeFileSync(`${file}.new`, parts.join(''), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
