// Counts of several processes: one store, and what holds while it is away.
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { guardOutbound } from '#server/platform/outbound/outbound-guard.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import { openTestDatabase } from '#testing/database.ts';
import { createAddressLimit } from './address-limits.ts';
import { countInDatabase, countInValkey } from './limit-store.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase(4);
});
afterAll(() => database.drop());

test('two processes count one address together', async () => {
  const [first, second] = [0, 1].map(() => createAddressLimit(countInDatabase(database.db), 'together', 5));
  const asked = [first, second, first, second, first, second, first].map((ask) => ask?.('192.0.2.7'));
  expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(5);
  expect(await first?.('192.0.2.8')).toBe(true);
});

test('two processes call a provider no more often than was agreed with it', async () => {
  const at: number[] = [];
  const peer: Outbound = async () => {
    at.push(Date.now());
    return { status: 200, headers: {}, text: '' } as Awaited<ReturnType<Outbound>>;
  };
  const counts = countInDatabase(database.db);
  const [first, second] = [0, 1].map(() =>
    guardOutbound(peer, { name: 'agreed', callsPerSecond: 4, counts, onChange: () => undefined }),
  );
  const url = 'https://peer.test/';
  await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? first : second)?.(url, { method: 'GET' })));
  // Windows of a second: never more than two of them in sight.
  const most = Math.max(...at.map((begin) => at.filter((one) => one >= begin && one < begin + 900).length));
  expect(at).toHaveLength(12);
  expect(most).toBeLessThanOrEqual(8);
  expect(Math.max(...at) - Math.min(...at)).toBeGreaterThan(900);
});

test('while Valkey is away each process counts by itself, says so once, and nobody waits', async () => {
  // A port that nobody listens at.
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const { store, close } = await countInValkey(`redis://user:PASSWORD-4711@127.0.0.1:${port}`, 'demo', log);
  const ask = createAddressLimit(store, 'alone', 3);
  expect([await ask('192.0.2.7'), await ask('192.0.2.7'), await ask('192.0.2.7'), await ask('192.0.2.7')]).toEqual([
    true, true, true, false,
  ]); /* a row a line */ // prettier-ignore
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 250));
  await close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('ECONNREFUSED');
  expect(lines.join('')).not.toContain('PASSWORD');
});
