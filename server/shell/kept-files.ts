// Built files of other releases: a page that a player has open asks for the scripts of the release that
// wrote it, also when the replica that answers runs the one before or after (decision 27).
import { HOUR_MS } from '#kernel/time.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import { keepFile, listFiles, listMissingFiles, readFileBody, renewFiles } from './storefront-store.ts';

/** Our choice: the longest that a page stays open in front of somebody; after it a reload is no surprise. */
const KEEP_HOURS = 24;
const RENEW_MS = HOUR_MS;
/** Our choice: whoever asks for names that do not exist costs one statement a second. */
const LOOK_MS = 1000;

/** The bundler and the messages write these types of files. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
};
/** Folders with hashed names. Not the map of languages, which is the server's. */
const FOLDERS = ['assets', 'messages'] as const;
const NAME = /^[A-Za-z0-9_.-]{1,120}\.(js|css|svg|json)$/;

export type KeptFiles = {
  /** Keeps the files of this release, before its first page is answered. */
  keep: () => Promise<void>;
  /** Sends a file of another release, or 404. */
  send: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  stop: () => void;
};

/** @param dist folder of the built storefront */
export function createKeptFiles(db: Db, dist: string, log: Log): KeptFiles {
  let own: string[] = [];
  let known: ReadonlySet<string> = new Set();
  let lookedAt = 0;
  let look: Promise<void> | null = null;
  const bodies = new Map<string, Promise<Buffer | null>>();

  async function keep(): Promise<void> {
    own = await listOwn(dist);
    for (const path of await listMissingFiles(db, own)) await keepFile(db, path, await readBrotli(join(dist, path)));
    await renewFiles(db, own, KEEP_HOURS);
  }
  const timer = setInterval(() => {
    renewFiles(db, own, KEEP_HOURS).catch((error: unknown) =>
      log.warn({ err: error }, 'the files of the storefront could not be renewed; trying again in an hour'),
    );
  }, RENEW_MS);
  timer.unref();

  /** Reads the names again, for all who wait until it begins: a new file may be missing in an answer under way. */
  async function lookAgain(): Promise<void> {
    await setTimeout(Math.max(0, lookedAt + LOOK_MS - Date.now()));
    lookedAt = Date.now();
    look = null;
    known = new Set(await listFiles(db));
    for (const held of bodies.keys()) if (!known.has(held)) bodies.delete(held);
  }

  /** Names and bodies are read once. */
  async function find(path: string): Promise<Buffer | null> {
    if (!known.has(path)) {
      look ??= lookAgain();
      await look;
      if (!known.has(path)) return null;
    }
    const body = bodies.get(path) ?? readFileBody(db, path);
    bodies.set(path, body);
    body.then(
      (found) => found ?? bodies.delete(path),
      () => bodies.delete(path),
    );
    return body;
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = decodePath(request.url);
    const body = path === null ? null : await find(path);
    if (path === null || body === null)
      return reply.code(404).header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send('Not Found');
    const isBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
    if (isBrotli) reply.header('Content-Encoding', 'br');
    return reply
      .header('Vary', 'Accept-Encoding')
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .type(TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream')
      .send(isBrotli ? body : await promisify(brotliDecompress)(body));
  }

  return { keep, send, stop: () => clearInterval(timer) };
}

/** "assets/main-1.js" of an address, or null for names that no build writes. */
function decodePath(url: string): string | null {
  const [folder, name, ...rest] = url.split('?', 1)[0]?.slice(1).split('/') ?? [];
  const isOurs = FOLDERS.some((one) => one === folder) && rest.length === 0 && name !== 'index.json';
  return isOurs && NAME.test(name ?? '') ? `${folder}/${name}` : null;
}

async function listOwn(dist: string): Promise<string[]> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(join(dist, folder))).map((name) => `${folder}/${name}`)),
  );
  return lists
    .flat()
    .filter((path) => decodePath(`/${path}`) !== null)
    .toSorted();
}

/** The build writes a compressed copy beside each file. */
async function readBrotli(file: string): Promise<Buffer> {
  return readFile(`${file}.br`).catch(async () => promisify(brotliCompress)(await readFile(file)));
}
