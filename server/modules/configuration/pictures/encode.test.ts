// Encodes publishers' files: sizes stay within their budgets, or one sentence names the file.
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { encodePicture, hashOf } from './encode.ts';
import type { PictureRole, WantedPicture } from './picture-types.ts';
import { toPicture } from './picture-types.ts';
import { FIRST_LOOK, QUALITIES, RECIPES, tellOverBudget, widthsFor } from './pictures-rules.ts';

const want = (role: PictureRole, name: string): WantedPicture => ({
  role,
  path: `games/quest/assets/${name}`,
  file: 'games/quest/game.yaml',
  at: ['art', role],
});
const draw = (inner: string, size = '480') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 480 480">${inner}</svg>`,
  );
const gem = draw('<path d="M240 40 440 240 240 440 40 240Z" fill="#c83a20"/>');
/** How soft grain must be to fit into a card at a lower quality, but not at the first. */
const GRAIN = 1;
/** A file that no encoder makes small. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 90 } },
  });

async function encode(role: PictureRole, name: string, file: Buffer) {
  return encodePicture(want(role, name), file, 'source');
}
const refusalOf = async (role: PictureRole, name: string, file: Buffer) => {
  const made = await encode(role, name, file);
  return made.ok ? '' : made.reason;
};

test('a drawing becomes two widths in two formats, each under the hash of its content', async () => {
  const encoded = await encode('goods', 'gem.svg', gem);
  if (!encoded.ok) throw new Error(encoded.reason);
  const { made, bytes } = encoded;
  expect(made.files.map(({ format, width }) => `${format} ${width}`)).toEqual([
    'avif 240',
    'avif 480',
    'webp 240',
    'webp 480',
  ]);
  for (const { hash, format, width } of made.files) {
    const content = bytes.get(hash)!;
    expect(hashOf(content)).toBe(hash);
    const read = await sharp(content).metadata();
    expect([read.format, read.width, read.hasAlpha]).toEqual([format === 'avif' ? 'heif' : 'webp', width, true]);
  }
  expect(made).toMatchObject({ width: 480, height: 480, isOpaque: false });
  expect(made.color).toMatch(/^#c[0-9a-f]3[0-9a-f]2[0-9a-f]$/);
  const [small] = made.files;
  expect(toPicture(made).avif).toMatch(
    new RegExp(`^/pictures/${small?.hash}\\.avif 240w, /pictures/.{16}\\.avif 480w$`),
  );
});

test('key art alone has a first look: a small picture for the HTML itself', async () => {
  const hero = await encode('hero', 'hero.svg', draw('<rect width="480" height="480" fill="#103060"/>'));
  const look = Buffer.from((hero.ok && hero.made.firstLook) || '', 'base64');
  const { format, width, height } = await sharp(look).metadata();
  expect([format, width, height]).toEqual(['heif', FIRST_LOOK.width, FIRST_LOOK.width]);
  expect(look.length).toBeLessThan(FIRST_LOOK.budgetBytes);
  const goods = await encode('goods', 'gem.svg', gem);
  expect(goods.ok && goods.made.firstLook).toBeUndefined();
});

test('key art tells its colours from top to bottom and is opaque', async () => {
  const sky = '<rect width="480" height="240" fill="#103060"/><rect y="240" width="480" height="240" fill="#e08040"/>';
  const encoded = await encode('hero', 'hero.svg', draw(sky));
  expect(encoded).toMatchObject({ ok: true, made: { isOpaque: true } });
  const colours = encoded.ok ? encoded.made.color.split(' ') : [];
  expect(colours).toHaveLength(3);
  expect(colours[0]).toMatch(/^#1/);
  expect(colours[2]).toMatch(/^#e/);
  expect(encoded.ok && encoded.made.color.length).toBeLessThanOrEqual(24);
});

test('the same file gives the same bytes: an address is worth keeping', async () => {
  const [one, two] = await Promise.all([encode('currency', 'a.svg', gem), encode('currency', 'b.svg', gem)]);
  expect(one.ok && one.made.files).toEqual(two.ok && two.made.files);
});

describe('over budget', () => {
  test.each<[PictureRole, number, number]>([
    ['hero', 780, 439],
    ['goods', 240, 240],
  ])('a %s picture is refused by name, measured, with its budget', async (role, width, height) => {
    const reason = await refusalOf(role, `loud-${role}.png`, await noise(width, height).png().toBuffer());
    expect(reason).toContain(`games/quest/assets/loud-${role}.png`);
    expect(reason).toContain(`${RECIPES[role].widths[0]} wide`);
    expect(reason).toContain(`${(RECIPES[role].budgetBytes / 1000).toFixed(1)} kB`);
    expect(reason).toContain(`quality ${QUALITIES.at(-1)}`);
    const [, measured = '0'] = /has ([\d.]+) kB/.exec(reason) ?? [];
    expect(Number(measured) * 1000).toBeGreaterThan(RECIPES[role].budgetBytes);
  });

  test('quality goes down before anything is refused', async () => {
    // Between the two: too heavy at the first quality, light enough before the floor.
    const picture = await noise(240, 240).blur(GRAIN).png().toBuffer();
    const encoded = await encode('goods', 'grain.png', picture);
    const first = await sharp(picture)
      .avif({ quality: QUALITIES[0], effort: 2, chromaSubsampling: '4:4:4' })
      .toBuffer();
    expect(first.length).toBeGreaterThan(RECIPES.goods.budgetBytes);
    expect(encoded).toMatchObject({ ok: true });
    expect(encoded.ok && encoded.made.smallBytes).toBeLessThanOrEqual(RECIPES.goods.budgetBytes);
  });
});

test.each<[string, Buffer, string]>([
  ['script.svg', draw('<script>alert(1)</script>'), '<script>'],
  ['var.svg', draw('<path d="M0 0h9v9z" fill="var(--accent)"/>'), 'literal colours'],
  ['away.svg', draw('<image href="https://evil.example/a.png" width="9" height="9"/>'), 'leads out'],
  ['drawing.png', gem, 'is no PNG'],
  ['text.jpg', Buffer.from('hello'), 'is no PNG'],
  ['broken.png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40)]), 'save it anew'],
  ['huge.png', Buffer.alloc(10_000_001), '10 at most'],
])('%s is refused', async (name, file, part) => {
  const reason = await refusalOf('goods', name, file);
  expect(reason).toContain(part);
  expect(reason).toContain(name);
});

test.each<[string, number, boolean, number[]]>([
  ['a drawing has no size of its own', 24, true, [240, 480]],
  ['a large picture gives both', 1000, false, [240, 480]],
  ['one between is not blown up', 300, false, [240, 300]],
  ['a small one stays as it is', 100, false, [100]],
])('%s', (_, width, isDrawing, widths) => {
  expect(widthsFor('goods', width, isDrawing)).toEqual(widths);
});

test('the sentence names file, measure, budget and what to do', () => {
  expect(tellOverBudget(want('hero', 'hero.png'), { bytes: 51_240, width: 780, quality: 32 })).toBe(
    'games/quest/assets/hero.png is too heavy: 780 wide it has 51.2 kB as AVIF at quality 32, the budget of a ' +
      'hero picture is 38.0 kB; calm its grain and fine detail, or crop it',
  );
});
