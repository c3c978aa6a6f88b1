// Coupons: what a player has, claiming, the price with one, and giving them out. Taking one
// is part of placing an order.
import type { Coupon } from '#contracts/coupons.ts';
import { USE_CATEGORIES } from '#contracts/coupons.ts';
import type { Texts } from '#contracts/files.ts';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import { applyRate, money, toDecimal } from '#kernel/money.ts';
import { type CodesService, isRefused } from '#server/modules/codes/service.ts';
import { type Brand, type Configuration, displayFor, type Game } from '#server/modules/configuration/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { earnedPoints, type Market, marketOf, quote } from '#server/modules/pricing/service.ts';
import type { Db, Queryable } from '#server/platform/database/db.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { randomCode } from '#server/platform/random-code.ts';
import type { LevelCoupons } from './level-coupons.ts';
import { toClaimableRow, toCoupon } from './present.ts';
import { goodsOfCoupon, listReach } from './reach.ts';
import { takesCoupons } from './rules.ts';
import { claimCoupon, insertCoupons, listCoupons, type PricedGoods, priceWithCoupon, voidCoupon } from './store.ts';

export { takesCoupons };
export type { LevelCoupons };

type PlaceInput = {
  client_id?: string;
  domain_area?: string;
  country?: string;
  /** The character that is to receive the goods. */
  server_id?: string;
  areaId?: string;
  role_id?: string;
};
type Price = {
  points: number;
  discountPrice: string;
  discount_price_shown: string;
  off_shown: string;
  promo_code: string;
  promo_off_shown: string;
  goes_with_coupon: boolean;
  price_minor: number;
  currency: string;
};

/**
 * Describes a coupon for one player. `discountRate` as text ("0.8": a fifth off); `minSpend` minor units by currency;
 * times epoch milliseconds.
 */
export type CouponGift = {
  readonly playerId: PlayerId;
  readonly brandKey: BrandKey;
  readonly name: Texts;
  readonly discountRate: string;
  readonly minSpend?: Readonly<Record<string, number>>;
  readonly games?: readonly string[];
  readonly products?: readonly string[];
  readonly validFrom: number;
  readonly validEnd: number;
  /** The player has to claim it first. */
  readonly isClaimable?: boolean;
  /** Says who gave it and why, for support. */
  readonly source: string;
  /** Given once only to this player, e.g. "level-3/2026-11". */
  readonly issueKey?: string;
};

export type CouponsService = {
  list(
    caller: PlayerCaller,
    input: PlaceInput & { use_category: string; product_id?: string },
  ): Promise<Answer<{ list: Coupon[] }>>;
  receive(caller: PlayerCaller, input: { client_id?: string; code: string }): Promise<Answer<Record<string, never>>>;
  price(
    caller: PlayerCaller,
    input: PlaceInput & { client_id: string; product_id: string; coupon_code?: string; promo_code?: string },
  ): Promise<Answer<Price>>;
};

/** Our choice: more than anybody has at a time; what is over comes last and falls out first. */
const LONGEST_LIST = 200;
const CODE_LENGTH = 12;

