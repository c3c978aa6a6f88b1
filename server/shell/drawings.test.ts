import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { createPictureReader } from './drawings.ts';

let brands: string;
beforeAll(async () => {
  brands = await mkdtemp(join(tmpdir(), 'refill-pictures-'));
  await mkdir(join(brands, 'fjord', 'assets'), { recursive: true });
});
afterAll(() => rm(brands, { recursive: true, force: true }));

const put = (file: string, text: string) => writeFile(join(brands, 'fjord', 'assets', file), text);
const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">${inner}</svg>`;

function setUp() {
  let time = 0;
  const lines: string[] = [];
  const read = createPictureReader(brands, createLog('info', { write: (line) => void lines.push(line) }), () => time);
  return { read: (file: string) => read('fjord', file, 'brand-logo'), lines, pass: (ms: number) => (time += ms) };
}

test('a drawing is written into the page, once read', async () => {
  await put('plain.svg', svg('<path id="a" d="M0 0"/><use href="#a"/>'));
  const { read, lines } = setUp();
  const picture = {
    symbol: 'brand-logo',
    viewBox: '0 0 4 4',
    markup: '<path id="brand-logo-a" d="M0 0"></path><use href="#brand-logo-a"></use>',
  };
  expect(await read('plain.svg')).toEqual(picture);
  await put('plain.svg', svg(''));
  expect(await read('plain.svg')).toEqual(picture);
  expect(lines).toEqual([]);
});

test('a file that is no plain drawing stays behind an address', async () => {
  await put('evil.svg', svg('<script>alert(1)</script>'));
  const { read, lines } = setUp();
  expect(await read('evil.svg')).toEqual({ url: '/brands/fjord/evil.svg' });
  expect(await read('photo.png')).toEqual({ url: '/brands/fjord/photo.png' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('<script>');
});

test('a file that is not there breaks no page, and is found once it is there', async () => {
  const { read, lines, pass } = setUp();
  for (let turn = 0; turn < 5; turn += 1) expect(await read('late.svg')).toEqual({ url: '/brands/fjord/late.svg' });
  expect(lines).toHaveLength(1);
  await put('late.svg', svg('<path d="M1 1"/>'));
  pass(10_000);
  expect(await read('late.svg')).toMatchObject({ viewBox: '0 0 4 4' });
});
