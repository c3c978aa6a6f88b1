// Adds the storefront to the server: its files, and its documents written from what boot-data.ts gathers.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { LoginLinksService } from '#server/modules/accounts/links/login-links.ts';
import { redeemLinkKeys } from '#server/modules/accounts/links/link-routes.ts';
import { siteOfRequest } from '#server/platform/http/http.ts';
import { followAssets } from './assets.ts';
import { type BootDeps, gatherBootData } from './boot-data.ts';
import { createPictureReader } from './drawings.ts';
import { mountCspReports } from './csp-reports.ts';
import { registerFiles } from './files.ts';
import { openFrame } from './frame-view.ts';
import { findGameCode } from './game-code.ts';
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
  await registerFiles(app, folders, kept.send, (request, folder, key) => {
    const site = siteOfRequest(deps, request);
    if (!site || folder === 'channels') return site !== null;
    const games: readonly string[] = deps.configuration().brands.get(site.brandKey)?.file.games ?? [];
    return folder === 'brands' ? key === site.brandKey : games.includes(key);
  });
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
