// Checks the VIP programme of a brand, alone and against the goods that it names.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { GameFile } from '#contracts/game-file.ts';
import type { LevelCouponEntry, LevelEntry } from '#contracts/vip-file.ts';
import type { Currency } from '#kernel/money.ts';
import { readHttpsOrigin } from '#kernel/origins.ts';
import { listUnsafeHtml } from '#kernel/safe-html.ts';
import { resolveRegions } from '#server/modules/configuration/configuration.ts';
import { explainAmountFault } from '#server/modules/configuration/types/amount-types.ts';
import type { FieldPath, Finding } from './finding-types.ts';

type Fault = { at: FieldPath; reason: string };

/** Of one brand; `checkLevelGoods` looks at the games. */
export function checkVip(key: string, brand: BrandFile): Finding[] {
  const { vip } = brand;
  const found: Fault[] = [];
  if (brand.isVip && !vip)
    found.push({ at: ['isVip'], reason: 'is true without a programme; add vip, or write isVip: false' });
  // The only page that may stand in a frame is the VIP centre. Other faults of the list are told first.
  const { embedParents } = brand;
  if (!brand.isVip && embedParents.length > 0 && embedParents.every((parent) => readHttpsOrigin(parent) !== null))
    found.push({
      at: ['embedParents'],
      reason: 'may frame the VIP centre, and the brand has none; write isVip: true, or no parents',
    });
  if (vip) {
    if (!brand.isVip)
      found.push({ at: ['vip'], reason: 'is shown to nobody while isVip is false; write isVip: true or remove vip' });
    found.push(...checkRates(brand, vip.points), ...checkLevels(vip.levels), ...checkCoupons(vip.levels));
    for (const [language, html] of Object.entries(vip.faq.content)) {
      const lost = listUnsafeHtml(html);
      if (lost.length > 0)
        found.push({
          at: ['vip', 'faq', 'content', language],
          reason: `holds what is not shown: ${lost.join(', ')}; write the listed elements alone`,
        });
    }
  }
  return found.map((fault) => ({ level: 'fault', file: fileOf(key), ...fault }));
}

/** Every currency that is charged earns points, in an amount that it can have. */
function checkRates(brand: BrandFile, rates: NonNullable<BrandFile['vip']>['points']): Fault[] {
  const charged = new Set<Currency>(
    [...resolveRegions(brand).values()].flatMap(({ currency, countries }) => [
      currency,
      ...countries.map((country) => country.currency),
    ]),
  );
  const missing = [...charged].filter((currency) => !rates[currency]);
  return [
    ...missing.map((currency) => ({
      at: ['vip', 'points', currency],
      reason: `is missing, but the brand charges ${currency}; add it, for no points would be earned`,
    })),
    ...Object.entries(rates).flatMap(([currency, rate]) =>
      rate ? checkAmount(['vip', 'points', currency, 'amount'], rate.amount, currency as Currency) : [],
    ),
  ];
}

function checkAmount(at: FieldPath, text: string, currency: Currency): Fault[] {
  const reason = explainAmountFault(text, currency);
  if (reason !== null) return [{ at, reason }];
  return Number(text) > 0 ? [] : [{ at, reason: 'is nothing; write an amount above 0' }];
}

function checkLevels(levels: readonly LevelEntry[]): Fault[] {
  return levels.flatMap(({ id, needPoints }, index): Fault[] => {
    const at = ['vip', 'levels', index];
    const before = levels[index - 1];
    const found: Fault[] = [];
    if (levels.findIndex((level) => level.id === id) !== index)
      found.push({ at: [...at, 'id'], reason: `the level "${id}" is there twice; rename one` });
    if (!before && needPoints !== 0)
      found.push({ at: [...at, 'needPoints'], reason: 'must be 0, for everybody has the first level; write 0' });
    if (before && needPoints <= before.needPoints)
      found.push({
        at: [...at, 'needPoints'],
        reason: `must be more than the ${before.needPoints} of the level before; levels stand from the lowest`,
      });
    return found;
  });
}

function checkCoupons(levels: readonly LevelEntry[]): Fault[] {
  const seen = new Set<string>();
  return levels.flatMap((level, index) =>
    (level.coupons ?? []).flatMap((coupon, place): Fault[] => {
      const at = ['vip', 'levels', index, 'coupons', place];
      const found = checkCoupon(coupon).map((fault) => ({ ...fault, at: [...at, ...fault.at] }));
      if (seen.has(coupon.id))
        found.push({ at: [...at, 'id'], reason: `the coupon "${coupon.id}" is there twice; rename one` });
      seen.add(coupon.id);
      return found;
    }),
  );
}

function checkCoupon({ type, days, rate, minSpend }: LevelCouponEntry): Fault[] {
  const found: Fault[] = [];
  if (type === 'permanent' && days === undefined)
    found.push({ at: ['days'], reason: 'is missing; say how many days a permanent coupon is good' });
  if (type !== 'permanent' && days !== undefined)
    found.push({ at: ['days'], reason: `is for permanent coupons, this one ends with its ${type}; remove it` });
  if (Number(rate) === 0) found.push({ at: ['rate'], reason: 'gives the goods away; write a decimal above 0' });
  for (const [currency, amount] of Object.entries(minSpend ?? {}))
    found.push(...checkAmount(['minSpend', currency], amount ?? '', currency as Currency));
  return found;
}

/** Games and goods that coupons are for: sold by the brand, and such as take coupons. */
export function checkLevelGoods(
  brands: ReadonlyMap<string, BrandFile>,
  games: ReadonlyMap<string, GameFile>,
): Finding[] {
  return [...brands].flatMap(([key, brand]) => {
    const sold = brand.games.flatMap((id) => games.get(id) ?? []);
    // A game with faults of its own is left out of `games`; then nothing can be said here.
    if (sold.length < brand.games.length) return [];
    const goods = sold.flatMap((game) => game.goods.filter((product) => product.isCoupon).map(({ id }) => id));
    const fault = (at: FieldPath, reason: string): Finding => ({ level: 'fault', file: fileOf(key), at, reason });
    return (brand.vip?.levels ?? []).flatMap((level, index) =>
      (level.coupons ?? []).flatMap((coupon, place) => {
        const at = ['vip', 'levels', index, 'coupons', place];
        return [
          ...(coupon.games ?? []).flatMap((id, nth) =>
            brand.games.includes(id)
              ? []
              : [
                  fault(
                    [...at, 'games', nth],
                    `the brand does not sell ${id}; its games are ${brand.games.join(', ')}`,
                  ),
                ],
          ),
          ...(coupon.products ?? []).flatMap((id, nth) =>
            goods.includes(id)
              ? []
              : [fault([...at, 'products', nth], `no product of the brand's games that takes coupons is "${id}"`)],
          ),
        ];
      }),
    );
  });
}

const fileOf = (key: string) => `brands/${key}/brand.yaml`;
