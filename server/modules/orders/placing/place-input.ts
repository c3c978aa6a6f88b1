// Computes the input of place_order from a pay call: prices, limits and names as the configuration of this moment has
// them. Pure but for the number drawn.
import { HOUR_SECONDS } from '#kernel/time.ts';
import { hash, randomInt } from 'node:crypto';
import { ulid } from 'ulid';
import type { PayInput } from '#contracts/payments.ts';
import type { BillingNo } from '#kernel/ids.ts';
import { type Language, textsToKeep } from '#kernel/languages.ts';
import { countedClient, EVER, limitSubject, unitInBundle } from '#server/modules/catalogue/service.ts';
import { readCode } from '#server/modules/codes/service.ts';
import type { PromoTerms } from '#server/modules/codes/types.ts';
import { countingZone, formFor, type Game, nameAt, type Product } from '#server/modules/configuration/service.ts';
import type { ChosenChannel } from '#server/modules/payments/service.ts';
import { type Market, pointsRateOf } from '#server/modules/pricing/service.ts';
import { payerRulesOf } from '#server/modules/spending/service.ts';
import type { PlayerCaller } from '#server/platform/http/http.ts';
import type { InternalTender, OrderOrigin, PlaceInput, SoldGift, SoldProduct } from '#server/modules/orders/store.ts';

/**
 * Our choice: an unpaid order holds its limit and stock for an hour, or as long as its provider's
 * page lives if that is shorter.
 */
const UNPAID_SECONDS = HOUR_SECONDS;

/**
 * One of the 32 digits of an order number, as the share of 1 that `ulid` asks for. By itself it asks the system for
 * every single digit, which took a twentieth of the server's time for an order; `randomInt` draws from a store of the
 * same randomness.
 */
const drawDigit = (): number => randomInt(32) / 32;

/** An order needs only these fields of a product. */
type SoldGoods = Pick<Product, 'id' | 'name'> &
  Partial<Pick<Product, 'localName' | 'pricesHold'>> & {
    readonly file: Pick<Product['file'], 'art' | 'gifts' | 'amount' | 'limit' | 'stock' | 'firstTime'>;
  };

/** @param deps the clock, and how many orders a player may have */
export function toPlaceInput(
  deps: {
    readonly now: () => number;
    readonly random?: (() => number) | undefined;
    readonly limits: { maxPerMinute: number; maxOpen: number };
    readonly mustNotify: boolean;
  },
  caller: PlayerCaller,
  input: PayInput,
  goods: {
    market: Market;
    game: Game;
    product: SoldGoods;
    chosen: ChosenChannel;
    amount: { amountMinor: number; currency: PlaceInput['currency'] };
    /** Null where a provider is asked. */
    tender: InternalTender | null;
    promo: PromoTerms | null;
  },
): PlaceInput {
  const { market, game, product, chosen, amount, tender, promo } = goods;
  const { channel, sub, account } = chosen;
  const { session, site, language } = caller;
  const areaId = input.areaId ?? '';
  const { limit } = product.file;
  const key = sub?.key ?? channel.key;
  const [first = language] = market.brand.file.languages;
  // An offer is taken as a coupon is (decision 37).
  const code = input.coupon_code || input.offer_code;
  const priced = {
    min_charge_minor: (sub ?? channel).bounds.get(amount.currency)?.min?.amountMinor ?? 1,
    quoted_minor: input.price_minor ?? null,
  };
  return {
    player_id: session.playerId,
    billing_no: ulid(deps.now(), deps.random ?? drawDigit) as BillingNo,
    idempotency_key: caller.idempotencyKey,
    fingerprint: fingerprintOf(input, key, tender),
    sold: {
      brand_key: site.brandKey,
      game_id: game.id,
      client_id: input.client_id,
      product_id: product.id,
      server_id: input.server_id,
      area_id: areaId,
      role_id: input.role_id,
      suid: session.suid,
      username: session.username,
      product: toSoldProduct(game, { ...product, name: nameAt(market.brand, product) }, language, first),
      region: market.region,
      country: market.country,
      language,
      origin: originOf(input),
      method: chosen.method.key,
      ...priceHoldsOf(product),
      points_rate: pointsRateOf(market.brand, amount.currency),
      payer_rules: payerRulesOf(market.brand, market.region),
      promo: promo && { ...promo, ...priced },
      first_bonus: firstBonusOf(product, input),
      accepted: input.accepted ? { version: input.accepted, language, terms: termsOf(market) } : null,
    },
    amount_minor: amount.amountMinor,
    currency: amount.currency,
    provider: account.provider.name,
    channel_key: key,
    channel_name: textsToKeep(chosen.method.name, language, first),
    channel_id: input.channel_id ?? '',
    expires_in: `${Math.min(UNPAID_SECONDS, account.provider.payableForSeconds)} seconds`,
    payable_for: `${account.provider.payableForSeconds} seconds`,
    time_zone: countingZone(market.brand, game),
    limit: limit
      ? {
          times: limit.times,
          days: limit.days ?? null,
          subject: limitSubject(limit, {
            clientId: countedClient(game, input.client_id),
            areaId,
            serverId: input.server_id,
            roleId: input.role_id,
          }),
        }
      : null,
    has_stock: product.file.stock !== undefined,
    coupon: code ? { code, ...priced } : null,
    tender,
    must_be_new: false,
    must_notify: deps.mustNotify,
    max_per_minute: deps.limits.maxPerMinute,
    max_open: deps.limits.maxOpen,
  };
}

