// Tests the message of a command that cannot write to the named place.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InputFault } from './terminal.ts';
import { runCommand } from './test-run.ts';
import { writeTo } from './written-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-out-'));
  await writeFile(join(folder, 'plain'), '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['settings', '--out'],
  ['metrics', '--out'],
  ['schemas', '--out'],
  ['goods', 'export', '--game', 'starlane', '--out'],
  ['revisions', 'show', '1', '--out'],
])('%s %s says in one sentence that it cannot write there', async (...args) => {
  const path = join(folder, 'plain', 'inside');
  expect(await runCommand([...args, path], {})).toEqual({
    code: 1,
    out: '',
    err: `refill: --out "${path}" cannot be written (ENOTDIR: a part of the path is no folder): name another place.\n`,
  });
});

test('an account without the right is told as such, and faults of others stay as they are', async () => {
  const fail = (code: string) =>
    writeTo('--out', '/srv/x', () => Promise.reject(Object.assign(new Error(code), { code })));
  await expect(fail('EACCES')).rejects.toThrow(InputFault);
  await expect(fail('EACCES')).rejects.toThrow(
    /^--out "\/srv\/x" cannot be written \(EACCES: the account \S+ may not /,
  );
  const socket = Object.assign(new Error('no database'), { code: 'ENOENT', syscall: 'connect' });
  await expect(writeTo('--out', '/srv/x', () => Promise.reject(socket))).rejects.toThrow(/^no database$/);
  await expect(fail('42501')).rejects.toThrow(/^42501$/);
});
