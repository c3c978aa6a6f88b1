import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { matchProxies } from '#server/platform/settings/proxies.ts';
import { networkOf } from '#server/platform/limits/address-limits.ts';
import { plainAddress } from './plain-address.ts';
import { listenAt } from './listen-at.ts';

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

async function openEcho(trustProxy: string[]): Promise<{ port: number; app: FastifyInstance }> {
  app = Fastify({ trustProxy });
  app.get('/', async (asked) => ({
    ip: plainAddress(asked),
    peer: asked.raw.socket.remoteAddress,
    protocol: asked.protocol,
  }));
  await listenAt(app, { host: '::', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, app };
}

test('`::` takes IPv4 as well, and a proxy of IPv4 is believed there by its plain address', async () => {
  const { port } = await openEcho(['127.0.0.1']);
  const ask = async (headers: Record<string, string>) =>
    (await (await request(`http://127.0.0.1:${port}/`, { headers })).body.json()) as Record<string, string>;
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
  const { peer, ...seen } = await ask(forwarded);
  expect(seen).toEqual({ ip: '203.0.113.9', protocol: 'https' });
  expect(peer).toBe('::ffff:127.0.0.1');
  expect(matchProxies(['127.0.0.0/8'])(peer)).toBe(true);
  expect(networkOf(peer!)).toBe('127.0.0.1');
  expect(await ask({ 'x-forwarded-for': '::ffff:203.0.113.9' })).toMatchObject({ ip: '203.0.113.9' });
  expect(await ask({})).toMatchObject({ ip: '127.0.0.1' });
});

test('a stranger of IPv4 at `::` is not believed', async () => {
  const { port } = await openEcho(['10.0.0.0/8']);
  const { body } = await request(`http://127.0.0.1:${port}/`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(await body.json()).toMatchObject({ ip: '127.0.0.1', protocol: 'http' });
});

test.each([
  ['::', 'EAFNOSUPPORT', ['::', '0.0.0.0']],
  ['::', 'EADDRINUSE', ['::']],
  ['fd00::7', 'EADDRNOTAVAIL', ['fd00::7']],
])('%s refused with %s: tries %j', async (host, code, tried) => {
  const hosts: string[] = [];
  const listen = async (at: { host: string }): Promise<void> => {
    hosts.push(at.host);
    if (at.host === host) throw Object.assign(new Error(code), { code });
  };
  const opened = listenAt({ listen }, { host, port: 80 }).then(
    () => 'opened',
    () => 'refused',
  );
  expect([await opened, hosts]).toEqual([tried.length === 2 ? 'opened' : 'refused', tried]);
});
