// Waiting for a database at a start: with an end, told in the log, and not for what waiting cannot mend.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { reachDatabase } from './reach-database.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** One that takes connections: a template does not. */
function template(): URL {
  const url = new URL(inject('templateDatabaseUrl'));
  url.pathname = '/postgres';
  return url;
}

test('a database that comes up while it is waited for', async () => {
  const real = template();
  const port = await freePort();
  const url = new URL(real);
  [url.hostname, url.port] = ['127.0.0.1', String(port)];
  const retries: string[] = [];
  const reached = reachDatabase({ url: url.href, waitSeconds: 20, onRetry: (reason) => retries.push(reason) });
  await sleep(600);
  const proxy = createServer((socket) => {
    const upstream = connect(Number(real.port), real.hostname);
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(port, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  expect(await reached).toBeNull();
  expect(retries.length).toBeGreaterThan(0);
  expect(retries[0]).toContain('ECONNREFUSED');
});

test('the wait has an end, in one sentence without the password', async () => {
  const began = performance.now();
  const url = `postgres://shop:hunter2@127.0.0.1:${await freePort()}/refill`;
  const left: number[] = [];
  const finding = await reachDatabase({ url, waitSeconds: 1, onRetry: (_reason, seconds) => left.push(seconds) });
  expect(performance.now() - began).toBeLessThan(8000);
  expect(left.length).toBeGreaterThan(1);
  expect(finding).toMatchObject({ name: 'DATABASE_URL', remedy: 'start the database, or mend the address' });
  expect(finding?.reason).toMatch(/^leads to a database at 127.0.0.1:\d+ that cannot be opened within 1 s \(/);
  expect(JSON.stringify(finding)).not.toContain('hunter2');
});

test.each([
  [
    'no such database',
    (url: URL) => void (url.pathname = '/refill_nothing'),
    /^create that database, or mend its name/,
  ],
  ['no such role', (url: URL) => void (url.username = 'refill_nobody'), /^mend the name or password/],
])('%s is told at once', async (_what, change, remedy) => {
  const url = template();
  change(url);
  const finding = await reachDatabase({
    url: url.href,
    waitSeconds: 60,
    onRetry: (reason) => expect.fail(`waited: ${reason}`),
  });
  expect(finding).toMatchObject({ name: 'DATABASE_URL', remedy: expect.stringMatching(remedy) });
});

test('without a wait it is asked once', async () => {
  const url = `postgres://shop@127.0.0.1:${await freePort()}/refill`;
  expect(await reachDatabase({ url, waitSeconds: 0, onRetry: () => expect.fail('waited') })).not.toBeNull();
});

test('a pooler that takes the connection and lets the statement wait is no database', { timeout: 20_000 }, async () => {
  // Authentication is over, ready for a statement, and then nothing. @source PostgreSQL 55.7, "Message Formats"
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const pooler = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(ready));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void pooler.close());
  await once(pooler, 'listening');
  const { port } = pooler.address() as AddressInfo;
  const url = `postgres://shop@127.0.0.1:${port}/refill?sslmode=disable`;
  const finding = await reachDatabase({ url, waitSeconds: 0, onRetry: () => expect.fail('waited') });
  expect(finding).toMatchObject({ name: 'DATABASE_URL', remedy: 'start the database, or mend the address' });
});
