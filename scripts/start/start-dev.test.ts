import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { watchFolders } from './start-dev.ts';

/** A folder that is watched; `heard` resolves when a change of the file has been reacted to since the last call. */
async function watchScratch() {
  const folder = await mkdtemp(join(tmpdir(), 'refill-dev-'));
  mkdirSync(join(folder, 'rooms', 'orders'), { recursive: true });
  writeFileSync(join(folder, 'rooms', 'orders', 'rules.ts'), 'first');
  const waiting = new Map<string, () => void>();
  const watcher = watchFolders([folder], async (files) => {
    for (const file of files) waiting.get(file)?.();
  });
  onTestFinished(() => {
    watcher.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** The change is made once; the test's own time-out is the bound. */
  const change = (path: string, make: (file: string) => void) =>
    new Promise<void>((heard) => {
      const file = join(folder, path);
      waiting.set(file, heard);
      make(file);
    });
  return { folder, change };
}

/** As git, vim, JetBrains and `sed -i` save. */
function replace(file: string): void {
  writeFileSync(`${file}.new`, `${Math.random()}`);
  renameSync(`${file}.new`, file);
}
const writeInPlace = (file: string): void => writeFileSync(file, `${Math.random()}`);

test('a file that was replaced by rename is seen again at every later change', async () => {
  const { change } = await watchScratch();
  for (const make of [replace, replace, writeInPlace, replace]) await change('rooms/orders/rules.ts', make);
});

test('files of a folder that came later, or went and came back, are seen', async () => {
  const { folder, change } = await watchScratch();
  await change('rooms/events/rules.ts', (file) => {
    mkdirSync(join(file, '..'));
    writeInPlace(file);
  });
  await change('rooms/events/rules.ts', replace);
  rmSync(join(folder, 'rooms'), { recursive: true });
  await change('rooms/orders/rules.ts', (file) => {
    mkdirSync(join(file, '..'), { recursive: true });
    writeInPlace(file);
  });
  await change('rooms/orders/rules.ts', replace);
});
