// Tests folders that can be made, and an end with an error for those that cannot.
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeFolders } from './make-folders.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-folders-'));
  return () => rm(root, { recursive: true });
});

test('makes what is missing, also by several at once, and takes what is there', async () => {
  const path = join(root, 'a', 'b', 'c');
  await Promise.all([makeFolders(path, 0o700), makeFolders(path, 0o700), makeFolders(join(root, 'a', 'd'), 0o700)]);
  await makeFolders(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await symlink(path, join(root, 'link'));
  await makeFolders(join(root, 'link', 'e'));
  expect((await stat(join(path, 'e'))).isDirectory()).toBe(true);
});

test('refuses what lies in a file system without folders of ours, and does not go on for ever', async () => {
  const codes = expect.stringMatching(/^(?:ENOENT|EROFS|EACCES|EPERM)$/);
  await expect(makeFolders('/proc/refill')).rejects.toMatchObject({ code: codes });
  await expect(makeFolders('/proc/refill/shop-x')).rejects.toMatchObject({ code: codes });
});

test('refuses a name that a file has, and a path through a file', async () => {
  await writeFile(join(root, 'plain'), '');
  await expect(makeFolders(join(root, 'plain'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolders(join(root, 'plain', 'inside'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await symlink(join(root, 'nowhere'), join(root, 'dangling'));
  await expect(makeFolders(join(root, 'dangling'))).rejects.toMatchObject({ code: 'EEXIST' });
});
