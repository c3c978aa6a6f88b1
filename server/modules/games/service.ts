// Games a brand sells, their servers, and the characters of a player. Characters the game showed us are
// kept: orders are for those only.
import type { Pair, Platform } from '#contracts/envelope.ts';
import type { GameListItem, PageConfig, RoleItem, ServerItem } from '#contracts/games.ts';
import { isWithinBound } from '#kernel/bound.ts';
import type { GameId, PlayerId } from '#kernel/ids.ts';
import type { Language } from '#kernel/languages.ts';
import type { Money } from '#kernel/money.ts';
import type { Country, Region } from '#kernel/regions.ts';
import {
  type Brand,
  type Configuration,
  displayFor,
  type Game,
  isSoldIn,
} from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { Site } from '#server/platform/http/site.ts';
import type { Log } from '#server/platform/log.ts';
import type { CheckOutcome, GameArea, GameServer, GameServerInfo, Recipient } from './gameserver.ts';
import { type ClientChoice, toGameListItem, toPageConfig } from './present.ts';
import { saveRoles } from './store.ts';

export { refuseDeclined } from './declined.ts';

type RolesQuery = {
  game: Game;
  clientId: string;
  playerId: PlayerId;
  suid: string;
  serverId?: string | undefined;
  areaId?: string | undefined;
};

/** A list of games is read in this place, by this visitor. */
export type ListPlace = {
  readonly region: Region;
  readonly country?: Country | undefined;
  readonly betaId: Site['betaId'] | undefined;
};

/** The lowest price of a game's goods in a region and country of a brand; null: it sells none there. */
export type LowestPrice = (brand: Brand, game: Game, place: ListPlace) => Money | null;

export type GamesService = {
  gameServer(gameId: string): GameServer | null;
  /** @param place whose lowest prices stand there; none without it */
  listGames(brand: Brand, language: Language, choice: ClientChoice, place?: ListPlace | null): GameListItem[];
  gameList(
    caller: Caller,
    input: { client_id?: string; platform?: Platform; domain_area?: string; country?: string },
  ): Answer<{ list: GameListItem[] }>;
  pageConfig(caller: Caller, input: { client_id: string; domain_area?: string }): Answer<PageConfig>;
  logo(caller: Caller, clientId: string): Answer<{ icon: string }>;
  servers(
    caller: Caller,
    input: { client_id: string; area_id?: string },
  ): Promise<Answer<{ areas: Pair[]; servers: ServerItem[] }>>;
  roles(
    caller: PlayerCaller,
    input: { client_id: string; server_id?: string; area_id?: string },
  ): Promise<Answer<{ list: RoleItem[] }>>;
  /** Asks the game for characters and remembers them. Null: it cannot be reached now. */
  refreshRoles(query: RolesQuery): Promise<RoleItem[] | null>;
  /** Asks the game whether this character can receive this product, before money is taken. */
  checkGrant(gameId: GameId, recipient: Recipient, productId: string): Promise<CheckOutcome>;
};

/** Our choice: a server list changes with a merge or an opening; a minute is soon enough and saves a call a visitor. */
const SERVERS_FRESH_MS = 60_000;

/** A game as everybody sees it, by the whole game; made anew with each configuration. */
const publicViews = new WeakMap<Game, Game>();

/**
 * Without the goods that only beta users see. Whoever gets a game from here cannot show or sell them to anybody else.
 */
function seenBy(game: Game, { betaId }: { readonly betaId?: Site['betaId'] | undefined }): Game {
  if (betaId !== undefined) return game;
  const known = publicViews.get(game);
  if (known) return known;
  const products = new Map([...game.products].filter(([, { file }]) => file.beta !== true));
  const made = products.size === game.products.size ? game : { ...game, products };
  publicViews.set(game, made);
  return made;
}

/** The game of a client id, if the caller's brand sells it, with the goods that this caller may see and buy. */
export function gameForCaller(
  configuration: Configuration,
  caller: Pick<Caller, 'site'>,
  clientId: string,
): Game | null {
  const found = configuration.gameOfClient(clientId);
  const isSold = found && brandOf(configuration, caller).file.games.includes(found.game.id);
  return isSold ? seenBy(found.game, caller.site) : null;
}

/**
 * The brand of a caller. The transport found it by the same configuration, so it is there
 * unless it was just taken away.
 */
export function brandOf(configuration: Configuration, caller: Pick<Caller, 'site'>): Brand {
  const brand = configuration.brands.get(caller.site.brandKey);
  if (!brand) throw new Error(`the brand ${caller.site.brandKey} is gone`);
  return brand;
}

