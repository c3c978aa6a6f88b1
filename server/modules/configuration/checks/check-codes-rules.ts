// Checks the promo codes of a brand, alone and against the goods that they name.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { PromoCodeEntry } from '#contracts/codes-file.ts';
import type { GameFile, GoodsEntry } from '#contracts/game-file.ts';
import { readMoment } from '#kernel/calendar.ts';
import { type Currency, parseDecimal } from '#kernel/money.ts';
import { resolveRegions } from '#server/modules/configuration/configuration.ts';
import { checkAmount, type Remark, repeated } from './check-game-rules.ts';
import type { Finding } from './finding-types.ts';

/** Of one brand; `checkCodeGoods` looks at the games. */
export function checkCodes(key: string, brand: BrandFile): Finding[] {
  const codes = brand.codes ?? [];
  const names = codes.map(({ code }) => code);
  return [
    ...repeated(names).map((index) => ({
      at: [index, 'code'],
      reason: `the code "${names[index]}" is there twice; rename one`,
    })),
    ...codes.flatMap((entry, index) =>
      [...checkEffect(brand, entry), ...checkWindow(entry), ...checkMarkets(brand, entry)].map(({ at, reason }) => ({
        at: [index, ...at],
        reason,
      })),
    ),
  ].map(({ at, reason }) => ({ level: 'fault', file: fileOf(key), at: ['codes', ...at], reason }));
}

/** Nothing without effect: a setting that another one makes idle is a fault. */
function checkEffect(brand: BrandFile, entry: PromoCodeEntry): Remark[] {
  const { rate, off, creator, total, perPlayer, firstPurchase, withCoupon } = entry;
  const found: Remark[] = [];
  if (rate === undefined && !off && !creator)
    found.push({ at: ['code'], reason: 'takes nothing off and names no creator; add rate, off or creator' });
  if (rate !== undefined && off) found.push({ at: ['off'], reason: 'stands beside rate; remove one of them' });
  if (rate !== undefined && Number(rate) === 0)
    found.push({ at: ['rate'], reason: 'gives the goods away; write a decimal above 0' });
  if (firstPurchase === true && perPlayer !== undefined)
    found.push({ at: ['perPlayer'], reason: 'has no effect, a player has one first purchase; remove it' });
  if (firstPurchase === false)
    found.push({ at: ['firstPurchase'], reason: 'says what is so without it; write true or remove it' });
  if (total !== undefined && perPlayer !== undefined && perPlayer > total)
    found.push({
      at: ['perPlayer'],
      reason: `is above the ${total} of total and has no effect; lower it or remove it`,
    });
  if (withCoupon === true && !brand.isVip)
    found.push({
      at: ['withCoupon'],
      reason: 'has no effect, the brand has no coupons while isVip is false; remove it',
    });
  if (withCoupon === false)
    found.push({ at: ['withCoupon'], reason: 'says what is so without it; write true or remove it' });
  return found;
}

function checkWindow({ from, until }: PromoCodeEntry): Remark[] {
  const found = Object.entries({ from, until })
    .filter(([, text]) => text !== undefined && readMoment(text, 'UTC') === null)
    .map(([key, text]) => ({
      at: [key],
      reason: `"${text}" is no moment of a calendar; write e.g. "2026-12-01 10:00"`,
    }));
  const [start, end] = [from, until].map((text) => (text === undefined ? null : readMoment(text, 'UTC')));
  if (start != null && end != null && start >= end)
    found.push({ at: ['until'], reason: `"${until}" is not after from, "${from}"` });
  return found;
}

function checkMarkets(brand: BrandFile, { regions, off, minSpend }: PromoCodeEntry): Remark[] {
  const unsold = (regions ?? []).flatMap((region, index) =>
    region in brand.regions
      ? []
      : [{ at: ['regions', index], reason: `the brand does not sell in ${region}; add it to regions or remove it` }],
  );
  const charged = chargedIn(brand, regions);
  const amounts = Object.entries({ off, minSpend }).flatMap(([field, byCurrency]) =>
    entriesOf(byCurrency ?? {}).flatMap(([currency, amount]) => [
      ...checkAmount([field, currency], amount, currency),
      ...(charged.has(currency) || unsold.length > 0
        ? []
        : [{ at: [field, currency], reason: `nobody who can use the code is charged in ${currency}; remove it` }]),
    ]),
  );
  return [...unsold, ...amounts];
}

function chargedIn(brand: BrandFile, regions: readonly string[] | undefined): Set<Currency> {
  const open = [...resolveRegions(brand)].filter(([region]) => regions?.includes(region) ?? true);
  return new Set(open.flatMap(([, { currency, countries }]) => [currency, ...countries.map((one) => one.currency)]));
}

/** Games and goods that codes are for are sold by the brand, and each code works for one of them at least. */
export function checkCodeGoods(
  brands: ReadonlyMap<string, BrandFile>,
  games: ReadonlyMap<string, GameFile>,
): Finding[] {
  return [...brands].flatMap(([key, brand]) => {
    // A game with faults of its own is left out of `games`; then nothing can be said here.
    if (brand.games.some((id) => !games.has(id))) return [];
    return (brand.codes ?? []).flatMap((entry, index) =>
      checkGoods(brand, entry, games).map(({ at, reason }): Finding => ({
        level: 'fault',
        file: fileOf(key),
        at: ['codes', index, ...at],
        reason,
      })),
    );
  });
}

function checkGoods(brand: BrandFile, entry: PromoCodeEntry, games: ReadonlyMap<string, GameFile>): Remark[] {
  const sold = brand.games.filter((id) => entry.games?.includes(id) ?? true);
  const goods = sold.flatMap((id) => games.get(id)?.goods ?? []);
  const found: Remark[] = [
    ...(entry.games ?? []).flatMap((id, nth) =>
      brand.games.includes(id)
        ? []
        : [{ at: ['games', nth], reason: `the brand does not sell ${id}; its games are ${brand.games.join(', ')}` }],
    ),
    ...(entry.products ?? []).flatMap((id, nth) =>
      goods.some((product) => product.id === id)
        ? []
        : [{ at: ['products', nth], reason: `no product of the code's games is "${id}"` }],
    ),
  ];
  const charged = chargedIn(brand, entry.regions);
  const meant = goods.filter(({ id }) => entry.products?.includes(id) ?? true);
  if (found.length === 0 && !meant.some((product) => isUsable(entry, product, charged)))
    found.push({ at: ['code'], reason: 'works for no product: prices are below minSpend, or not above off' });
  return found;
}

function isUsable({ off, minSpend }: PromoCodeEntry, product: GoodsEntry, charged: ReadonlySet<Currency>): boolean {
  const local = Object.values(product.countryPrices ?? {}).map(({ currency, amount }) => [currency, amount] as const);
  return [...entriesOf(product.prices), ...local].some(([currency, text]) => {
    const minor = (amount: string | undefined) => parseDecimal(amount ?? '', currency)?.amountMinor;
    const price = minor(text) ?? 0;
    if (!charged.has(currency)) return false;
    return (
      price >= (minSpend ? (minor(minSpend[currency]) ?? Infinity) : 0) &&
      price > (off ? (minor(off[currency]) ?? Infinity) : 0)
    );
  });
}

function entriesOf(amounts: Partial<Record<Currency, string>>): [Currency, string][] {
  return Object.entries(amounts) as [Currency, string][];
}

const fileOf = (key: string) => `brands/${key}/brand.yaml`;
