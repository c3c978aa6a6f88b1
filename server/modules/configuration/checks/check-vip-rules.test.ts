// Faults of a VIP programme: each with its field, its reason and what to do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { BrandFile } from '#contracts/brand-file.ts';
import type { GameFile } from '#contracts/game-file.ts';
import { checkLevelGoods, checkVip } from './check-vip-rules.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const read = <Body>(file: string) => parse(readFileSync(join(ROOT, file), 'utf8')) as Body;
/** As it ships, so that a case changes one thing. */
const brandFile = (change: (brand: Writable<BrandFile>) => void) => {
  const brand = read<Writable<BrandFile>>('brands/product/brand.yaml');
  change(brand);
  return brand as BrandFile;
};
// oxlint-disable-next-line typescript/no-explicit-any
type Writable<Body> = { [Key in keyof Body]: any };

const faults = (change: Parameters<typeof brandFile>[0]) =>
  checkVip('product', brandFile(change)).map(({ file, at, reason }) => `${file} ${at.join('.')}: ${reason}`);
const AT = 'brands/product/brand.yaml vip';

test('what ships has no faults', () => {
  expect(faults(() => undefined)).toEqual([]);
});

test.each<[string, Parameters<typeof brandFile>[0], string]>([
  ['no programme', (b) => delete b.vip, 'brands/product/brand.yaml isVip: is true without a programme; add vip, or write isVip: false'],
  ['a programme for nobody', (b) => (b.isVip = false), `${AT}: is shown to nobody while isVip is false; write isVip: true or remove vip`],
  ['frames without a VIP centre', (b) => Object.assign(b, { isVip: false, vip: undefined, embedParents: ['https://sdk.product.example'] }), 'brands/product/brand.yaml embedParents: may frame the VIP centre, and the brand has none; write isVip: true, or no parents'],
  ['a currency without points', (b) => (b.vip.points = { EUR: { amount: '1', points: 1 } }), `${AT}.points.USD: is missing, but the brand charges USD; add it, for no points would be earned`],
  ['points for nothing', (b) => (b.vip.points.USD.amount = '0.00'), `${AT}.points.USD.amount: is nothing; write an amount above 0`],
  ['decimals that the currency has not', (b) => (b.vip.points.JPY = { amount: '1.50', points: 1 }), `${AT}.points.JPY.amount: "1.50" has more decimals than JPY knows (0); round it`],
  ['points for too much', (b) => (b.vip.points.USD.amount = '99999999999999'), `${AT}.points.USD.amount: "99999999999999" is too large; 12 digits before the point are the most`],
  ['a first level for some', (b) => (b.vip.levels[0].needPoints = 5), `${AT}.levels.0.needPoints: must be 0, for everybody has the first level; write 0`],
  ['levels in no order', (b) => (b.vip.levels[2].needPoints = 50), `${AT}.levels.2.needPoints: must be more than the 50 of the level before; levels stand from the lowest`],
  ['a level twice', (b) => (b.vip.levels[3].id = 'gold'), `${AT}.levels.3.id: the level "gold" is there twice; rename one`],
  ['a coupon twice', (b) => (b.vip.levels[2].coupons[0].id = 'silver-week'), `${AT}.levels.2.coupons.0.id: the coupon "silver-week" is there twice; rename one`],
  ['a permanent coupon without an end', (b) => delete b.vip.levels[1].coupons[0].days, `${AT}.levels.1.coupons.0.days: is missing; say how many days a permanent coupon is good`],
  ['days of a week coupon', (b) => (b.vip.levels[1].coupons[1].days = 3), `${AT}.levels.1.coupons.1.days: is for permanent coupons, this one ends with its week; remove it`],
  ['goods for nothing', (b) => (b.vip.levels[1].coupons[1].rate = '0.00'), `${AT}.levels.1.coupons.1.rate: gives the goods away; write a decimal above 0`],
  ['a script among the answers', (b) => (b.vip.faq.content.en = '<script>x</script>'), `${AT}.faq.content.en: holds what is not shown: <script>; write the listed elements alone`],
])('tells %s', (_name, change, sentence) => {
  expect(faults(change)).toEqual([sentence]);
}); /* a row a line */ // prettier-ignore

describe('between a coupon and the goods', () => {
  const games = new Map(
    ['emberfall', 'starlane', 'pocket-pitch'].map((id) => [id, read<GameFile>(`games/${id}/game.yaml`)]),
  );
  const faultsOf = (change: (coupon: Writable<{ games: string[]; products: string[] }>) => void) =>
    checkLevelGoods(new Map([['product', brandFile((b) => change(b.vip.levels[1].coupons[0]))]]), games).map(
      ({ at, reason }) => `${at.join('.')}: ${reason}`,
    );

  test('what is sold and takes coupons is fine', () => {
    expect(faultsOf((coupon) => Object.assign(coupon, { games: ['starlane'], products: ['star_540'] }))).toEqual([]);
  });

  test.each([
    [
      { games: ['chess'] },
      'vip.levels.1.coupons.0.games.0: the brand does not sell chess; its games are emberfall, starlane, pocket-pitch',
    ],
    [
      { products: ['star_540', 'star_50'] },
      `vip.levels.1.coupons.0.products.1: no product of the brand's games that takes coupons is "star_50"`,
    ],
  ])('%j is told', (over, sentence) => {
    expect(faultsOf((coupon) => Object.assign(coupon, over))).toEqual([sentence]);
  });
});
