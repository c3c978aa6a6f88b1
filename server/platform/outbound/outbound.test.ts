// Calls to the outside against a server that misbehaves: what is refused, what is cut off, and
// whether the peer may have seen it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordExchange } from './outbound-record.ts';
import { OutboundError, createOutbound } from './outbound.ts';

let server: Server;
let base: string;
let seen: string[] = [];
let outbound: ReturnType<typeof createOutbound>;
beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/echo') {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () =>
        response.writeHead(201, { 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] }).end(`${request.method}:${body}`),
      );
    } else if (pathname === '/error') response.writeHead(500).end('<html>');
    else if (pathname === '/redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    else if (pathname === '/huge') {
      const chunk = Buffer.alloc(256 * 1024, 'x');
      const push = () =>
        response.destroyed || (response.write(chunk) ? setImmediate(push) : response.once('drain', push));
      push();
    } else if (pathname === '/cut') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    } else if (pathname === '/hints') {
      response.writeEarlyHints({ link: '</x.css>; rel=preload' });
      response.end('final');
    } else if (pathname === '/marked') response.end('\ufeff{}');
    else if (pathname === '/slow') response.write('begin');
    // Everything else hangs.
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  outbound = createOutbound({ allowedHosts: new Set([`127.0.0.1:${port}`, '127.0.0.1:1', 'no-such-host.invalid']) });
});
afterAll(async () => {
  server.closeAllConnections();
  await outbound.close();
  server.close();
});

const failureOf = async (path: string, timeoutMs = 300) => {
  const error: unknown = await outbound(path.startsWith('http') ? path : base + path, {
    method: 'POST',
    body: 'x',
    timeoutMs,
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OutboundError);
  const { reason, wasSent } = error as OutboundError;
  return { reason, wasSent };
};

test('any status is an answer; headers are flat; redirects are not followed', async () => {
  expect(
    await outbound(`${base}/echo`, { method: 'PUT', body: 'hello', headers: { 'content-type': 'text/plain' } }),
  ).toMatchObject({
    status: 201,
    text: 'PUT:hello',
    headers: { 'x-one': '1', 'set-cookie': 'a=1, b=2' },
  });
  expect(await outbound(`${base}/error`, { method: 'GET' })).toMatchObject({ status: 500, text: '<html>' });
  expect((await outbound(`${base}/redirect`, { method: 'GET' })).status).toBe(302);
});

test('a host that is not on the list is never called, by whatever name', async () => {
  seen = [];
  const { port } = new URL(base);
  for (const url of [
    `http://localhost:${port}/`,
    'http://169.254.169.254/',
    `http://127.0.0.1/`,
    `http://127.0.0.1:${port}@evil.invalid/`,
  ])
    expect(await failureOf(url)).toEqual({ reason: 'forbidden_host', wasSent: false });
  expect(seen).toEqual([]);
});

test.each([
  ['http://127.0.0.1:1/', 'network', false],
  ['http://no-such-host.invalid/', 'network', false],
  ['/hang', 'timeout', true],
  ['/slow', 'timeout', true],
  ['/cut', 'network', true],
] as const)('%s: %s, sent: %s', async (path, reason, wasSent) => {
  expect(await failureOf(path)).toEqual({ reason, wasSent });
});

test('words before the answer are none, and the mark of UTF-8 is no part of a text', async () => {
  expect(await outbound(`${base}/hints`, { method: 'GET' })).toMatchObject({ status: 200, text: 'final' });
  expect((await outbound(`${base}/marked`, { method: 'GET' })).text).toBe('{}');
});

test('a call that waited too long for a connection is never sent', async () => {
  const { host } = new URL(base);
  const narrow = createOutbound({ allowedHosts: new Set([host]), maxConnections: 1 });
  seen = [];
  const first = narrow(`${base}/hang?first`, { method: 'POST', timeoutMs: 400 }).catch(() => 'ended');
  const second = narrow(`${base}/hang?second`, { method: 'POST', timeoutMs: 100 }).catch(
    (error: unknown) => (error as OutboundError).reason,
  );
  expect(await second).toBe('timeout');
  expect(await first).toBe('ended');
  expect((await narrow(`${base}/echo?third`, { method: 'POST', body: 'x' })).status).toBe(201);
  expect(seen).toEqual(['POST /hang?first', 'POST /echo?third']);
  await narrow.close();
});

test('an answer without end is cut off', async () => {
  expect(await failureOf('/huge', 5000)).toEqual({ reason: 'too_large', wasSent: true });
});

test('the last exchange is kept without query, headers, secrets and beyond its length', async () => {
  const { outbound: recorded, exchange } = recordExchange(outbound);
  expect(exchange()).toBeNull();
  await recorded(`${base}/echo?token=SECRET`, {
    method: 'POST',
    headers: { authorization: 'SECRET' },
    body: JSON.stringify({ password: 'SECRET', a: '\0', long: 'y'.repeat(5000) }),
  });
  const kept = exchange();
  expect(kept).toMatchObject({ method: 'POST', url: `${base}/echo`, status: 201 });
  expect(JSON.stringify(kept)).not.toContain('SECRET');
  expect(kept?.sent.length).toBeLessThanOrEqual(1500);
  expect(kept?.received.length).toBeLessThanOrEqual(1500);
  await recorded(`${base}/hang`, { method: 'GET', timeoutMs: 100 }).catch(() => undefined);
  expect(exchange()).toMatchObject({ url: `${base}/hang`, status: 'timeout', received: '' });
});