export function createCouponsService(deps: {
  db: Db;
  configuration: () => Configuration;
  codes: CodesService;
  levelCoupons: LevelCoupons;
}): CouponsService {
  const { db, configuration, codes, levelCoupons } = deps;
  /** Brand, game and market of a request, or the code that says which is wrong. */
  const place = (caller: Caller, input: PlaceInput & { client_id: string }) => {
    const brand = brandOf(configuration(), caller);
    const game = gameForCaller(configuration(), caller, input.client_id);
    if (!game) return { refusal: refuse('noGame') };
    const market = marketOf(brand, input.domain_area, input.country, input.client_id);
    return market ? { brand, game, market } : { refusal: refuse('wrongDomain') };
  };

  return {
    list: async (caller, input) => {
      const brand = brandOf(configuration(), caller);
      const { client_id: clientId } = input;
      const found = clientId === undefined ? null : place(caller, { ...input, client_id: clientId });
      if (found && 'refusal' in found) return found.refusal;
      if (!brand.file.isVip || (found && !found.game.file.isCouponOpen)) return succeed({ list: [] });
      const { gameId, goods } = found ? goodsOf(found, input) : { gameId: null, goods: null };
      const wanted = new Set(input.use_category.split(',').map((part) => part.trim()));
      const tabs = USE_CATEGORIES.filter((tab) => wanted.has(tab));
      const rows = await listCoupons(db, {
        playerId: caller.session.playerId,
        brandKey: brand.key,
        gameId,
        goods,
        limit: LONGEST_LIST,
      });
      const claimable = tabs.includes('claim') ? await levelCoupons.listClaimable(brand, caller.session.playerId) : [];
      const ofLevels = claimable
        .map(toClaimableRow)
        .filter((row) => gameId === null || row.games.length === 0 || row.games.includes(gameId));
      const display = displayFor(brand, caller.language);
      const games = found ? [] : brand.file.games.flatMap((id) => configuration().games.get(id as GameId) ?? []);
      const reach = listReach(brand, games, input, display);
      const list = [...rows, ...ofLevels].flatMap((row) => {
        const fits = row.price_minor !== null;
        const gamesShown = row.games.flatMap((id) => configuration().games.get(id as GameId)?.file.name ?? []);
        const coupon = toCoupon(row, {
          display,
          timeZone: brand.file.timeZone,
          fits,
          gamesShown: gamesShown.map((name) => display.text(name)),
          goods: goodsOfCoupon(reach, row),
        });
        return coupon && tabs.includes(coupon.use_category) ? [coupon] : [];
      });
      return succeed({ list });
    },
    receive: async (caller, { client_id: clientId, code }) => {
      const brand = brandOf(configuration(), caller);
      if (clientId !== undefined && !gameForCaller(configuration(), caller, clientId)) return refuse('noGame');
      const { playerId } = caller.session;
      const isClaimed =
        (await claimCoupon(db, { playerId, brandKey: brand.key, code })) ||
        (await levelCoupons.claim(brand, playerId, code));
      return isClaimed ? succeed({}) : refuse('receiveFailed');
    },
    price: async (caller, input) => {
      const found = place(caller, input);
      if ('refusal' in found) return found.refusal;
      const { brand, game, market } = found;
      const product = game.products.get(input.product_id);
      const priced = product && quote(market, product);
      if (!product || !priced) return refuse('productNotFound');
      const { coupon_code: code, promo_code: text } = input;
      const { goods } = goodsOf(found, input);
      const { playerId } = caller.session;
      const price = code && goods ? await priceWithCoupon(db, { playerId, brandKey: brand.key, code, goods }) : null;
      if (code && price === null) return refuse('illegalCoupon');
      const full = { gameId: game.id, productId: product.id, price: priced.price, receiver: receiverOf(input) };
      const dueMinor = price ?? priced.price.amountMinor;
      const asked = { ...full, dueMinor, couponCode: code || null };
      const promo = text ? await codes.price({ playerId, brand }, text, market.region, asked) : null;
      if (promo && isRefused(promo)) return promo;
      const amount = money(promo?.amountMinor ?? dueMinor, priced.price.currency);
      const display = displayFor(brand, caller.language);
      const showOff = (minor: number) => (minor > 0 ? display.money(money(minor, amount.currency)) : '');
      return succeed({
        points: earnedPoints(brand, amount),
        discountPrice: toDecimal(amount),
        discount_price_shown: display.money(amount),
        off_shown: showOff(priced.price.amountMinor - dueMinor),
        promo_code: promo?.terms.code ?? '',
        promo_off_shown: showOff(dueMinor - amount.amountMinor),
        goes_with_coupon: brand.promoCodes.get(promo?.terms.code ?? '')?.file.withCoupon === true,
        price_minor: amount.amountMinor,
        currency: amount.currency,
      });
    },
  };
}

/** The goods of a request with what they cost there; null where they take no coupon. */
function goodsOf(
  { brand, game, market }: { brand: Brand; game: Game; market: Market },
  input: PlaceInput & { product_id?: string },
): { gameId: GameId; goods: PricedGoods | null } {
  const product = game.products.get(input.product_id ?? '');
  const priced = product && takesCoupons(brand, game, product) ? quote(market, product) : null;
  if (!product || !priced) return { gameId: game.id, goods: null };
  const goods = { gameId: game.id, productId: product.id, price: priced.price, receiver: receiverOf(input) };
  return { gameId: game.id, goods };
}

/** Null unless the whole character is named: an order is for one, a half-named one would be another. */
function receiverOf({ client_id, server_id, areaId, role_id }: PlaceInput) {
  return client_id && server_id && role_id ? { client_id, server_id, area_id: areaId ?? '', role_id } : null;
}

/**
 * Gives coupons, on the client of a transaction where they belong to one (a level reached, a reward received).
 * @returns the codes that were given; those given once already are left out
 * @throws RangeError for a rate that is no decimal above 0 and below 1
 */
export async function giveCoupons(db: Queryable, gifts: readonly CouponGift[]): Promise<string[]> {
  if (gifts.length === 0) return [];
  return insertCoupons(
    db,
    gifts.map((gift) => ({
      player_id: gift.playerId,
      code: randomCode(CODE_LENGTH),
      brand_key: gift.brandKey,
      name: gift.name,
      discount_rate: checkRate(gift.discountRate),
      min_spend: gift.minSpend ?? {},
      games: gift.games ?? [],
      products: gift.products ?? [],
      valid_from: new Date(gift.validFrom).toISOString(),
      valid_end: new Date(gift.validEnd).toISOString(),
      state: gift.isClaimable ? 'claimable' : 'free',
      source: gift.source.slice(0, 200),
      issue_key: gift.issueKey ?? null,
    })),
  );
}

/** Withdraws a coupon that no order holds. */
export const withdrawCoupon = voidCoupon;

function checkRate(rate: string): string {
  // Throws by itself for what is no decimal; a million minor units tell nothing from something and something from all.
  const paid = applyRate({ amountMinor: 1_000_000, currency: 'USD' }, rate).amountMinor;
  if (paid <= 0 || paid >= 1_000_000) throw new RangeError(`rate ${rate} must be above 0 and below 1`);
  return rate;
}
