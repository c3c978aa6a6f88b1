// The documents over HTTP: status, headers, one-time keys, and the files beside them.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toOwnPath } from '#kernel/own-path.ts';
import { registerFiles } from './files.ts';
import { registerShell } from './routes.ts';
import { assets, makeBoot } from './test-boot.ts';

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

let app: FastifyInstance;
let folder: string;
const taken: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-shell-'));
  const put = async (path: string, text: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await put('dist/assets/main-1.js', 'plain');
  await put('dist/assets/main-1.js.br', 'brotli');
  await put('dist/messages/en.1.json', '{}');
  await put('dist/messages/index.json', '{}');
  await put('brands/watt/assets/icon.svg', DRAWING);
  await put('brands/watt/brand.yaml', 'secret');
  await put('channels/assets/card.svg', DRAWING);
  await put('games/ember/assets/icon.svg', DRAWING);
  app = Fastify();
  await registerFiles(
    app,
    {
      dist: join(folder, 'dist'),
      brands: join(folder, 'brands'),
      games: join(folder, 'games'),
      channels: join(folder, 'channels'),
    },
    async (_request, reply) => reply.code(404).send('nobody has it'),
    (request) => request.host !== 'nobody.example',
  );
  const sendMissingPage = registerShell(app, {
    assets: () => assets,
    bootFor: async (request) => {
      if (request.host === 'nobody.example') return null;
      if (request.host === 'classic.example') {
        const boot = makeBoot();
        return { ...boot, brand: { ...boot.brand, version: 'classic' } };
      }
      return request.url.includes('elsewhere') ? { redirect: toOwnPath('//evil.example/my') } : makeBoot();
    },
    takeKeys: async (_request, _reply, keys, cleanPath) => {
      taken.push(...Object.entries(keys).map(([key, value]) => `${key}=${value}`));
      return keys.ticket === 'asks' ? toOwnPath('/login-link') : cleanPath;
    },
  });
  app.setNotFoundHandler((request, reply) => sendMissingPage(request, reply) ?? reply.code(404).send({ code: -1004 }));
});
afterAll(() => app.close());

const html = { accept: 'text/html' };
const get = (url: string, headers: Record<string, string> = html) => app.inject({ url, headers });

test.each(['/', '/selectGoods', '/my', '/result', '/@ember', '/layoutGame/activity', '/my/'])(
  '%s is a page',
  async (path) => {
    const answer = await get(path);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.body).toContain('<div id="root">');
  },
);

test.each(['/nothing', '/@bad!code', '/my/deeper'])('%s is the page of "not found"', async (path) => {
  const answer = await get(path);
  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain('<div id="root">');
});

test('L38 /replenishGoods is a page of the new version as well', async () => {
  expect((await get('/replenishGoods?replenish_id=1')).statusCode).toBe(200);
});

test.each(['/recharge', '/replenishGoods?replenish_id=1', '/result', '/selectGame', '/my', '/@ember'])(
  'L38 L39 %s is a page of the classic version',
  async (path) => expect((await get(path, { ...html, host: 'classic.example' })).statusCode).toBe(200),
);

test.each(['/recharge', '/recharge/'])('L36 %s is no page of the new one', async (path) => {
  const answer = await get(path);
  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain('<div id="root">');
});

test('a missing call or file is not a page', async () => {
  expect((await get('/api/nothing')).json()).toEqual({ code: -1004 });
  expect((await get('/assets/nothing.js')).body).not.toContain('<html');
  expect((await get('/nothing', { accept: 'application/json' })).json()).toEqual({ code: -1004 });
});

test('the brand speaks another language on demand', async () => {
  const answer = await get('/brand-texts.json?spec_lang=ar');
  const { brand, regions } = makeBoot();
  const { title, text, chip } = brand.hero;
  expect(answer.json()).toEqual({
    title: brand.title,
    hero: { title, text, chip },
    regions,
    noticeItems: { trade: [{ item: 'seller', text: 'Seller K.K.' }] },
  });
  // Long, and read by few: not in every page.
  expect((await get('/', html)).body).not.toContain('Seller K.K.');
  expect((await get('/brand-texts.json', { host: 'nobody.example' })).statusCode).toBe(404);
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['identity', undefined],
])('%s gets %s', async (accepted, encoding) => {
  const answer = await get('/', { ...html, 'accept-encoding': accepted });
  expect(answer.headers['content-encoding']).toBe(encoding);
  expect(answer.headers.vary).toBe('Accept-Encoding');
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((body: Buffer) => body);
  expect(unpack(answer.rawPayload).toString()).toContain('<div id="root">');
});

