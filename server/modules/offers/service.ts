// Offers: which are open for a visitor, and making the row of one that an order is about to take. Taking, holding and
// giving back are those of coupons, in placing an order (decision 37).
import { OFFER_PREFIX, type Offer } from '#contracts/offers.ts';
import type { Money } from '#kernel/money.ts';
import {
  type Brand,
  countingZone,
  displayFor,
  type EventWindow,
  type FileOffer,
  type Game,
  isSeenBy,
  runOf,
} from '#server/modules/configuration/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { type Market, marketOf, quote } from '#server/modules/pricing/service.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { SignedAnswer, SignedCall } from '#server/platform/http/signed-call.ts';
import type { Site } from '#server/platform/http/site.ts';
import { answerPersonalCall, type PersonalCallDeps } from './personal-call.ts';
import { bestOffers, toOffer, toRun } from './present.ts';
import { isOfferCode, isPersonal, runCodeOf, runOfCode } from './rules.ts';
import { listOpenOffers, type OpenOfferRow, takeOffer } from './store.ts';

export { isOfferCode };

type ListInput = {
  client_id: string;
  domain_area?: string;
  country?: string;
  server_id?: string;
  areaId?: string;
  role_id?: string;
};

export type OffersService = {
  list(caller: Caller, input: ListInput): Promise<Answer<{ now: number; list: Offer[] }>>;
  /**
   * Makes the row of an offer of a file, so that the order can take it; a personal one has its row.
   * @returns false: the code is no offer that is open for this player
   */
  prepare(caller: PlayerCaller, goods: { market: Market; game: Game }, code: string): Promise<boolean>;
  /** A game gives one of its players an offer; null where it is not sold. */
  answerPersonalCall(site: Site, call: SignedCall): Promise<SignedAnswer | null>;
};

type OpenRun = { offer: FileOffer; window: EventWindow };

export function createOffersService(deps: PersonalCallDeps): OffersService {
  const { db, configuration, now } = deps;

  /** The runs of files that are on for a visitor; what a purchase opens is not looked at here. */
  function runsFor(caller: Caller, brand: Brand, { market, game }: { market: Market; game: Game }): OpenRun[] {
    const viewer = { brandKey: brand.key, region: market.region, isBeta: caller.site.betaId !== undefined };
    return game.offers.flatMap((offer) => {
      if (!isSeenBy(offer, viewer) || !game.products.has(offer.file.product)) return [];
      const window = runOf(offer, countingZone(brand, game), now());
      return window ? [{ offer, window }] : [];
    });
  }

  return {
    answerPersonalCall: (site, call) => answerPersonalCall(deps, site, call),
    list: async (caller, input) => {
      const brand = brandOf(configuration(), caller);
      const game = gameForCaller(configuration(), caller, input.client_id);
      if (!game) return refuse('noGame');
      const market = marketOf(brand, input.domain_area, input.country, input.client_id);
      if (!market) return refuse('wrongDomain');
      const runs = runsFor(caller, brand, { market, game });
      const full = new Map(
        [...game.products.values()].flatMap((product): [string, Money][] => {
          const priced = quote(market, product);
          return priced ? [[product.id, priced.price]] : [];
        }),
      );
      const [first] = full.values();
      const { session } = caller;
      const rows: OpenOfferRow[] = !first
        ? []
        : session
          ? await listOpenOffers(db, {
              playerId: session.playerId,
              brandKey: brand.key,
              gameId: game.id,
              runs: runs.map(({ offer, window }) => toRun(game, offer, window)),
              amounts: Object.fromEntries([...full].map(([id, { amountMinor }]) => [id, amountMinor])),
              currency: first.currency,
              receiver: receiverOf(input),
            })
          : forStrangers(game, runs, full);
      const display = displayFor(brand, caller.language);
      const afterKeys = new Set(
        runs.filter(({ offer }) => offer.file.after).map(({ window }) => runCodeOf(game.id, window.key)),
      );
      const list = rows.flatMap((row) => {
        const was = full.get(row.product_id);
        const kind = isPersonal(row.code) ? 'personal' : afterKeys.has(runOfCode(row.code) ?? '') ? 'after' : 'timed';
        return was ? [toOffer(kind, row, was, display)] : [];
      });
      return succeed({ now: now(), list: bestOffers(list) });
    },
    prepare: async (caller, { market, game }, code) => {
      if (isPersonal(code)) return isOfferCode(code);
      const run = runOfCode(code);
      const open = runsFor(caller, market.brand, { market, game }).find(
        ({ window }) => runCodeOf(game.id, window.key) === run,
      );
      if (!open) return false;
      const { playerId } = caller.session;
      const row = toRun(game, open.offer, open.window);
      return takeOffer(db, { playerId, brandKey: market.brand.key, run: row, code });
    },
  };
}

/** Shows an offer as a player's first one would be; only the order decides to whom it belongs. */
function forStrangers(game: Game, runs: readonly OpenRun[], full: ReadonlyMap<string, Money>): OpenOfferRow[] {
  return runs.flatMap(({ offer, window }) => {
    const was = full.get(offer.file.product);
    const price = was && offer.prices.get(was.currency);
    if (offer.file.after || !price || price.amountMinor >= was.amountMinor) return [];
    const code = `${OFFER_PREFIX}${runCodeOf(game.id, window.key)}:1`;
    const row = { code, name: offer.file.name, product_id: offer.file.product };
    return [{ ...row, valid_end: new Date(window.endsAt), price_minor: price.amountMinor }];
  });
}

/** Null unless the whole character is named: an order is for one, a half-named one would be another. */
function receiverOf({ client_id, server_id, areaId, role_id }: ListInput) {
  return server_id && role_id ? { client_id, server_id, area_id: areaId ?? '', role_id } : null;
}