export function createGamesService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  gameServer: (gameId: string) => GameServer | null;
  now: () => number;
  /** Of the modules that price, which know this one; left out: no price stands in the list. */
  lowestPrice?: LowestPrice;
}): GamesService {
  const { db, log, gameServer, configuration } = deps;
  const cache = new Map<string, { at: number; answer: Promise<{ areas: GameArea[]; servers: GameServerInfo[] }> }>();
  const gameOf = (caller: Caller, clientId: string) => gameForCaller(configuration(), caller, clientId);

  async function allServers(game: Game, clientId: string) {
    const known = cache.get(clientId);
    if (known && deps.now() - known.at < SERVERS_FRESH_MS) return known.answer;
    const server = gameServer(game.id);
    if (!server) throw new Error(`no address is set for the game ${game.id}`);
    const answer = server.listServers(clientId, '');
    cache.set(clientId, { at: deps.now(), answer });
    answer.catch(() => cache.delete(clientId));
    return answer;
  }

  async function refreshRoles({
    game,
    clientId,
    playerId,
    suid,
    serverId,
    areaId,
  }: RolesQuery): Promise<RoleItem[] | null> {
    try {
      const server = gameServer(game.id);
      if (!server) throw new Error(`no address is set for the game ${game.id}`);
      const [roles, { servers }] = await Promise.all([
        server.listRoles({ clientId, userId: suid, ...(serverId ? { serverId } : {}), ...(areaId ? { areaId } : {}) }),
        allServers(game, clientId),
      ]);
      const names = new Map(servers.map((entry) => [entry.id, entry.name]));
      const items = roles.map((role) => ({
        display: role.name,
        value: role.id,
        level: role.level,
        server_id: role.serverId,
        server_name: names.get(role.serverId) ?? role.serverId,
        area_id: role.areaId,
      }));
      await saveRoles(db, playerId, clientId, items);
      return items;
    } catch (error) {
      log.warn({ err: error, game: game.id }, 'the game did not list characters');
      return null;
    }
  }

  const listGames: GamesService['listGames'] = (brand, language, choice, place = null) =>
    brand.file.games.flatMap((id) => {
      const game = configuration().games.get(id as GameId);
      if (!game) return [];
      const lowest = place && deps.lowestPrice ? deps.lowestPrice(brand, seenBy(game, place), place) : null;
      return [toGameListItem(game, displayFor(brand, language), choice, lowest)];
    });

  return {
    gameServer,
    listGames,
    refreshRoles,
    gameList: (caller, input) => {
      const brand = brandOf(configuration(), caller);
      if (!isSoldIn(brand, input.domain_area)) return refuse('wrongDomain');
      const { client_id: chosen = '', platform, domain_area: region, country } = input;
      const place = region ? { region, country, betaId: caller.site.betaId } : null;
      return succeed({ list: listGames(brand, caller.language, { chosen, platform }, place) });
    },
    pageConfig: (caller, input) => {
      const game = gameOf(caller, input.client_id);
      if (!game) return refuse('noGame');
      const brand = brandOf(configuration(), caller);
      if (!isSoldIn(brand, input.domain_area)) return refuse('wrongDomain');
      const isBeta = caller.site.betaId !== undefined;
      return succeed(toPageConfig(brand, game, { region: input.domain_area ?? '', isBeta, now: deps.now() }));
    },
    logo: (caller, clientId) => {
      const game = gameOf(caller, clientId);
      return game
        ? succeed({
            icon: toGameListItem(game, displayFor(brandOf(configuration(), caller), caller.language), {
              chosen: clientId,
            }).logo,
          })
        : refuse('noGame');
    },
    servers: async (caller, input) => {
      const game = gameOf(caller, input.client_id);
      if (!game) return refuse('noGame');
      try {
        const { areas, servers } = await allServers(game, input.client_id);
        const shown = servers.filter((server) => server.isOpen && (!input.area_id || server.areaId === input.area_id));
        return succeed({
          areas: areas.map((area) => ({ display: area.name, value: area.id })),
          servers: shown.map((server) => ({ display: server.name, value: server.id, area_id: server.areaId })),
        });
      } catch (error) {
        log.warn({ err: error, game: game.id }, 'the game did not list its servers');
        return refuse('gameUnavailable');
      }
    },
    roles: async (caller, input) => {
      const game = gameOf(caller, input.client_id);
      if (!game) return refuse('noGame');
      const { playerId, suid } = caller.session;
      const list = await refreshRoles({
        game,
        clientId: input.client_id,
        playerId,
        suid,
        serverId: input.server_id,
        areaId: input.area_id,
      });
      // A session that a game opened for one character sees that one.
      const isOwn = (role: RoleItem) =>
        isWithinBound(caller.session.bound, { ...role, client_id: input.client_id, role_id: role.value });
      return list ? succeed({ list: list.filter(isOwn) }) : refuse('gameUnavailable');
    },
    checkGrant: async (gameId, recipient, productId) => {
      const server = gameServer(gameId);
      if (!server) return { kind: 'unknown', reason: 'no address is set' };
      try {
        return await server.checkGrant(recipient, productId);
      } catch (error) {
        return { kind: 'unknown', reason: (error as Error).message };
      }
    },
  };
}
