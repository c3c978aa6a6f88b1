// The simulators as a process: how they end, and what survives kill -9.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, startRecordingShop } from './kit/test-harness.ts';

const mainFile = fileURLToPath(new URL('./main.ts', import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function spawnSimulators(dataDir: string, shopUrl: string) {
  const child = spawn(process.execPath, [mainFile], {
    env: { SIMULATORS_PORT: '0', SIMULATORS_DATA: dataDir, SHOP_URL: shopUrl },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout! })) {
    const ready = JSON.parse(line) as { ready: boolean; url: string; environment: Record<string, string> };
    return { child, ...ready };
  }
  throw new Error('the simulators ended without a word');
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));

it('ends on SIGTERM and when its parent lets go', async () => {
  const dataDir = newDataFolder();
  const first = await spawnSimulators(dataDir, 'http://127.0.0.1:9');
  first.child.kill('SIGTERM');
  expect(await ended(first.child)).toBe(0);
  const second = await spawnSimulators(dataDir, 'http://127.0.0.1:9');
  second.child.disconnect();
  expect(await ended(second.child)).toBe(0);
});

it('loses nothing by kill -9: credentials, payments, and the callback that is still owed', async () => {
  const dataDir = newDataFolder();
  const shop = await startRecordingShop();
  shop.answer = () => 500;
  const first = await spawnSimulators(dataDir, shop.url);
  const adyen = (name: string) => first.environment[`REFILL_ADYEN_DEMO_${name}`]!;
  const made = await callJson(`${adyen('API_BASE')}/paymentLinks`, {
    headers: { 'x-api-key': adyen('API_KEY') },
    body: { merchantAccount: adyen('MERCHANT_ACCOUNT'), amount: { value: 499, currency: 'USD' }, reference: 'BILL-1' },
  });
  await callJson(`${first.url}/control/adyen/pay`, { body: { reference: 'BILL-1' } });
  first.child.kill('SIGKILL');
  await ended(first.child);
  expect(shop.received).toHaveLength(1);

  shop.answer = () => 200;
  const second = await spawnSimulators(dataDir, shop.url);
  expect(second.environment['REFILL_ADYEN_DEMO_API_KEY']).toBe(adyen('API_KEY'));
  const found = await callJson(`${second.environment['REFILL_ADYEN_DEMO_API_BASE']}/paymentLinks/${made.body.id}`, {
    headers: { 'x-api-key': adyen('API_KEY') },
  });
  expect(found.body.status).toBe('completed');
  await eventually(() => shop.received.length === 2);
  expect(shop.received[1]!.body).toBe(shop.received[0]!.body);
  await shop.close();
});
