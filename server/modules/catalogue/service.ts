// Goods as a player sees them: local price, shelf, bonus items, what is left.
import type { Goods, LimitProductInfo, MarketItem, Shelf, ThirdGift } from '#contracts/catalogue.ts';
import { type Language, toBcp47 } from '#kernel/languages.ts';
import {
  type Configuration,
  countingZone,
  countryName,
  currencyName,
  displayFor,
  formsFor,
  type Game,
} from '#server/modules/configuration/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { earnedPoints, listMarkets, type Market, marketOf, quote } from '#server/modules/pricing/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { toGoods, toLimitInfo } from './present.ts';
import { withOffers } from './present-offers.ts';
import { countedClient, EVER, limitSubject, unitInBundle } from './rules.ts';
import { readLimits, readUsedBonuses } from './store.ts';

export type GoodsList = { currency: string; country: string; shelves: Shelf[]; list: Goods[] };
type MarketInput = { client_id: string; domain_area?: string; country?: string };

export type CatalogueService = {
  listGoods(market: Market, game: Game, language: Language): GoodsList;
  goods(caller: Caller, input: MarketInput): Answer<GoodsList>;
  gifts(caller: Caller, clientId: string): Answer<{ list: ThirdGift[] }>;
  limits(
    caller: PlayerCaller,
    input: { client_id: string; role_id: string; server_id: string; area_id?: string },
  ): Promise<Answer<{ list: LimitProductInfo[] }>>;
  firstBonuses(
    caller: PlayerCaller,
    input: { client_id: string; role_id?: string; server_id?: string; area_id?: string },
  ): Promise<Answer<{ used: string[] }>>;
  countries(
    caller: Caller,
    region: string | undefined,
  ): Answer<{ country: string; list: { display: string; value: string }[] }>;
  markets(caller: Caller, region: string | undefined): Answer<{ list: MarketItem[] }>;
};

export { countedClient, EVER, limitSubject, unitInBundle };

/** A shelf's unit without a number speaks of many. */
const MANY = 1000;

export function createCatalogueService(deps: { db: Db; configuration: () => Configuration }): CatalogueService {
  const { configuration } = deps;
  /** Brand, game and market of a request, or the code that says which is wrong. */
  const place = (caller: Caller, input: MarketInput) => {
    const brand = brandOf(configuration(), caller);
    const game = gameForCaller(configuration(), caller, input.client_id);
    const market = marketOf(brand, input.domain_area, input.country, input.client_id);
    if (!game) return { refusal: refuse('noGame') };
    return market ? { brand, game, market } : { refusal: refuse('wrongDomain') };
  };

  const listGoods = (market: Market, game: Game, language: Language): GoodsList => {
    const display = displayFor(market.brand, language);
    const sold = [...game.products.values()].flatMap((product) => {
      const priced = quote(market, product);
      if (!priced) return [];
      return toGoods(game, product, { ...priced, points: earnedPoints(market.brand, priced.price) }, display).map(
        (goods) => ({ goods, product, price: priced.price }),
      );
    });
    const list = withOffers(game, sold, display);
    const used = new Set(list.map((goods) => goods.typeKey));
    const shelves = game.file.shelves
      .filter((shelf) => used.has(shelf.key))
      .map((shelf) => ({
        typeKey: shelf.key,
        display: display.text(shelf.name),
        unit: display.text(formsFor(shelf.unit, MANY)),
        typeSort: shelf.sort,
      }));
    return {
      currency: list[0]?.currency ?? market.brand.currency,
      country: market.country,
      shelves: shelves.toSorted((a, b) => a.typeSort - b.typeSort),
      list: list.toSorted((a, b) => a.typeSort - b.typeSort || a.goodsSort - b.goodsSort),
    };
  };

  return {
    listGoods,
    goods: (caller, input) => {
      const found = place(caller, input);
      return 'refusal' in found ? found.refusal : succeed(listGoods(found.market, found.game, caller.language));
    },
    gifts: (caller, clientId) => {
      const game = gameForCaller(configuration(), caller, clientId);
      if (!game) return refuse('noGame');
      const display = displayFor(brandOf(configuration(), caller), caller.language);
      const list = [...game.products.values()].flatMap((product) =>
        (product.file.gifts ?? []).map((gift) => ({
          product_id: product.id,
          id: gift.id,
          name: display.text(formsFor(gift.name, gift.count)),
          count: gift.count,
        })),
      );
      return succeed({ list });
    },
    limits: async (caller, input) => {
      const brand = brandOf(configuration(), caller);
      const game = gameForCaller(configuration(), caller, input.client_id);
      if (!game) return refuse('noGame');
      const who = {
        clientId: countedClient(game, input.client_id),
        areaId: input.area_id ?? '',
        serverId: input.server_id,
        roleId: input.role_id,
      };
      const limited = [...game.products.values()].filter(({ file }) => file.limit || file.stock !== undefined);
      if (limited.length === 0) return succeed({ list: [] });
      const rows = await readLimits(deps.db, {
        playerId: caller.session.playerId,
        gameId: game.id,
        timeZone: countingZone(brand, game),
        products: limited.map(({ id, file }) => ({
          product_id: id,
          days: file.limit?.days ?? null,
          subject: file.limit ? limitSubject(file.limit, who) : '',
        })),
      });
      const list = rows.flatMap((row) => {
        const product = game.products.get(row.product_id);
        return product ? [toLimitInfo(product, row)] : [];
      });
      return succeed({ list });
    },
    firstBonuses: async (caller, input) => {
      const { client_id, role_id = '', server_id = '', area_id = '' } = input;
      const game = gameForCaller(configuration(), caller, client_id);
      if (!game) return refuse('noGame');
      const products = [...game.products.values()].flatMap(({ id, file: { firstTime } }) =>
        firstTime ? [{ product_id: id, season: firstTime.season ?? EVER }] : [],
      );
      if (products.length === 0) return succeed({ used: [] });
      const receiver = { client_id, server_id, area_id, role_id };
      const { playerId } = caller.session;
      return succeed({ used: await readUsedBonuses(deps.db, { playerId, gameId: game.id, products, receiver }) });
    },
    countries: (caller, region) => {
      const market = marketOf(brandOf(configuration(), caller), region, undefined);
      if (!market) return refuse('wrongDomain');
      const countries = market.brand.regions.get(market.region)?.countries ?? [];
      const display = displayFor(market.brand, caller.language);
      return succeed({
        country: market.country,
        list: countries.map(({ code }) => ({ display: countryName(configuration(), code, display), value: code })),
      });
    },
    markets: (caller, region) => {
      const brand = brandOf(configuration(), caller);
      const display = displayFor(brand, caller.language);
      const list = listMarkets(brand.regions, region).map(({ country, currency, ...rest }) => ({
        ...rest,
        country,
        display: countryName(configuration(), country, display),
        currency,
        currency_shown: currencyName(currency, display),
      }));
      const { compare } = new Intl.Collator(toBcp47(caller.language));
      return succeed({ list: list.toSorted((a, b) => compare(a.display, b.display)) });
    },
  };
}
