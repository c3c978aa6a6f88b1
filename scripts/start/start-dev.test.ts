import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFolders } from './start-dev.ts';

/** A folder that is watched; `change` resolves when the change has been reacted to. */
async function watchScratch() {
  const folder = await mkdtemp(join(tmpdir(), 'refill-dev-'));
  mkdirSync(join(folder, 'rooms', 'orders'), { recursive: true });
  writeFileSync(join(folder, 'rooms', 'orders', 'rules.ts'), 'first');
  const waiting = new Map<string, (seen: string) => void>();
  const path = (file: string): string => file.slice(folder.length + 1);
  const watcher = watchFolders([folder], async (files) => {
    for (const file of files) waiting.get(file)?.(path(file));
  });
  onTestFinished(() => {
    watcher.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** The change is made once; the test's own time-out is the bound. */
  const change = (name: string, make: (file: string) => void) =>
    new Promise<string>((resolve) => {
      const file = join(folder, name);
      waiting.set(file, resolve);
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
  for (const make of [replace, replace, writeInPlace, replace])
    expect(await change('rooms/orders/rules.ts', make)).toBe('rooms/orders/rules.ts');
});

test('files of a folder that came later, or went and came back, are seen', async () => {
  const { folder, change } = await watchScratch();
  await change('rooms/events/rules.ts', (file) => {
    mkdirSync(join(file, '..'));
    writeInPlace(file);
  });
  expect(await change('rooms/events/rules.ts', replace)).toBe('rooms/events/rules.ts');
  rmSync(join(folder, 'rooms'), { recursive: true });
  await change('rooms/orders/rules.ts', (file) => {
    mkdirSync(join(file, '..'), { recursive: true });
    writeInPlace(file);
  });
  expect(await change('rooms/orders/rules.ts', replace)).toBe('rooms/orders/rules.ts');
});
