// The sample payment module against its sample sandbox: what the document tells a reader to try does work.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { KnownPayment, ProviderContext } from '#server/modules/payments/provider.ts';
import { createOutbound } from '#server/platform/outbound/outbound.ts';
import { loadAdapters } from './load-modules.ts';

const samples = join(import.meta.dirname, '..', '..', 'docs', 'samples');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startSandbox(port: number) {
  const child = spawn(process.execPath, [join(samples, 'payment-sandbox.ts')], {
    env: { PORT: String(port), ACME_KEY: 'k' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('listens')) break;
  return child;
}

async function loadSample() {
  const folder = await mkdtemp(join(tmpdir(), 'refill-sandbox-'));
  try {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'modules.yaml'), 'modules: [./acme.ts]');
    await copyFile(join(samples, 'payment-module.ts'), join(folder, 'acme.ts'));
    const { adapters, faults } = await loadAdapters(folder);
    expect(faults).toEqual([]);
    return adapters.providers.find(({ name }) => name === 'acmepay')!;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the sample provider is paid, heard, refunded and checked at its sandbox', async () => {
  const port = await freePort();
  const sandbox = await startSandbox(port);
  const received: { body: Buffer; signature: string }[] = [];
  const shop = createServer(async (request, reply) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({ body: Buffer.concat(parts), signature: String(request.headers['acme-signature']) });
    reply.end('ok');
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const outbound = createOutbound({ allowedHosts: new Set([`127.0.0.1:${port}`]) });
  try {
    const acme = await loadSample();
    const settings = { KEY: 'k', API_BASE: `http://127.0.0.1:${port}` };
    const context: ProviderContext = { environment: 'demo', settings, outbound, now: Date.now, cache: new Map() };
    const shopUrl = `http://shop.localhost:${(shop.address() as AddressInfo).port}`;
    const payment = { reference: 'R-1', amount: { amountMinor: 499, currency: 'USD' } } as KnownPayment;
    const input = { ...payment, returnUrl: `${shopUrl}/back`, notifyUrl: `${shopUrl}/callback/acmepay` };
    const made = await acme.create(context, input as never);
    if (made.kind !== 'redirect') throw new Error(JSON.stringify(made));
    expect(await acme.create(context, input as never)).toEqual(made);
    expect((await acme.query(context, payment)).status).toBe('pending');

    const page = await fetch(made.url);
    expect(await page.text()).toContain('4.99 USD');
    const body = new URLSearchParams({ state: 'paid' });
    const paid = await fetch(made.url, { method: 'POST', body, redirect: 'manual' });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `${shopUrl}/back`]);
    await expect.poll(() => received.length).toBe(1);
    const [{ body: bytes, signature }] = received as [(typeof received)[number]];
    const raw = { body: bytes, headers: { 'acme-signature': signature } } as never;
    const read = await acme.readCallback(context, raw);
    expect(read).toMatchObject({ kind: 'events', events: [{ report: { status: 'paid', reference: 'R-1' } }] });

    const known = { ...payment, providerRef: made.providerRef };
    const refund = await acme.refund!(context, known, 'RF-1');
    expect(refund.status).toBe('done');
    expect(await acme.refund!(context, known, 'RF-1')).toEqual(refund);
    expect((await acme.query(context, payment)).status).toBe('refunded');
    expect((await acme.check!(context)).kind).toBe('ok');
    expect((await acme.check!({ ...context, settings: { ...settings, KEY: 'x' } })).kind).toBe('refused');
  } finally {
    sandbox.kill();
    shop.close();
    await outbound.close();
  }
});
