// Callbacks while the database is away: kept on our disk before anybody is told so, masked, and applied when it is
// back through the door of those that arrive.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallbackReading, RawCallback } from '#server/modules/payments/provider.ts';
import { type CallbackDeps, takeCallback } from '#server/modules/orders/payments/take-callback.ts';
import type { Db } from '#server/platform/database/db.ts';
import { FAKE_ACKNOWLEDGEMENT, createFakeProvider } from '#testing/fake-payments.ts';
import { createMemoryFolder } from '#testing/memory-folder.ts';
import { callBack, eventOn, placeOrder, settleDepsOf, stateOf } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { createCallbackRecord } from './callback-record.ts';
import { createRecordLoop } from './replay-record.ts';

const HOUR = 3_600_000;
/** One of each kind: it sends once, it gives up within the day, it goes on for a week, nobody knows. */
const hasty = createFakeProvider('hasty', { repeatsCallbacksForSeconds: 0 });
const brief = createFakeProvider('brief', { repeatsCallbacksForSeconds: 12 * 3600 });
const patient = createFakeProvider('patient', { repeatsCallbacksForSeconds: 7 * 86_400 });
const KEYS = Object.fromEntries(['HASTY', 'BRIEF', 'PATIENT'].map((name) => [`REFILL_${name}_DEMO_KEY`, 'a-key']));

let shop: TestShop;
let memory: ReturnType<typeof createMemoryFolder>;
let now: number;
let isAway: boolean;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-callbacks-'));
  shop = await createTestShop({
    moreProviders: [hasty, brief, patient],
    environment: { ...KEYS, REFILL_CALLBACK_RECORD: folder, REFILL_CALLBACK_RECORD_MB: '1' },
  });
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  memory = createMemoryFolder();
  now = Date.now();
  isAway = false;
  shop.logLines.length = 0;
});
afterEach(() => {
  for (const provider of [shop.paypal, hasty, brief, patient]) provider.reset();
});

const gone = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

/** A process of the shop whose database is away when the test says so. */
function startProcess(over: { capBytes?: number; folder?: typeof memory.folder } = {}) {
  const { log, payments, accounts } = shop.services;
  const settle = settleDepsOf(shop);
  const clock = () => now;
  const record = createCallbackRecord({ folder: memory.folder, capBytes: 1e6, now: clock, log, ...over });
  const db = { query: (...all: [never]) => (isAway ? gone() : shop.db.query(...all)) } as unknown as Db;
  const steps = {
    receiveReport: ((input) =>
      isAway ? gone() : settle.steps.receiveReport(input)) as typeof settle.steps.receiveReport,
  };
  const callbacks: CallbackDeps = { ...settle, db, steps, payments, accounts, record, now: clock };
  const take = (provider: string, raw: RawCallback) => takeCallback(callbacks, provider, raw);
  return { record, callbacks, take, loop: createRecordLoop({ record, callbacks, repeat: () => () => undefined }) };
}

const rawOf = (reading: CallbackReading, over: Partial<RawCallback> & { more?: object } = {}): RawCallback => {
  const { more, ...rest } = over;
  return {
    method: 'POST',
    path: '/callback/paypal',
    topic: '',
    headers: { 'x-fake-signature': 'good', authorization: 'Bearer a-secret-of-somebody' },
    query: {},
    body: Buffer.from(JSON.stringify({ ...more, reading })),
    ip: '192.0.2.7',
    ...rest,
  };
};
const written = () => memory.names().map(memory.text).join('');
const inbox = async (dedupKey: string) =>
  (await shop.db.query('select state, outcome, body from callback_inbox where dedup_key = $1', [dedupKey])).rows;

test('while the database is well nothing is read or written', async () => {
  const touched: string[] = [];
  memory = createMemoryFolder({ before: async (operation) => void touched.push(operation) });
  const { take } = startProcess();
  const order = await placeOrder(shop);
  expect(await take('paypal', rawOf(eventOn(order, 'paid')))).toEqual(FAKE_ACKNOWLEDGEMENT);
  shop.paypal.script.readCallback = () => ({ kind: 'unavailable', reason: 'no certificate' });
  expect(await take('paypal', rawOf(eventOn(order, 'paid')))).toMatchObject({ status: 503 });
  expect([touched, memory.names()]).toEqual([[], []]);
});

