// A proxy that nobody named: the log says so once, and why logins through it end in 403.
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { noteUntrustedProxies } from './untrusted-proxy.ts';

async function ask(trusted: readonly string[], calls: readonly (readonly [string, Record<string, string>])[]) {
  const lines: string[] = [];
  const app = fastify();
  onTestFinished(() => app.close());
  noteUntrustedProxies(app, createLog('info', { write: (line) => void lines.push(line) }), trusted);
  app.get('/', async () => 'ok');
  for (const [remoteAddress, headers] of calls) await app.inject({ url: '/', remoteAddress, headers });
  return lines;
}

const TLS = { 'x-forwarded-proto': 'https' };

test('is told once, with the setting and the address', async () => {
  const lines = await ask(
    [],
    [
      ['172.17.0.1', TLS],
      ['172.17.0.1', TLS],
      ['10.1.1.1', TLS],
    ],
  );
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, address: '172.17.0.1', setting: 'REFILL_TRUSTED_PROXIES' });
  expect(lines[0]).toContain('403');
});

test('is not told of a named proxy, in either form of its address, nor of visitors without the header', async () => {
  const calls = [
    ['10.0.0.7', TLS],
    ['::ffff:10.0.0.7', TLS],
    ['fd00::7', TLS],
    ['8.8.8.8', {}],
  ] as const;
  expect(await ask(['10.0.0.0/24', 'fd00::/8'], calls)).toEqual([]);
});
