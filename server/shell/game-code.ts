// The short address of a game: which client of it a visitor is led to, and in which area.
import type { FastifyRequest } from 'fastify';
import type { Platform } from '#contracts/envelope.ts';
import type { GameFile } from '#contracts/game-file.ts';
import type { GameId } from '#kernel/ids.ts';
import { type OwnPath, toOwnPath } from '#kernel/own-path.ts';
import { platformOf } from '#kernel/user-agents.ts';
import { type HttpDeps, siteOfRequest } from '#server/platform/http/http.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { readAddress } from './address.ts';

export type GameCodeDeps = HttpDeps & { readonly configuration: () => Configuration };

/**
 * `/@ember`: the short address of a game or an edition, by its code or a client id. Goes on to the shop with
 * the game's client id, in the area that the brand gives to this client; without one the visitor's own stays.
 * @returns null for any other address
 * @source specification section 2, "game-code path"; section 4, "Payment region"
 */
export function findGameCode(deps: GameCodeDeps, request: FastifyRequest): OwnPath | 'unknown' | null {
  const address = readAddress(request);
  const code = /^\/@([^/]+)\/?$/.exec(address.pathname)?.[1]?.toLowerCase();
  const site = siteOfRequest(deps, request);
  const brand = site && deps.configuration().brands.get(site.brandKey);
  if (!code || !brand) return null;
  const games = brand.file.games.flatMap((id) => deps.configuration().games.get(id as GameId) ?? []);
  const platform = platformOf(request.headers['user-agent'] ?? '');
  const clientId = games.map(({ file }) => clientOfCode(file, code, platform)).find((found) => found !== null);
  if (!clientId) return 'unknown';
  const keys = address.searchParams;
  keys.set('client_id', clientId);
  const area = brand.file.clientRegions?.[clientId];
  if (area && !keys.has('domain_area')) keys.set('domain_area', area);
  return toOwnPath(`/?${keys}`);
}

/**
 * Null: the code is none of this game's. The game's own code stands for the client of the visitor's platform, as in the
 * list of games; whatever names a client means that one.
 * @source specification section 3: "game config (client id per platform android, ios, web ...)"
 */
function clientOfCode(
  { code: own, clients, subGames = [] }: GameFile,
  code: string,
  platform: Platform,
): string | null {
  if (own === code) return subGames[0]?.clientId ?? clients[platform] ?? clients.web;
  const sub = subGames.find((entry) => entry.code.toLowerCase() === code || entry.clientId.toLowerCase() === code);
  return sub?.clientId ?? Object.values(clients).find((clientId) => clientId.toLowerCase() === code) ?? null;
}
