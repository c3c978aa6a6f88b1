// Adds the storefront to the server: its files, and its documents written from what boot-data.ts gathers.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { followAssets } from './assets.ts';
import { type BootDeps, gatherBootData } from './boot-data.ts';
import { registerFiles } from './files.ts';
import { registerShell, type SendMissingPage } from './routes.ts';

export type { SendMissingPage };

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'web', 'dist');

/** Mount it last: it takes every address that nobody else has. Throws when the storefront has not been built. */
export async function mountStorefront(app: FastifyInstance, deps: BootDeps): Promise<SendMissingPage> {
  const assets = followAssets(dist);
  await assets();
  await registerFiles(app, {
    dist,
    brands: join(root, 'brands'),
    games: join(root, 'games'),
    channels: join(root, 'channels'),
  });
  return registerShell(app, {
    assets,
    bootFor: async (request) => {
      const { messagesUrls, messagesOf } = await assets();
      return gatherBootData(
        deps,
        (languages, language) => ({
          messages: messagesOf(language),
          messagesUrls: Object.fromEntries(languages.map((one) => [one, messagesUrls[one]])),
        }),
        request,
      );
    },
  });
}
