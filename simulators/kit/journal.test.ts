// Tests that the journal survives the end of a process.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from './journal.ts';
import { newDataFolder } from './test-harness.ts';

const newFile = () => join(newDataFolder(), 'x.jsonl');

it('knows after a kill what was put before it', () => {
  const file = newFile();
  const table = openJournal(file, true).table<{ n: number }>('things');
  table.put('a', { n: 1 });
  table.put('b', { n: 2 });
  table.put('a', { n: 3 });
  table.remove('b');
  // Not closed: the second opening stands for the process that follows a kill.
  const again = openJournal(file, true).table<{ n: number }>('things');
  expect([...again.values()]).toEqual([{ n: 3 }]);
});

it('drops a line that was torn by the end of the process, and can be written on', () => {
  const file = newFile();
  openJournal(file, true).table('things').put('a', { n: 1 });
  appendFileSync(file, '{"t":"things","i":"b","v":{"n"');
  const after = openJournal(file, true).table('things');
  after.put('c', { n: 3 });
  expect([...openJournal(file, true).table('things').values()]).toEqual([{ n: 1 }, { n: 3 }]);
});

it('keeps lines back when not durable, until flushed', () => {
  const file = newFile();
  const journal = openJournal(file, false);
  journal.table('things').put('a', { n: 1 });
  expect(readFileSync(file, 'utf8')).toBe('');
  journal.close();
  expect(readFileSync(file, 'utf8')).toContain('"n":1');
});

it('rewrites a file that mostly holds what is no longer true', () => {
  const file = newFile();
  const journal = openJournal(file, false);
  const table = journal.table<{ n: number }>('things');
  for (let n = 0; n < 3_000; n++) table.put('a', { n });
  journal.close();
  expect(openJournal(file, true).table('things').get('a')).toEqual({ n: 2_999 });
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
});
