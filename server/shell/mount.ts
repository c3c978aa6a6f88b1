// Adds the storefront to the server: its files, and its documents written from what boot-data.ts gathers.
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GameFile } from '#contracts/game-file.ts';
import type { GameId } from '#kernel/ids.ts';
import { type OwnPath, toOwnPath } from '#kernel/own-path.ts';
import type { LoginLinksService } from '#server/modules/accounts/links/login-links.ts';
import { redeemLinkKeys } from '#server/modules/accounts/links/link-routes.ts';
import { siteOfRequest } from '#server/platform/http/http.ts';
import { readAddress } from './address.ts';
import { followAssets } from './assets.ts';
import { type BootDeps, gatherBootData } from './boot-data.ts';
import { createPictureReader } from './drawings.ts';
import { mountCspReports } from './csp-reports.ts';
import { registerFiles } from './files.ts';
import { openFrame } from './frame-view.ts';
import { createKeptFiles, type KeptFiles } from './kept-files.ts';
import { createOwnMessages } from './own-messages.ts';
import { registerShell, type SendMissingPage } from './routes.ts';

export type { SendMissingPage };

const project = join(import.meta.dirname, '..', '..');
const dist = join(project, 'web', 'dist');

/**
 * Mount it last: it takes every address that nobody else has. Throws when the storefront has not been built.
 * @param root folder that holds brands/, games/ and channels/ with their pictures
 * @param kept built files of other releases; in the database unless given
 */
export async function mountStorefront(
  app: FastifyInstance,
  deps: BootDeps & { readonly loginLinks: LoginLinksService },
  root: string = project,
  kept: KeptFiles = createKeptFiles(deps.db, dist, deps.log),
): Promise<SendMissingPage> {
  app.addHook('onClose', async () => kept.stop());
  // Before any page names them: a replica of another release may be asked for them first.
  const assets = followAssets(dist, kept.keep);
  await assets();
  const brands = join(root, 'brands');
  const readPicture = createPictureReader(brands, deps.log);
  const folders = { dist, brands, games: join(root, 'games'), channels: join(root, 'channels') };
  await registerFiles(app, folders, kept.send);
  const ownMessages = createOwnMessages(deps.configuration);
  ownMessages.mount(app, assets);
  mountCspReports(app, deps);
  return registerShell(app, {
    assets,
    takeKeys: (request, reply, keys, cleanPath) =>
      redeemLinkKeys(deps, deps.loginLinks, { request, reply }, keys, cleanPath),
    openFrame: (request, keys) => openFrame(deps, request, keys),
    isUnknownGame: (request) => findGameCode(deps, request) === 'unknown',
    bootFor: async (request) => {
      const found = findGameCode(deps, request);
      if (found !== null && found !== 'unknown') return { redirect: found };
      const built = await assets();
      return gatherBootData(
        deps,
        {
          messagesOf: (languages, language) => ({
            messages: ownMessages.of(built, language).messages,
            messagesUrls: Object.fromEntries(languages.map((one) => [one, ownMessages.of(built, one).url])),
          }),
          readPicture,
        },
        request,
      );
    },
  });
}

/**
 * `/@ember`: the short address of a game or an edition, by its code or a client id. Goes on to the shop with
 * the game's client id, in the area that the brand gives to this client; without one the visitor's own stays.
 * @returns null for any other address
 * @source specification section 2, "game-code path"; section 4, "Payment region"
 */
function findGameCode(deps: BootDeps, request: FastifyRequest): OwnPath | 'unknown' | null {
  const address = readAddress(request);
  const code = /^\/@([^/]+)\/?$/.exec(address.pathname)?.[1]?.toLowerCase();
  const site = siteOfRequest(deps, request);
  const brand = site && deps.configuration().brands.get(site.brandKey);
  if (!code || !brand) return null;
  const games = brand.file.games.flatMap((id) => deps.configuration().games.get(id as GameId) ?? []);
  const clientId = games.map(({ file }) => clientOfCode(file, code)).find((found) => found !== null);
  if (!clientId) return 'unknown';
  const keys = address.searchParams;
  keys.set('client_id', clientId);
  const area = brand.file.clientRegions?.[clientId];
  if (area && !keys.has('domain_area')) keys.set('domain_area', area);
  return toOwnPath(`/?${keys}`);
}

/** Null: the code is none of this game's. */
function clientOfCode({ code: own, clients, subGames = [] }: GameFile, code: string): string | null {
  if (own === code) return subGames[0]?.clientId ?? clients.web;
  const sub = subGames.find((entry) => entry.code.toLowerCase() === code || entry.clientId.toLowerCase() === code);
  return sub?.clientId ?? Object.values(clients).find((clientId) => clientId.toLowerCase() === code) ?? null;
}
