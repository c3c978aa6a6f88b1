// A shop whose folder its account may not read says what to do; the rest of reading it is tested in
// scripts/start/start-own-shop.test.ts.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findStrayLines, withShopSettings } from './shop-folder.ts';

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

test('lines of .env that set nothing are found by their number, and never shown', async () => {
  const text = [
    '# a note',
    'A=1',
    'FOO BAR',
    'B="begins',
    'goes on',
    'ends" # here',
    'export C=3',
    '',
    '  secret-4711',
    'D="is not closed',
    'E=5',
    'after it',
  ].join('\r\n');
  await writeFile(join(shop, '.env'), text);
  onTestFinished(() => rm(join(shop, '.env')));
  const found = findStrayLines({ REFILL_SHOP: shop });
  expect(found.map(({ name }) => name)).toEqual([3, 9, 12].map((line) => `${join(shop, '.env')}:${line}`));
  expect(JSON.stringify(found)).not.toMatch(/FOO|4711/);
  expect(withShopSettings({}, shop)).toMatchObject({ A: '1', B: 'begins\ngoes on\nends', C: '3', E: '5' });
  expect(findStrayLines({})).toEqual([]);
});

test.each([
  ['f?zj#8Kd{cN', 'is cut at its #'],
  ['#8Kd', 'is cut at its #'],
  ["'f?zj#8Kd{cN$\\'", null],
  ['"f?zj#8Kd{cN"', null],
  ['plain # a note', null],
  ['plain', null],
  ['', null],
  ["'half'other", 'has text behind its closing quote'],
  ["'whole' # a note", null],
  ['pa$word', 'has a $, a backslash or a quote'],
  ['back\\slash', 'has a $, a backslash or a quote'],
  ["it's", 'has a $, a backslash or a quote'],
  ['"pa$word"', 'has a $, a backslash or a quote'],
])('the value %s of .env: %s', async (value, reason) => {
  const file = join(shop, '.env');
  await writeFile(file, `A=1\nREFILL_KEY=${value}\nB=2\n`);
  onTestFinished(() => rm(file));
  const found = findStrayLines({ REFILL_SHOP: shop });
  expect(found.map(({ name, reason: said }) => [name, said.slice(0, reason?.length)])).toEqual(
    reason === null ? [] : [[`${file}:2`, reason]],
  );
  expect(JSON.stringify(found)).not.toContain('8Kd');
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