describe('while the database is away', () => {
  test.each([
    ['hasty', FAKE_ACKNOWLEDGEMENT],
    ['brief', FAKE_ACKNOWLEDGEMENT],
    ['patient', 'connect ECONNREFUSED'],
    ['paypal', 'connect ECONNREFUSED'],
  ])('what %s sends is kept, and it hears %o', async (provider, answer) => {
    const { loop, take } = startProcess();
    isAway = true;
    const reference = `01ARZ3NDEKTSV4RRFFQ69G5FAV-1`;
    const raw = rawOf(eventOn({ reference }, 'refunded', { dedupKey: `${provider}-back` }));
    const answered = await take(provider, raw).catch((error: Error) => error.message);
    expect(answered).toEqual(answer);
    isAway = false;
    expect(await loop.runOnce()).toEqual({ replayed: 1, waiting: 0, isDatabaseAway: false });
    expect(await inbox(`${provider}-back`)).toMatchObject([{ outcome: 'unknown_order' }]);
    expect(memory.names()).toEqual([]);
  });

  test('no acknowledgement comes before the disk has it', async () => {
    let release = (): void => undefined;
    const disk = new Promise<void>((resolve) => (release = resolve));
    memory = createMemoryFolder({ before: (operation) => (operation === 'sync' ? disk : Promise.resolve()) });
    const { take } = startProcess();
    isAway = true;
    let answer: unknown = null;
    const reading = eventOn({ reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1' }, 'paid', { dedupKey: 'slow-disk' });
    const taking = take('hasty', rawOf(reading)).then((given) => (answer = given));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([written().includes('slow-disk'), answer]).toEqual([true, null]);
    release();
    await taking;
    expect(answer).toEqual(FAKE_ACKNOWLEDGEMENT);
  });

  test('one that the disk does not take, or that has no room, is refused as without a record', async () => {
    const reading = eventOn({ reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1' }, 'paid', { dedupKey: 'no-room' });
    isAway = true;
    await expect(startProcess({ capBytes: 100 }).take('hasty', rawOf(reading))).rejects.toThrow('ECONNREFUSED');
    expect(shop.logLines.join('')).toContain('"alert":"callback_record_full"');
    memory = createMemoryFolder({ before: async (operation) => void (operation === 'sync' && (await gone())) });
    await expect(startProcess().take('hasty', rawOf(reading))).rejects.toThrow('ECONNREFUSED');
    expect(shop.logLines.join('')).toContain('"alert":"callback_record"');
  });

  test('no secret lies on the disk, and the same reaches the table', async () => {
    const { loop, take } = startProcess();
    const order = await placeOrder(shop);
    isAway = true;
    const more = { password: 'hunter2', token: 'rf1_0123456789012345678901234567890123456789012' };
    await expect(take('paypal', rawOf(eventOn(order, 'paid'), { more }))).rejects.toThrow('ECONNREFUSED');
    expect(written()).toContain('password');
    for (const secret of ['hunter2', '0123456789012345678901234567890123456789012', 'a-secret-of-somebody'])
      expect(written()).not.toContain(secret);
    isAway = false;
    await loop.runOnce();
    expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
    const [row] = (await inbox(`${order.reference}-paid`)) as { body: string }[];
    expect(row?.body).toContain('password');
    expect(row?.body).not.toContain('hunter2');
  });

  test('what is sent again lies there once', async () => {
    const { record, take } = startProcess();
    const order = await placeOrder(shop);
    isAway = true;
    for (let turn = 0; turn < 5; turn += 1)
      await expect(take('paypal', rawOf(eventOn(order, 'paid')))).rejects.toThrow('ECONNREFUSED');
    expect(record.figures().entries).toBe(1);
  });

  test('what is not proven is not kept, and a question is not answered', async () => {
    const { take } = startProcess();
    isAway = true;
    const order = { reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1' };
    const forged = rawOf(eventOn(order, 'paid'), { headers: { 'x-fake-signature': 'bad' } });
    await take('hasty', forged).catch(() => undefined);
    const question = { kind: 'statement', wanted: { from: 0, to: 1 }, answer: () => FAKE_ACKNOWLEDGEMENT } as const;
    shop.paypal.script.readCallback = () => question;
    await expect(take('paypal', rawOf(eventOn(order, 'paid')))).rejects.toThrow('ECONNREFUSED');
    expect(memory.names()).toEqual([]);
  });
});

describe('what could not be proven meanwhile', () => {
  const unavailable: CallbackReading = { kind: 'unavailable', reason: 'no certificate' };

  test('is kept whole, never acknowledged, and looked at as of its arrival', async () => {
    const { loop, take } = startProcess();
    const order = await placeOrder(shop);
    const raw = rawOf(eventOn(order, 'paid'), { query: { a: 'ö' }, topic: 'x', more: { password: 'signed' } });
    isAway = true;
    hasty.script.readCallback = () => unavailable;
    expect(await take('hasty', raw)).toMatchObject({ status: 503 });
    shop.paypal.script.readCallback = () => unavailable;
    expect(await take('paypal', raw)).toMatchObject({ status: 503 });
    const arrivedAt = now;
    isAway = false;
    now += 2 * HOUR;
    // Still nobody can say.
    expect(await loop.runOnce()).toMatchObject({ replayed: 0, waiting: 2 });
    const seen: RawCallback[] = [];
    const times: number[] = [];
    hasty.reset();
    const { readCallback } = shop.paypal;
    const reading = eventOn(order, 'paid');
    Object.assign(shop.paypal, {
      readCallback: async (context: { now: () => number }, again: RawCallback) => {
        times.push(context.now());
        seen.push(again);
        return reading;
      },
    });
    try {
      expect(await loop.runOnce()).toMatchObject({ replayed: 2, waiting: 0 });
    } finally {
      Object.assign(shop.paypal, { readCallback });
    }
    const { authorization: _, ...signed } = raw.headers;
    expect(seen).toEqual([{ ...raw, headers: signed }]);
    expect(times).toEqual([arrivedAt]);
    expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
    expect(memory.names()).toEqual([]);
  });

  test('takes no room of what is proven, is refused when it proves forged, and is dropped after a week', async () => {
    const { loop, record, take } = startProcess({ capBytes: 8000 });
    isAway = true;
    hasty.script.readCallback = () => unavailable;
    const order = { reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1' };
    for (let n = 0; n < 20; n += 1) {
      const forged = rawOf(eventOn(order, 'paid', { dedupKey: `forged-${n}` }), { headers: {} });
      expect(await take('hasty', forged)).toMatchObject({ status: 503 });
    }
    expect(record.unproven.figures().bytes).toBeGreaterThan(500);
    expect(record.unproven.figures().bytes).toBeLessThanOrEqual(2000);
    const proven = eventOn(order, 'refunded', { dedupKey: 'beside-forged' });
    await expect(take('patient', rawOf(proven))).rejects.toThrow('ECONNREFUSED');
    isAway = false;
    // Those of "hasty" are forged once they can be looked at.
    const before = await readRefused();
    hasty.reset();
    await loop.runOnce();
    expect(memory.names()).toEqual([]);
    expect(await inbox('beside-forged')).toHaveLength(1);
    expect((await readRefused()) > before).toBe(true);
    isAway = true;
    shop.paypal.script.readCallback = () => unavailable;
    await take('paypal', rawOf(proven));
    isAway = false;
    now += 6 * 24 * HOUR;
    expect(await loop.runOnce()).toMatchObject({ waiting: 1 });
    now += 2 * 24 * HOUR;
    expect(await loop.runOnce()).toMatchObject({ waiting: 0 });
    expect(shop.logLines.join('')).toContain('never proven: dropped');
  });

  const readRefused = async () =>
    (await shop.db.query<{ n: number }>(`select coalesce(sum(count), 0) as n from callback_refused`)).rows[0]?.n ?? 0;
});

describe('when the database is back', () => {
  test('everything is applied in its order and once, however often it is replayed', async () => {
    const { loop, take } = startProcess();
    const order = await placeOrder(shop);
    isAway = true;
    const paid = rawOf(eventOn(order, 'paid'));
    const back = rawOf(eventOn(order, 'refunded', { reason: 'asked' }));
    await expect(take('paypal', paid)).rejects.toThrow('ECONNREFUSED');
    await expect(take('paypal', back)).rejects.toThrow('ECONNREFUSED');
    const files = memory.names().map((name) => [name, memory.text(name)] as const);
    expect(await loop.runOnce()).toMatchObject({ replayed: 0, waiting: 2, isDatabaseAway: true });
    isAway = false;
    expect(await loop.runOnce()).toMatchObject({ replayed: 2, waiting: 0 });
    const after = await stateOf(shop, order.billingNo);
    expect(after.state).toBe('refunded');
    const books = () => shop.db.query('select from ledger_entry where billing_no = $1', [order.billingNo]);
    const entries = (await books()).rowCount;
    // The process died before its file was gone: another one finds it, and the provider sends again as well.
    for (const [name, text] of files) memory.put(name, text);
    memory.age(2 * HOUR);
    expect(await startProcess().loop.runOnce()).toMatchObject({ replayed: 2, waiting: 0 });
    await take('paypal', paid);
    expect([await stateOf(shop, order.billingNo), (await books()).rowCount]).toEqual([after, entries]);
  });

  test('a database that goes again stops it where it is; the next round goes on', async () => {
    const { callbacks, loop, take } = startProcess();
    const orders = [await placeOrder(shop), await placeOrder(shop), await placeOrder(shop)];
    isAway = true;
    for (const order of orders) await take('paypal', rawOf(eventOn(order, 'paid'))).catch(() => undefined);
    isAway = false;
    const { receiveReport } = callbacks.steps;
    let booked = 0;
    Object.assign(callbacks.steps, {
      receiveReport: async (input: Parameters<typeof receiveReport>[0]) => {
        const answer = await receiveReport(input);
        booked += 1;
        isAway = booked === 1;
        return answer;
      },
    });
    expect(await loop.runOnce()).toEqual({ replayed: 1, waiting: 2, isDatabaseAway: true });
    isAway = false;
    expect(await loop.runOnce()).toEqual({ replayed: 2, waiting: 0, isDatabaseAway: false });
    expect(booked).toBe(3);
  });

  test('one that cannot be applied stays and is told; those behind it are applied', async () => {
    const { callbacks, loop, take } = startProcess();
    const [bad, good] = [await placeOrder(shop), await placeOrder(shop)];
    isAway = true;
    for (const order of [bad, good]) await take('paypal', rawOf(eventOn(order, 'paid'))).catch(() => undefined);
    isAway = false;
    const { receiveReport } = callbacks.steps;
    Object.assign(callbacks.steps, {
      receiveReport: (input: Parameters<typeof receiveReport>[0]) =>
        input.billingNo === bad.billingNo ? Promise.reject(new Error('a fault of ours')) : receiveReport(input),
    });
    expect(await loop.runOnce()).toEqual({ replayed: 1, waiting: 1, isDatabaseAway: false });
    expect((await stateOf(shop, good.billingNo)).state).toBe('paid');
    expect(shop.logLines.join('')).toContain('cannot be applied');
    Object.assign(callbacks.steps, { receiveReport });
    expect(await loop.runOnce()).toMatchObject({ replayed: 1, waiting: 0 });
    expect((await stateOf(shop, bad.billingNo)).state).toBe('paid');
  });

  test('what a process leaves when it stops is taken up by the next one', async () => {
    const { loop, take } = startProcess();
    const order = await placeOrder(shop);
    isAway = true;
    await take('paypal', rawOf(eventOn(order, 'paid'))).catch(() => undefined);
    await loop.stop();
    isAway = false;
    expect(await startProcess().loop.runOnce()).toMatchObject({ replayed: 1 });
    expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
  });
});

test('over HTTP, on a real disk: the answer is that of today, the order is paid when the database is back', async () => {
  const order = await placeOrder(shop);
  const { query } = shop.db;
  Object.assign(shop.db, { query: gone });
  try {
    expect((await callBack(shop, eventOn(order, 'paid'))).status).toBe(503);
    const acknowledged = await callBack(shop, eventOn(order, 'pending'), { path: '/callback/brief' });
    expect(acknowledged).toMatchObject({ status: FAKE_ACKNOWLEDGEMENT.status, text: FAKE_ACKNOWLEDGEMENT.body });
  } finally {
    Object.assign(shop.db, { query });
  }
  const { record } = shop.services.orders;
  expect(record?.figures().entries).toBe(2);
  expect(await record?.runOnce()).toMatchObject({ replayed: 2, waiting: 0 });
  expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^demo-/)]);
  await record?.stop();
});
