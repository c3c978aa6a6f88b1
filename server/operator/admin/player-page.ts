// One player as support sees them: who they are, what they bought, have and may. For the command and the admin API.
import type { PlayerId } from '#kernel/ids.ts';
import { money, toDecimal } from '#kernel/money.ts';
import { listFirstBonuses } from '#server/modules/catalogue/store.ts';
import { listPromoOrders } from '#server/modules/codes/store.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { isWithdrawn } from '#server/modules/coupons/present.ts';
import { listPlayerCoupons } from '#server/modules/coupons/store.ts';
import { listRewards } from '#server/modules/events/store.ts';
import { listGivenOffers } from '#server/modules/offers/store.ts';
import { NO_FILTER, searchOrders } from '#server/modules/orders/operator/search-store.ts';
import { readRealName } from '#server/modules/realname/store.ts';
import { readPayer } from '#server/modules/spending/store.ts';
import { levelOf } from '#server/modules/vip/service.ts';
import { readPoints } from '#server/modules/vip/store.ts';
import { readBalances } from '#server/modules/wallet/store.ts';
import type { Db } from '#server/platform/database/db.ts';
import { listAccounts, listCaps, listCharacters, readPlayerFacts } from './player-page-store.ts';

/** Our choice: the newest are what support asks about; each list has a command or a call of its own for all. */
const ORDERS_SHOWN = 20;
const LINES_SHOWN = 100;

export type PlayerPage = NonNullable<Awaited<ReturnType<typeof readPlayerPage>>>;

/** Null when there is no such player. */
export async function readPlayerPage(db: Db, configuration: Configuration, playerId: PlayerId) {
  const facts = await readPlayerFacts(db, playerId);
  if (!facts) return null;
  const vip = configuration.brands.get(facts.brand_key)?.vip;
  const points = await readPoints(db, playerId);
  const coupons = (await listPlayerCoupons(db, playerId)).map((one) => ({
    code: one.code,
    state: one.is_used ? 'used' : isWithdrawn(one) ? 'withdrawn' : one.is_ended ? 'expired' : one.state,
    rate: one.discount_rate,
    until: one.valid_end,
    order: one.billing_no,
    source: one.source,
  }));
  const codes = (await listPromoOrders(db, playerId, LINES_SHOWN)).map((one) => ({
    code: one.code,
    creator: one.creator,
    order: one.billing_no,
    state: one.state,
    discount: toDecimal(money(one.discount_minor, one.currency)),
    currency: one.currency,
  }));
  const { paused_until, birth_year: year, birth_month: month } = await readPayer(db, playerId);
  const found = await searchOrders(db, { ...NO_FILTER, playerId }, { limit: ORDERS_SHOWN, before: null });
  return {
    ...facts,
    accounts: await listAccounts(db, playerId),
    characters: await listCharacters(db, playerId, LINES_SHOWN),
    points,
    level: vip ? (levelOf(vip.levels, points)?.id ?? null) : null,
    real_name: await readRealName(db, playerId),
    born: year === null ? null : `${year}-${String(month).padStart(2, '0')}`,
    balances: await readBalances(db, playerId),
    caps: await listCaps(db, playerId),
    paused_until,
    orders: found.rows.slice(0, ORDERS_SHOWN).map(({ cursor_at: _at, ...order }) => order),
    coupons,
    codes,
    first_bonuses: await listFirstBonuses(db, playerId, LINES_SHOWN),
    offers: await listGivenOffers(db, { playerId }, LINES_SHOWN),
    rewards: await listRewards(db, { playerId }, LINES_SHOWN),
  };
}
