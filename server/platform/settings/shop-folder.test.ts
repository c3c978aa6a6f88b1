// A shop whose folder its account may not read says what to do; the rest of reading it is tested in
// scripts/start/start-own-shop.test.ts.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { withShopSettings } from './shop-folder.ts';

let shop: string;

beforeAll(async () => {
  shop = await mkdtemp(join(tmpdir(), 'refill-folder-'));
  return () => rm(shop, { recursive: true });
});

test('a .env that cannot be read says what to do', async () => {
  await mkdir(join(shop, '.env'));
  onTestFinished(() => rm(join(shop, '.env'), { recursive: true }));
  expect(() => withShopSettings({}, shop)).toThrow(/\.env cannot be read .*EISDIR.* take the file away/);
});

/** The file as another account, whom root's rights do not help. */
function readAsNobody(folder: string): string {
  const file = join(import.meta.dirname, 'shop-folder.ts');
  const script = `import(${JSON.stringify(file)}).then((m) => m.withShopSettings({}, ${JSON.stringify(folder)}))
    .then((read) => console.log(JSON.stringify(read)), (error) => console.log(error.message))`;
  const { stderr, stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', uid: 65_534, cwd: '/' });
  return stdout + stderr;
}

test.skipIf(process.getuid?.() !== 0)('an .env of mode 600 and a folder out of reach, as another account', async () => {
  await chmod(shop, 0o755);
  await writeFile(join(shop, '.env'), 'A=1\n', { mode: 0o600 });
  expect(readAsNobody(shop)).toMatch(/\.env cannot be read .*\(EACCES\): let it read the file \(chgrp, chmod 640\)/);
  await chmod(join(shop, '.env'), 0o644);
  expect(readAsNobody(shop)).toContain('"A":"1"');
  await mkdir(join(shop, 'inner'));
  await chmod(shop, 0o700);
  expect(readAsNobody(join(shop, 'inner'))).toMatch(/inner cannot be looked at \(EACCES\): let the account/);
});
