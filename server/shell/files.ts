// Files of the storefront: built ones under their hashed names for ever, pictures of brands,
// games and channels for an hour.
import { isFolderName } from '#kernel/ids.ts';
import { HOUR_SECONDS } from '#kernel/time.ts';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readDrawing } from '../modules/configuration/service.ts';

export type FileFolders = {
  /** The built storefront. */
  dist: string;
  /** Folders of the configuration. */
  brands: string;
  games: string;
  channels: string;
};

/** Answers for built files that this release does not have. */
export type SendForeign = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Names of picture files, as the configuration's own schema has them. */
const PICTURE = /^[a-z0-9][a-z0-9-]*\.(svg|png|webp|avif)$/;
/** Our choice: a replaced picture shows within the hour, and a visit asks once. */
const PICTURE_AGE_SECONDS = HOUR_SECONDS;

/** Returns true where the host of a request has this folder's pictures: its own brand's, and those of its games. */
export type HasPictures = (request: FastifyRequest, folder: 'brands' | 'games' | 'channels', key: string) => boolean;

/** `/assets/*`, `/messages/*`, `/brands/<key>/<file>`, `/games/<id>/<file>`, `/channels/<file>`. */
export async function registerFiles(
  app: FastifyInstance,
  folders: FileFolders,
  sendForeign: SendForeign,
  hasPictures: HasPictures,
): Promise<void> {
  // For reply.sendFile of the pictures.
  await app.register(fastifyStatic, { root: folders.dist, serve: false });
  for (const folder of ['assets', 'messages']) {
    await app.register(
      async (scope) => {
        await scope.register(fastifyStatic, {
          root: join(folders.dist, folder),
          decorateReply: false,
          preCompressed: true,
          immutable: true,
          maxAge: '365d',
          index: false,
          // The map of languages is the server's.
          allowedPath: (path) => !path.includes('index.json'),
          setHeaders: guardFile,
        });
        scope.setNotFoundHandler((request, reply) => {
          guardFile(reply);
          return sendForeign(request, reply);
        });
      },
      { prefix: `/${folder}` },
    );
  }
  type Picture = { Params: { key: string; file: string } };
  for (const folder of ['brands', 'games'] as const)
    app.get<Picture>(`/${folder}/:key/:file`, (request, reply) => {
      const { key, file } = request.params;
      const isHere = isFolderName(key) && hasPictures(request, folder, key);
      return sendPicture(reply, isHere ? join(folders[folder], key, 'assets') : null, file);
    });
  app.get<Picture>('/channels/:file', (request, reply) => {
    const isHere = hasPictures(request, 'channels', '');
    return sendPicture(reply, isHere ? join(folders.channels, 'assets') : null, request.params.file);
  });
}

async function sendPicture(reply: FastifyReply, folder: string | null, file: string): Promise<FastifyReply> {
  if (folder === null || !PICTURE.test(file) || !(await isPlain(reply.log, join(folder, file)))) {
    reply.callNotFound();
    return reply;
  }
  guardFile(reply);
  return reply.sendFile(file, resolve(folder), { maxAge: PICTURE_AGE_SECONDS * 1000, immutable: false });
}

/** A picture opened by itself may do nothing: an SVG file is a document. */
function guardFile(reply: { header: (name: string, value: string) => unknown }): void {
  reply.header('X-Content-Type-Options', 'nosniff');
  reply.header('Cross-Origin-Resource-Policy', 'same-origin');
  reply.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
}

const judged = new Map<string, { readonly version: string; readonly isPlain: boolean }>();

/**
 * Returns true when a file may be sent: an SVG only as a plain drawing, whatever way it came into the folder. Judged
 * once a version of the file.
 */
async function isPlain(log: FastifyReply['log'], path: string): Promise<boolean> {
  if (!path.endsWith('.svg')) return true;
  const found = await stat(path).catch(() => null);
  if (!found) return false;
  const version = `${found.mtimeMs} ${found.size}`;
  const before = judged.get(path);
  if (before?.version === version) return before.isPlain;
  const read = readDrawing(await readFile(path, 'utf8'));
  if (read.kind === 'refused')
    log.error({ picture: path, faults: read.faults }, 'a drawing is not plain; it is not sent');
  judged.set(path, { version, isPlain: read.kind === 'drawing' });
  return read.kind === 'drawing';
}
