// A preview as a browser meets it: goods and prices of the files, no database, no change, and nobody who may not look.
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { readPreview } from '#server/modules/configuration/service.ts';
import { createLog } from '#server/platform/log.ts';
import { OWN_ADAPTERS } from '#server/own-modules/load-modules.ts';
import { addBar } from './preview-bar.ts';
import { createPreview } from './preview-app.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'testing', 'fixtures', 'configuration');
const running: FastifyInstance[] = [];
let here: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  here = await open(null);
});
afterAll(async () => {
  for (const app of running) await app.close();
});

async function open(key: string | null, at: number | null = null) {
  const read = await readPreview(root, {}, at ?? Date.now());
  if (!read.ok) throw new Error(read.faults.map(({ sentence }) => sentence).join('\n'));
  const app = await createPreview({
    ...read,
    root,
    adapters: OWN_ADAPTERS,
    access: { brands: ['alpha', 'beta'], key },
    at,
    log: createLog('trace', { write: () => undefined }),
    // The pages are built for a browser; what is asked here is who may have them.
    mountPages: async (instance) => {
      instance.get('/', async ({ headers }, reply) =>
        reply.type('text/html; charset=utf-8').send(`<head></head><body>${headers.host} ${headers.cookie}</body>`),
      );
      return () => null;
    },
  });
  running.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
}

const GOODS = '/api/pay/getGoodsList?client_id=80013&domain_area=useuro&country=US';

test('pages of a brand under the bar, its goods, and another brand by a press', async () => {
  const ask = here;
  const page = await ask('/', { headers: { accept: 'text/html', cookie: 'refill_session=rf1_x; refill_lang=de' } });
  const text = await page.text();
  expect(page.headers.get('x-robots-tag')).toContain('noindex');
  expect(text).toMatch(/Preview of alpha.*Paying and logging in are off.*href="\/preview\/brand\/beta"/);
  expect(text).toMatch(/alpha\.demo\.localhost:\d+ refill_lang=de<\/body>/);
  const goods = (await (await ask(GOODS)).json()) as { content: { list: { value: string; price: string }[] } };
  expect(goods.content.list.map(({ value, price }) => [value, price])).toEqual([
    ['quest_60', '0.99'],
    ['quest_week', '2.99'],
  ]);

  const chosen = await ask('/preview/brand/beta');
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/']);
  const cookie = chosen.headers.get('set-cookie')!.split(';')[0]!;
  expect(await (await ask('/', { headers: { accept: 'text/html', cookie } })).text()).toContain('Preview of beta');
  expect((await ask('/preview/brand/none')).status).toBe(404);
});

test('nothing is bought, logged in or told to anybody', async () => {
  const ask = here;
  const say = async (path: string, method = 'POST') =>
    (await (
      await ask(path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      })
    ).json()) as { code: number; msg: string };
  for (const path of ['/api/pay/paypal_pay', '/api/user/login', '/callback/paypal', '/util/report', '/'])
    expect(await say(path)).toMatchObject({ code: -1067, msg: expect.stringContaining('Vorschau') });
  expect(await say('/api/pay/getOrderInfo?billing_no=1', 'GET')).toMatchObject({ code: -1067 });
  expect((await ask('/pictures/aaaaaaaaaaaaaaaa.avif')).status).toBe(404);
});

test('on this machine alone, and elsewhere by the link alone', async () => {
  expect((await here(GOODS)).status).toBe(200);
  const secret = 's3cret-of-enough-letters';
  const there = await open(secret);
  expect((await there(GOODS)).status).toBe(404);
  expect((await there('/preview/open/s3cret-of-enough-lettert')).status).toBe(404);
  const opened = await there(`/preview/open/${secret}`);
  expect(opened.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  expect((await there(GOODS, { headers: { cookie } })).status).toBe(200);
});

test('the bar tells the moment of its prices', () => {
  const bar = { brand: 'alpha', brands: ['alpha'], at: Date.UTC(2026, 11, 24) };
  expect(addBar('<head></head><body class="x">', bar)).toMatch(/noindex.*<body class="x"><aside.*2026-12-24T00:00:00Z/);
});
