// Two releases on one database: each serves the other's files, for a day after the last process that used them.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { createLog } from '#server/platform/log.ts';
import { registerFiles } from './files.ts';
import { createKeptFiles } from './kept-files.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  database = await openTestDatabase(4);
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await database.drop();
});

/** A replica of a release with these files. */
async function release(files: Record<string, string>): Promise<FastifyInstance> {
  const root = await mkdtemp(join(tmpdir(), 'refill-release-'));
  const dist = join(root, 'dist');
  await mkdir(join(dist, 'assets'), { recursive: true });
  await mkdir(join(dist, 'messages'));
  await writeFile(join(dist, 'messages', 'index.json'), '{"en":"secret map"}');
  for (const [path, text] of Object.entries(files)) {
    await writeFile(join(dist, path), text);
    await writeFile(join(dist, `${path}.br`), brotliCompressSync(text));
  }
  const kept = createKeptFiles(database.db, dist, createLog('silent'));
  await kept.keep();
  const app = Fastify();
  app.addHook('onClose', async () => kept.stop());
  await registerFiles(app, { dist, brands: root, games: root, channels: root }, kept.send, () => true);
  apps.push(app);
  return app;
}

test('replicas of two releases serve the files of both, whoever came first', async () => {
  const older = await release({ 'assets/Login-a.js': 'old login', 'messages/en.a.json': '{"a":1}' });
  const newer = await release({ 'assets/Login-b.js': 'new login', 'assets/Login-b.css': '.b{}' });
  for (const [app, path, text, type] of [
    [newer, '/assets/Login-a.js', 'old login', 'text/javascript; charset=utf-8'],
    [newer, '/messages/en.a.json', '{"a":1}', 'application/json; charset=utf-8'],
    [older, '/assets/Login-b.js', 'new login', 'text/javascript; charset=utf-8'],
    [older, '/assets/Login-b.css?x=1', '.b{}', 'text/css; charset=utf-8'],
  ] as const) {
    const answer = await app.inject({ url: path });
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([200, text, type]);
    expect(answer.headers['cache-control']).toContain('immutable');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const small = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip, br' } });
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(text);
  }
});

test('a file that a new release brings while the names are being read is found all the same', async () => {
  await release({ 'assets/Known-a.js': 'known' });
  let second: Promise<number> | undefined;
  const db = {
    query: async (...statement: Parameters<typeof database.db.query>) => {
      const answer = await database.db.query(...statement);
      // The answer of the first reading is on its way when the new release begins, and its page asks for its script.
      if (second === undefined && (statement[0] as unknown as { name: string }).name === 'storefront-files') {
        await release({ 'assets/Coming-1.js': 'new' });
        second = statusOf('/assets/Coming-1.js');
      }
      return answer;
    },
  } as typeof database.db;
  const kept = createKeptFiles(db, 'none', createLog('silent'));
  const statusOf = async (url: string): Promise<number> => {
    let status = 200;
    const reply = new Proxy({} as FastifyReply, {
      get: (_, name) => (value: unknown) => {
        if (name === 'code') status = value as number;
        return name === 'send' ? undefined : reply;
      },
    });
    await kept.send({ url, headers: { 'accept-encoding': 'br' } } as unknown as FastifyRequest, reply);
    return status;
  };
  expect(await statusOf('/assets/Coming-1.js')).toBe(404);
  expect(await second).toBe(200);
  kept.stop();
});

test.each(['/assets/none-x.js', '/assets/..%2Fsecret.js', '/messages/index.json', '/assets/deep/one.js'])(
  '%s is nobody’s file, and the answer is not kept',
  async (path) => {
    const app = await release({});
    const answer = await app.inject({ url: path });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).not.toContain('secret');
  },
);

test('files go a day after the last process that used them, and stay while one does', async () => {
  await release({ 'assets/gone-1.js': 'gone', 'assets/both-1.js': 'both' });
  await database.db.query(`update storefront_file set seen_at = now() - interval '25 hours'`);
  const app = await release({ 'assets/both-1.js': 'both' });
  expect((await app.inject({ url: '/assets/gone-1.js' })).statusCode).toBe(404);
  const { rows } = await database.db.query('select path from storefront_file order by path');
  expect(rows).toEqual([{ path: 'assets/both-1.js' }]);
});