test('a host of nobody gets a plain 404', async () => {
  const answer = await get('/', { ...html, host: 'nobody.example' });
  expect([answer.statusCode, answer.body]).toEqual([404, 'Not Found']);
});

describe('the policy', () => {
  test('lets only the nonce of this answer run', async () => {
    const [one, two] = await Promise.all([get('/'), get('/')]);
    const policy = String(one.headers['content-security-policy']);
    const nonce = /'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? '';
    expect(one.body).toContain(`nonce="${nonce}"`);
    expect(two.body).not.toContain(nonce);
    expect(policy).toContain(`script-src 'nonce-${nonce}' 'strict-dynamic'`);
    for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "trusted-types 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("connect-src 'self' https://pay2.watt.example https://collect.watt.example;");
  });

  test('tells nobody where a player came from', async () => {
    const { headers } = await get('/');
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    });
    // Plain http: a promise of https would be a lie.
    expect(headers['strict-transport-security']).toBeUndefined();
  });
});

describe('one-time keys', () => {
  test('are taken out of the address, the last one counts', async () => {
    const answer = await get('/my?client_id=1&oauth_token=first&oauth_token=last&idfv=2');
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/my?client_id=1&idfv=2']);
    expect(taken).toEqual(['oauth_token=last']);
    expect(answer.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    expect(answer.body).toBe('');
  });

  test('may lead somewhere else first', async () => {
    expect((await get('/my?ticket=asks')).headers.location).toBe('/login-link');
  });

  test('are not used up by a look ahead or a HEAD', async () => {
    taken.length = 0;
    expect((await get('/my?ticket=t', { ...html, 'sec-purpose': 'prefetch;prerender' })).statusCode).toBe(503);
    const head = await app.inject({ method: 'HEAD', url: '/my?ticket=t', headers: html });
    expect([head.statusCode, head.headers.location]).toEqual([303, '/my']);
    expect(taken).toEqual([]);
  });

  test.each(['/nothing?ticket=t', '/%6Dy?ticket=t', '/@ember?beta_key=t&ticket=u'])(
    '%s keeps none either',
    async (url) => {
      expect((await get(url)).headers.location).not.toMatch(/ticket|beta_key/);
    },
  );
});

test('a redirect never leaves the shop', async () => {
  expect((await get('/my?elsewhere=1')).headers.location).toBe('/evil.example/my');
});

describe('files', () => {
  test('are compressed and kept for ever', async () => {
    const answer = await get('/assets/main-1.js', { 'accept-encoding': 'br' });
    expect(answer.body).toBe('brotli');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(String(answer.headers['content-type'])).toContain('javascript');
  });

  test.each(['/brands/watt/icon.svg', '/games/ember/icon.svg', '/channels/card.svg'])(
    '%s is a picture',
    async (url) => {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
      expect(answer.headers['content-security-policy']).toContain('; sandbox');
    },
  );

  test('a drawing that is more than one is not sent, and is again once it is mended', async () => {
    const path = join(folder, 'brands/watt/assets/late.svg');
    expect((await get('/brands/watt/late.svg')).statusCode).toBe(404);
    await writeFile(path, DRAWING.replace('/>', '><script>alert(1)</script></svg>'));
    expect((await get('/brands/watt/late.svg')).statusCode).toBe(404);
    await writeFile(path, DRAWING);
    expect((await get('/brands/watt/late.svg')).body).toBe(DRAWING);
  });

  test.each([
    '/brands/watt/brand.yaml',
    '/brands/watt/..%2fbrand.yaml',
    '/brands/..%2f..%2f/icon.svg',
    '/brands/watt/nothing.svg',
    '/messages/index.json',
    '/assets/..%2fmessages%2fen.1.json',
  ])('%s is not served', async (url) => {
    const answer = await get(url, {});
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain('secret');
  });
});

test('pictures are sent to the hosts of their brand alone', async () => {
  for (const url of ['/brands/watt/icon.svg', '/games/ember/icon.svg', '/channels/card.svg']) {
    expect((await get(url, {})).statusCode).toBe(200);
    expect((await get(url, { host: 'nobody.example' })).statusCode).toBe(404);
  }
});