/** @source specification section 2: "utm_pay (kf means customer source)"; section 7, "Pay payload" */
function originOf(input: PayInput): OrderOrigin | null {
  const { utm_pay, traffic_source, session_id, session_time, game_channel_id, platform } = input;
  // As the moments of the same visit: the name that the game app has for its device, where the address brings one.
  const did = input.idfv || input.did;
  const said = Object.entries({ utm_pay, traffic_source, did, session_id, session_time, game_channel_id, platform });
  const given = said.filter(([, value]) => value !== undefined && value !== '');
  return given.length > 0 ? Object.fromEntries(given) : null;
}

const toSoldGift = (gift: NonNullable<Product['file']['gifts']>[number]): SoldGift => ({
  id: gift.id,
  name: formFor(gift.name.en, gift.count, 'en'),
  count: gift.count,
  isCurrency: gift.isCurrency === true,
});

/** Left out where the price does not change by itself, which is nearly always. */
function priceHoldsOf({ pricesHold }: SoldGoods): Pick<PlaceInput['sold'], 'price_holds'> {
  return pricesHold && (pricesHold.from !== null || pricesHold.until !== null) ? { price_holds: pricesHold } : {};
}

/**
 * A caller that does not mention the first-purchase bonus takes it when it is there; one that was shown it wants no
 * order without it.
 */
function firstBonusOf({ file: { firstTime } }: SoldGoods, input: PayInput): PlaceInput['sold']['first_bonus'] {
  if (!firstTime) return null;
  return {
    season: firstTime.season ?? EVER,
    gifts: firstTime.gifts.map(toSoldGift),
    is_told: input.first_bonus === '1',
  };
}

/** @param language of the player, who reads its names on the receipt; @param first the brand's first language */
export function toSoldProduct(game: Game, product: SoldGoods, language: Language, first: Language): SoldProduct {
  const unit = unitInBundle(game, product);
  return {
    name: textsToKeep(product.name, language, first),
    art: product.file.art,
    gameName: textsToKeep(game.file.name, language, first),
    gifts: (product.file.gifts ?? []).map(toSoldGift),
    amount: product.file.amount ?? 0,
    ...(unit && { unit: formFor(unit.en, product.file.amount ?? 0, 'en') }),
  };
}

/** Address of the terms of use that the page leads to. */
function termsOf({ brand: { file }, region }: Market): string {
  return file.areas?.[region]?.links?.terms ?? file.links.terms;
}

/** Of the fields below: another list gets the next number, so that calls across a release are known again. */
const FINGERPRINT_LIST = 2;

/** Identifies a call: two calls with one Idempotency-Key are the same call when their fingerprints "2:<hash>" match. */
export function fingerprintOf(input: PayInput, channelKey: string, tender: InternalTender | null): string {
  const parts = [
    input.client_id,
    input.server_id,
    input.areaId ?? '',
    input.role_id,
    input.product_id,
    channelKey,
    input.domain_area ?? '',
    input.country ?? '',
    input.coupon_code || input.offer_code || '',
    readCode(input.promo_code ?? ''),
    tender?.kind === 'card' ? `${tender.card_key}/${tender.password_hmac}` : '',
  ];
  return `${FINGERPRINT_LIST}:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
}
