import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { createLog } from '#server/platform/log.ts';
import { type Balancer, createBalancer } from '#testing/balancer.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { type Leave, createLeave } from './leave.ts';

const silent = createLog('silent');

describe('the order of an end', () => {
  test('announces itself for as long as it was set to, then lets the process end', async () => {
    const lines: string[] = [];
    const leave = createLeave(1, createLog('info', { write: (line) => void lines.push(line) }));
    expect(leave.isLeaving()).toBe(false);
    const begun = performance.now();
    const ending = leave.begin(true);
    expect(leave.isLeaving()).toBe(true);
    expect(await ending).toBe(true);
    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(lines.join('')).toContain('"seconds":1');
  });

  test('a second signal cuts the announcement short, and only the first call ends the process', async () => {
    const leave = createLeave(300, silent);
    const first = leave.begin(true);
    expect(await leave.begin(true)).toBe(false);
    expect(await first).toBe(true);
  });

  test('nothing is announced where nobody waits for it', async () => {
    expect(await createLeave(300, silent).begin(false)).toBe(true);
    expect(await createLeave(0, silent).begin(true)).toBe(true);
  });
});

describe('two replicas behind a plain balancer', () => {
  type Replica = { app: FastifyInstance; leave: Leave; origin: string };
  const HOST = 'watt.demo.localhost';
  let shop: TestShop;
  const replicas: Replica[] = [];
  let balancer: Balancer;

  beforeAll(async () => {
    shop = await createTestShop();
    for (let made = 0; made < 2; made += 1) {
      const leave = createLeave(300, silent);
      const app = await createApp({ ...shop.services, isLeaving: leave.isLeaving });
      await app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = app.server.address() as AddressInfo;
      replicas.push({ app, leave, origin: `http://127.0.0.1:${port}` });
    }
    balancer = createBalancer(replicas.map(({ origin }) => origin));
  });
  afterAll(async () => {
    await balancer.close();
    for (const { app } of replicas) await app.close();
    await shop.close();
  });

  const callMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => balancer.get('/util/login/login_config', HOST)));

  test('a replica that ends fails no call: it says so, answers what still comes, hangs up, and closes', async () => {
    const [first] = replicas;
    if (!first) throw new Error('no replica');
    expect(await balancer.look()).toEqual([true, true]);
    const before = await callMany(12);
    expect(new Set(before.map(({ backend }) => backend))).toEqual(new Set([0, 1]));
    expect(before.map(({ connection }) => connection)).toEqual(before.map(() => 'keep-alive'));

    const ending = first.leave.begin(true);
    // The balancer has not looked yet, and goes on sending to both.
    const between = await callMany(12);
    for (const { status, connection, backend } of between) {
      expect(status).toBe(200);
      expect(connection).toBe(backend === 0 ? 'close' : 'keep-alive');
    }
    expect(await balancer.look()).toEqual([false, true]);

    const underWay = callMany(12);
    await first.leave.begin(true);
    expect(await ending).toBe(true);
    await Promise.all([first.app.close(), underWay]);
    expect((await underWay).every(({ status, backend }) => status === 200 && backend === 1)).toBe(true);
    expect(await balancer.look()).toEqual([false, true]);
    expect((await callMany(4)).map(({ backend }) => backend)).toEqual([1, 1, 1, 1]);
  });

  test('a call that is on its way when the process closes gets its answer', async () => {
    const second = replicas[1];
    if (!second) throw new Error('no replica');
    await balancer.look();
    await balancer.get('/util/login/login_config', HOST);
    // Its connection is open; the call is sent while nothing new is listened for any more.
    const closing = second.app.close();
    const call = balancer.get('/util/login/login_config', HOST).then(
      ({ status }) => `answered ${status}`,
      (error: NodeJS.ErrnoException) => `never arrived: ${error.code}`,
    );
    // Either it came in before the connection was closed, and is answered well, or it reached no shop: never 503.
    expect(await call).toMatch(/^answered 200$|^never arrived: (?:ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)$/);
    await closing;
  });
});
