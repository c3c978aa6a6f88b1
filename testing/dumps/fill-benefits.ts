// Fills a shop with everything that brings players back: promo codes, creators, first-purchase bonuses, points, offers,
// and rewards of events in every state; for `fill-shop.ts`.
import { ulid } from 'ulid';
import type { BrandKey, GameId } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { PromoTerms } from '#server/modules/codes/types.ts';
import { finishReward, leaseRewards, receiveRewards } from '#server/modules/events/store.ts';
import { type OfferRun, takeOffer } from '#server/modules/offers/store.ts';
import { EMBER_CLIENT, showEmberRole, topUp } from '#testing/events.ts';
import { type PlaceChanges, makePlayer, placeInput, placeTestOrder, promoOf, report } from '#testing/orders.ts';
import type { TestShop } from '#testing/shop.ts';
import { DONE, deliver } from './fill-acts.ts';

const DAY_MS = 86_400_000;
const WATT = 'watt' as BrandKey;
const STARLANE = 'starlane' as GameId;
/** Orders end in these ways, in turn. */
const ENDS = ['open', 'failed', 'delivered', 'refunded', 'chargeback'] as const;

export async function fillBenefits(shop: TestShop): Promise<void> {
  await fillCodes(shop);
  await fillOffers(shop);
  await fillRewards(shop);
}

/** Places one order of a new player and brings it to its end. @param dueMinor what it costs in the end */
async function buyUntil(
  shop: TestShop,
  end: (typeof ENDS)[number],
  dueMinor: number,
  input: Parameters<typeof placeTestOrder>[1],
): Promise<void> {
  const order = await placeTestOrder(shop.db, input);
  const amount = money(dueMinor, 'USD');
  if (end === 'open') return;
  await report(shop.db, order, { status: end === 'failed' ? 'failed' : 'paid', amount });
  if (end === 'failed') return;
  await deliver(shop, DONE);
  if (end !== 'delivered') await report(shop.db, order, { status: end, amount });
}

/** A creator's code, the bonus of a first purchase and points, all on one order. */
async function fillCodes(shop: TestShop): Promise<void> {
  const promo: PromoTerms = {
    code: 'KESTREL',
    rate: '0.9',
    total: 100,
    per_player: 3,
    creator: 'kestrel',
    share_bp: 500,
  };
  const gifts = [{ id: 'crystals', name: 'Crystals', count: 60, isCurrency: true }];
  const changes: PlaceChanges = {
    promo: promoOf(promo),
    first_bonus: { season: 'ever', gifts, is_told: true },
    points_rate: { points: 1, per_minor: 100 },
  };
  for (const end of ENDS) await buyUntil(shop, end, 449, placeInput(await makePlayer(shop.db), changes));
}

/** Offers of a player: open, held by an order, used. */
async function fillOffers(shop: TestShop): Promise<void> {
  const run: OfferRun = {
    run: 'starlane/flash.2026-11-23',
    times: 1,
    game_id: STARLANE,
    product_id: 'star_260',
    name: { en: 'Flash' },
    prices: { USD: 299 },
    valid_from: new Date(Date.now() - DAY_MS).toISOString(),
    valid_end: new Date(Date.now() + DAY_MS).toISOString(),
    after: null,
  };
  const code = `offer:${run.run}:1`;
  for (const end of [null, 'open', 'delivered'] as const) {
    const playerId = await makePlayer(shop.db);
    if (!(await takeOffer(shop.db, { playerId, brandKey: WATT, run, code }))) throw new Error('the offer is not open');
    const coupon = { code, min_charge_minor: 1, quoted_minor: 299 };
    if (end)
      await buyUntil(shop, end, 299, placeInput(playerId, { product_id: 'star_260', amount_minor: 499, coupon }));
  }
}

/** One player has reached a step six times over; each reward ends in another way. */
async function fillRewards(shop: TestShop): Promise<void> {
  const playerId = await makePlayer(shop.db);
  await showEmberRole(shop.db, playerId);
  await topUp(shop.db, playerId, 5000);
  const receiver = {
    brand_key: WATT,
    game_id: 'emberfall' as GameId,
    client_id: EMBER_CLIENT,
    server_id: 's1',
    area_id: '',
    role_id: 'r1',
    suid: `u-${playerId}`,
  };
  const receive = async (step: number) => {
    const reward = {
      reward_no: `RW-${ulid()}`,
      issue_key: `event/emberfall/filled.1/${step}`,
      product_id: `step_${step}`,
      gifts: [{ id: 'gem', name: 'Gems', count: 10 }],
      title: { en: 'A step' },
      basis: {
        kind: 'cumulative' as const,
        from: new Date(Date.now() - DAY_MS).toISOString(),
        until: new Date(Date.now() + 365 * DAY_MS).toISOString(),
        time_zone: 'UTC',
        regions: [],
        total: { USD: 499 },
      },
    };
    const [answer] = (await receiveRewards(shop.db, playerId, receiver, [reward])) ?? [];
    if (answer?.outcome !== 'received') throw new Error(`the reward was not received: ${answer?.outcome}`);
  };
  const answers = [
    { kind: 'done', receipt_id: 'R-step', reason: null, retry_in_seconds: null },
    { kind: 'declined', receipt_id: null, reason: 'bag_full', retry_in_seconds: null },
    { kind: 'unknown', receipt_id: null, reason: 'no answer', retry_in_seconds: 3600 },
    { kind: 'unknown', receipt_id: null, reason: 'no answer', retry_in_seconds: null },
    null,
  ] as const;
  for (const [step, answer] of answers.entries()) {
    await receive(step);
    for (const leased of await leaseRewards(shop.db, 10, 3600)) if (answer) await finishReward(shop.db, leased, answer);
  }
  await receive(9);
}
