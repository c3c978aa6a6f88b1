// Faults of promo codes: each with its field, its reason and what to do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { BrandFile } from '#contracts/brand-file.ts';
import type { PromoCodeEntry } from '#contracts/codes-file.ts';
import type { GameFile } from '#contracts/game-file.ts';
import { checkCodeGoods, checkCodes } from './check-codes-rules.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const read = <Body>(file: string) => parse(readFileSync(join(ROOT, file), 'utf8')) as Body;
const games = new Map(
  ['emberfall', 'starlane', 'pocket-pitch'].map((id) => [id, read<GameFile>(`games/${id}/game.yaml`)]),
);
/** As it ships, with these codes. */
const brandWith = (codes: PromoCodeEntry[], over: Partial<BrandFile> = {}): BrandFile => ({
  ...read<BrandFile>('brands/watt/brand.yaml'),
  ...over,
  codes,
});
const GOOD: PromoCodeEntry = { code: 'GOOD', rate: '0.9' };
const faults = (codes: PromoCodeEntry[], over: Partial<BrandFile> = {}) => {
  const brand = brandWith(codes, over);
  return [...checkCodes('watt', brand), ...checkCodeGoods(new Map([['watt', brand]]), games)].map(
    ({ level, file, at, reason }) => `${level} ${file} ${at.join('.')}: ${reason}`,
  );
};
const AT = 'fault brands/watt/brand.yaml codes';

test('what ships has no faults', () => {
  for (const key of ['watt', 'rhinos', 'rhinosSea']) {
    const brand = read<BrandFile>(`brands/${key}/brand.yaml`);
    expect(brand.codes?.length).toBeGreaterThan(0);
    expect([...checkCodes(key, brand), ...checkCodeGoods(new Map([[key, brand]]), games)]).toEqual([]);
  }
});

test.each<[string, PromoCodeEntry[], string]>([
  ['a code twice', [GOOD, GOOD], '.1.code: the code "GOOD" is there twice; rename one'],
  ['nothing at all', [{ code: 'IDLE' }], '.0.code: takes nothing off and names no creator; add rate, off or creator'],
  ['two discounts', [{ ...GOOD, off: { USD: '1.00' } }], '.0.off: stands beside rate; remove one of them'],
  ['goods for nothing', [{ ...GOOD, rate: '0.0' }], '.0.rate: gives the goods away; write a decimal above 0'],
  ['a limit that another makes idle', [{ ...GOOD, total: 2, perPlayer: 3 }], '.0.perPlayer: is above the 2 of total and has no effect; lower it or remove it'],
  ['a limit of first purchases', [{ ...GOOD, firstPurchase: true, perPlayer: 1 }], '.0.perPlayer: has no effect, a player has one first purchase; remove it'],
  ['what is so without it', [{ ...GOOD, firstPurchase: false }], '.0.firstPurchase: says what is so without it; write true or remove it'],
  ['what is so without it, of coupons', [{ ...GOOD, withCoupon: false }], '.0.withCoupon: says what is so without it; write true or remove it'],
  ['no moment', [{ ...GOOD, from: '2026-02-30' }], '.0.from: "2026-02-30" is no moment of a calendar; write e.g. "2026-12-01 10:00"'],
  ['an end before the beginning', [{ ...GOOD, from: '2026-03-02', until: '2026-03-02' }], '.0.until: "2026-03-02" is not after from, "2026-03-02"'],
  ['a region that is not sold in', [{ ...GOOD, regions: ['nowhere'] }], '.0.regions.0: the brand does not sell in nowhere; add it to regions or remove it'],
  ['a currency that nobody is charged in', [{ ...GOOD, minSpend: { USD: '1.00', JPY: '100' }, regions: ['universal'] }], '.0.minSpend.JPY: nobody who can use the code is charged in JPY; remove it'],
  ['decimals that the currency has not', [{ code: 'OFF', off: { JPY: '1.50' } }], '.0.off.JPY: "1.50" has more decimals than JPY knows (0); round it'],
  ['a game that is not sold', [{ ...GOOD, games: ['chess'] }], '.0.games.0: the brand does not sell chess; its games are emberfall, starlane, pocket-pitch'],
  ['a product of another game', [{ ...GOOD, games: ['starlane'], products: ['ember_60'] }], '.0.products.0: no product of the code\'s games is "ember_60"'],
  ['a code for nothing', [{ code: 'MUCH', off: { USD: '5000.00' } }], '.0.code: works for no product: prices are below minSpend, or not above off'],
])('tells %s', (_name, codes, sentence) => {
  expect(faults(codes)).toContain(`${AT}${sentence}`);
}); /* a row a line */ // prettier-ignore

describe('between a code and its brand', () => {
  test('a code beside coupons needs a brand that has them', () => {
    const code = { ...GOOD, withCoupon: true };
    expect(faults([code])).toEqual([]);
    expect(faults([code], { isVip: false })).toEqual([
      `${AT}.0.withCoupon: has no effect, the brand has no coupons while isVip is false; remove it`,
    ]);
  });
});
