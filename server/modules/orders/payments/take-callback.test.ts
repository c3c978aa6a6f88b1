// Callbacks as they arrive: proven or counted, applied before they are acknowledged, and acknowledged to the byte.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readOrdersHealth } from '#server/modules/orders/health-store.ts';
import { listDeadLetters } from '#server/modules/orders/operator/operate-find-store.ts';
import type { PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { FAKE_ACKNOWLEDGEMENT, FAKE_REFUSAL } from '#testing/fake-payments.ts';
import { PRICE, callBack, eventOn, pay, placeOrder, settleDepsOf, showRoles, stateOf } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { retryWaitingCallbacks } from './take-callback.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({ environment: { REFILL_PAYPAL_DEMO_ACCOUNT: 'M-1' } });
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.logLines.length = 0;
});
afterEach(() => {
  shop.paypal.reset();
});

const inbox = async (dedupKey: string) =>
  (await shop.db.query('select state, outcome, body from callback_inbox where dedup_key = $1', [dedupKey])).rows;
const alerts = () =>
  shop.logLines.filter((line) => line.includes('"alert"')).map((line) => (JSON.parse(line) as { alert: string }).alert);

describe('events', () => {
  test('are applied before they are acknowledged, byte for byte, in one statement', async () => {
    const order = await placeOrder(shop);
    let answer: Awaited<ReturnType<typeof callBack>> | undefined;
    const statements = await shop.countStatements(async () => {
      answer = await callBack(shop, eventOn(order, 'paid'));
    });
    expect(statements).toEqual(['receive_report']);
    expect(answer).toMatchObject({ status: FAKE_ACKNOWLEDGEMENT.status, text: FAKE_ACKNOWLEDGEMENT.body });
    expect(answer?.headers['content-type']).toBe(FAKE_ACKNOWLEDGEMENT.contentType);
    expect(await stateOf(shop, order.billingNo)).toMatchObject({
      state: 'paid',
      attempts: ['succeeded'],
      delivery: 'queued',
    });
    expect(await inbox(`${order.reference}-paid`)).toMatchObject([{ state: 'applied', outcome: 'paid' }]);
  });

  test('tell of nobody once they are stored, and of the payment as before', async () => {
    const order = await placeOrder(shop);
    const event = eventOn(order, 'paid_unreadable', {
      reason: 'paid by zora@example.org, without an amount',
      raw: '{"id":"CAP-7","payer":{"name":"Zora Quill"}}',
      amount: null,
    });
    const payer = { name: 'Zora Quill', email: 'zora@example.org', ip: '203.0.113.77', payer_id: 'ZQ7' };
    const message = Object.assign(event, { payer });
    await callBack(shop, message);
    await callBack(shop, message, { signature: 'bad' });
    const stored = await shop.db.query<{ row: string }>(
      `select to_jsonb(c)::text as row from callback_inbox c where billing_no = $1
       union all select to_jsonb(a)::text from payment_attempt a where billing_no = $1
       union all select to_jsonb(o)::text from orders o where billing_no = $1
       union all select to_jsonb(r)::text from callback_refused r`,
      [order.billingNo],
    );
    const all = stored.rows.map(({ row }) => row).join('\n');
    expect(stored.rowCount).toBe(4);
    expect(all).not.toMatch(/zora|quill|203\.0\.113\.77|ZQ7/i);
    expect(all).toContain('CAP-7');
    const [kept] = (
      await shop.db.query<{ headers: Record<string, string>; body: string }>(
        'select headers, body from callback_inbox where billing_no = $1',
        [order.billingNo],
      )
    ).rows;
    expect(kept?.headers).toMatchObject({
      'x-fake-signature': 'good',
      'body-sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.parse(kept?.body ?? '')).toMatchObject({ reading: { kind: 'events' } });
    await shop.db.query('delete from callback_refused');
  });

  test('sent again, also many at once, are acknowledged alike and change nothing', async () => {
    const order = await placeOrder(shop);
    const answers = await Promise.all(Array.from({ length: 30 }, () => callBack(shop, eventOn(order, 'paid'))));
    for (const answer of answers) expect(answer.text).toBe(FAKE_ACKNOWLEDGEMENT.body);
    expect((await shop.db.query('select from ledger_entry where billing_no = $1', [order.billingNo])).rowCount).toBe(2);
    expect((await shop.db.query('select from delivery where billing_no = $1', [order.billingNo])).rowCount).toBe(1);
  });

  test.each([
    ['one minor unit less', { amount: { ...PRICE, amountMinor: 98 } }],
    ['another currency', { amount: { ...PRICE, currency: 'EUR' as const } }],
    ['no amount', { amount: null }],
    ['another merchant account', { merchantAccount: 'M-2' }],
  ])('of %s are acknowledged, looked at by a person, and deliver nothing', async (_name, over) => {
    const order = await placeOrder(shop);
    expect((await callBack(shop, eventOn(order, 'paid', over))).text).toBe(FAKE_ACKNOWLEDGEMENT.body);
    expect(await stateOf(shop, order.billingNo)).toMatchObject({
      state: 'review',
      review_reason: 'payment_mismatch',
      delivery: null,
    });
    expect(alerts()).toEqual(['mismatch']);
  });

  test('from our own merchant account are believed', async () => {
    const order = await placeOrder(shop);
    await callBack(shop, eventOn(order, 'paid', { merchantAccount: 'M-1' }));
    expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
  });

  test("that name the provider's own reference only find their order", async () => {
    const order = await placeOrder(shop);
    await callBack(shop, eventOn(order, 'paid', { reference: null, providerRef: `P-${order.reference}` }));
    expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
  });

  test('of one provider do not touch the attempt of another', async () => {
    const order = await placeOrder(shop);
    await callBack(shop, eventOn(order, 'paid'), { path: '/callback/adyen' });
    expect((await stateOf(shop, order.billingNo)).state).toBe('pending');
  });

  test('several in one callback are all applied', async () => {
    const [one, two] = [await placeOrder(shop), await placeOrder(shop)];
    const [first, second] = [eventOn(one, 'paid'), eventOn(two, 'failed')];
    if (first.kind !== 'events' || second.kind !== 'events') throw new Error('not events');
    await callBack(shop, { ...first, events: [...first.events, ...second.events] });
    expect([(await stateOf(shop, one.billingNo)).state, (await stateOf(shop, two.billingNo)).state]).toEqual([
      'paid',
      'failed',
    ]);
  });

  test('with a body that is cut in the middle of a character are still money', async () => {
    const order = await placeOrder(shop);
    const reading = eventOn(order, 'paid', { reason: 'lone \ud800 and \0' });
    shop.paypal.script.readCallback = () => reading;
    const body = `${'x'.repeat(31_999)}😀 and more`;
    expect((await shop.post('/callback/paypal', body, { headers: { 'content-type': 'text/weird' } })).status).toBe(202);
    expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
  });

  test('a paid order is paid twice: the second money is owed back and a person is told', async () => {
    const player = await shop.logIn();
    await showRoles(shop, player);
    const { content } = await pay(shop, player);
    await pay(shop, player, { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } });
    const attempt = (n: number) => ({ reference: `${content.billing_no}-${n}` });
    await callBack(shop, eventOn(attempt(2), 'paid'), { path: '/callback/adyen' });
    await callBack(shop, eventOn(attempt(1), 'paid'));
    expect(await stateOf(shop, content.billing_no)).toMatchObject({
      state: 'paid',
      attempts: ['overpayment', 'succeeded'],
    });
    expect(alerts()).toEqual(['overpayment']);
  });
});

describe('what is not proven', () => {
  test('is counted with one sample a day, answered as the provider wants it, and never stored', async () => {
    const order = await placeOrder(shop);
    for (let n = 0; n < 5; n += 1) {
      const answer = await callBack(shop, eventOn(order, 'paid'), { signature: 'bad' });
      expect(answer).toMatchObject({ status: FAKE_REFUSAL.status, text: FAKE_REFUSAL.body });
    }
    expect((await stateOf(shop, order.billingNo)).state).toBe('pending');
    expect(await inbox(`${order.reference}-paid`)).toEqual([]);
    const { rows } = await shop.db.query('select provider, reason, count from callback_refused');
    expect(rows).toEqual([{ provider: 'paypal', reason: 'the signature is wrong', count: 5 }]);
    expect(shop.logLines.join('')).toContain('"security":"callback_refused"');
  });

  test('a sample holds no secret and no NUL', async () => {
    shop.paypal.script.readCallback = () => ({ kind: 'invalid', reason: 'odd', answer: FAKE_REFUSAL });
    await shop.post('/callback/paypal', 'a\0b password=hunter2 rf1_0123456789012345678901234567890123456789012', {
      headers: { 'content-type': 'x/y' },
    });
    const [row] = (await shop.db.query<{ sample: string }>(`select sample from callback_refused where reason = 'odd'`))
      .rows;
    expect(row?.sample).toBe('ab password=***');
  });
});

describe('other readings', () => {
  test('ignored: acknowledged and nothing kept', async () => {
    const before = (await shop.db.query('select from callback_inbox')).rowCount;
    const answer = await callBack(shop, { kind: 'ignored', reason: 'of no interest', answer: FAKE_ACKNOWLEDGEMENT });
    expect(answer).toMatchObject({ status: 202, text: '[accepted]\r\n' });
    expect((await shop.db.query('select from callback_inbox')).rowCount).toBe(before);
  });

  test('a question about a player is answered with yes or no', async () => {
    const player = await shop.logIn();
    const yes = { status: 200, contentType: 'text/plain', body: 'yes' };
    const no = { status: 404, contentType: 'text/plain', body: 'no' };
    const ask = async (playerRef: string) => (await callBack(shop, { kind: 'question', playerRef, yes, no })).text;
    expect(await ask(player.playerId)).toBe('yes');
    for (const stranger of ['00000000-0000-4000-8000-000000000000', 'x', '', `${player.playerId}\0`, '-'.repeat(36)])
      expect(await ask(stranger)).toBe('no');
    await shop.db.query('update player set disabled_at = now() where player_id = $1', [player.playerId]);
    expect(await ask(player.playerId)).toBe('no');
  });

  test('cannot be checked now: 503, so that the provider sends again', async () => {
    expect(await callBack(shop, { kind: 'unavailable', reason: 'no certificate' })).toMatchObject({
      status: 503,
      text: 'try again later',
    });
  });

  test('a provider nobody has, or that is off, is no address', async () => {
    for (const over of [
      { path: '/callback/stripe' },
      { path: '/callback/xsolla' },
      // A host of the other environment.
      { path: '/callback/adyen', host: 'pay.watt.example' },
    ]) {
      expect(await callBack(shop, { kind: 'ignored', reason: '', answer: FAKE_ACKNOWLEDGEMENT }, over)).toMatchObject({
        status: 404,
        text: 'Not Found',
      });
    }
  });

  test('the raw bytes reach the provider, whatever the content type says; GET with its query too', async () => {
    const seen: { method: string; body: string; query: unknown }[] = [];
    shop.paypal.script.readCallback = (raw) => {
      seen.push({ method: raw.method, body: raw.body.toString('latin1'), query: { ...raw.query } });
      return { kind: 'ignored', reason: '', answer: FAKE_ACKNOWLEDGEMENT };
    };
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'x/y'])
      await shop.post('/callback/paypal', '{"a" : 1}\r\n&b=\u0001', { headers: { 'content-type': type } });
    await shop.get('/callback/paypal?a=1&a=2');
    expect(seen.slice(0, 4).map(({ body }) => body)).toEqual(Array<string>(4).fill('{"a" : 1}\r\n&b=\u0001'));
    expect(seen[4]).toEqual({ method: 'GET', body: '', query: { a: '2' } });
  });
});

test('approved: due at once, written with the callback; the same approval again is no news', async () => {
  const order = await placeOrder(shop);
  const text = `select approved_at is not null as is_approved, next_query_at <= now() as is_due, next_query_at
    from payment_attempt where billing_no = $1`;
  const read = async () => (await shop.db.query(text, [order.billingNo])).rows[0];
  expect(await read()).toMatchObject({ is_approved: false, is_due: false });
  const statements = await shop.countStatements(async () => {
    expect((await callBack(shop, eventOn(order, 'approved'))).status).toBe(202);
  });
  expect(statements).toEqual(['receive_report']);
  const due = await read();
  expect(due).toMatchObject({ is_approved: true, is_due: true });
  expect(await inbox(`${order.reference}-approved`)).toMatchObject([{ state: 'applied', outcome: 'approved' }]);
  await callBack(shop, eventOn(order, 'approved'));
  expect(await read()).toEqual(due);
});

describe('a callback that beats our own commit', () => {
  const retry = () => retryWaitingCallbacks(settleDepsOf(shop));
  const makeDue = () => shop.db.query(`update callback_inbox set next_try_at = now() where state = 'stored'`);

  test('is acknowledged, kept, and applied when the order is there', async () => {
    const player = await shop.logIn();
    await showRoles(shop, player);
    shop.paypal.script.create = async ({ reference }) => {
      // The order is committed here; take it away for the moment of the callback, as if it were not.
      await shop.db.query('update order_lookup set billing_no = $2 where billing_no = $1', [
        reference.slice(0, 26),
        'AWAY',
      ]);
      expect((await callBack(shop, eventOn({ reference }, 'paid'))).status).toBe(202);
      await shop.db.query('update order_lookup set billing_no = $1 where billing_no = $2', [
        reference.slice(0, 26),
        'AWAY',
      ]);
      return { kind: 'redirect', url: `https://pay.provider.test/x`, providerRef: reference };
    };
    const { content } = await pay(shop, player);
    expect((await stateOf(shop, content.billing_no)).state).toBe('pending');
    await retry();
    expect((await stateOf(shop, content.billing_no)).state).toBe('pending');
    await makeDue();
    await retry();
    expect(await stateOf(shop, content.billing_no)).toMatchObject({ state: 'paid', delivery: 'queued' });
    expect(await inbox(`${content.billing_no}-1-paid`)).toMatchObject([{ state: 'applied', outcome: 'paid' }]);
  });

  describe('whose order is not here', () => {
    const wait = (dedupKey: string) =>
      shop.db.query(
        `update callback_inbox
         set received_at = received_at - interval '2 seconds', next_try_at = now() + interval '1 hour'
         where dedup_key = $1`,
        [dedupKey],
      );
    const alarms = (dedupKey: string) =>
      shop.logLines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.alert === 'unmatched_payment' && line.provider_ref === dedupKey);
    const letters = async (dedupKey: string) =>
      (await listDeadLetters(shop.db)).filter((one) => one.payment?.provider_ref === dedupKey);
    const unmatched = async () => (await readOrdersHealth(shop.db)).unmatched_payments;
    const receive = (dedupKey: string, status: PaymentStatus, over: Partial<PaymentReport> = {}) =>
      callBack(
        shop,
        eventOn({ reference: '01ARZ3NDEKTSV4RRFFQ69G5FAW-1' }, status, { dedupKey, providerRef: dedupKey, ...over }),
      );

    test('a payment is an alarm two seconds later, told once, counted and listed while it is retried', async () => {
      const before = await unmatched();
      await receive('lost-payment', 'paid');
      await retry();
      expect([alarms('lost-payment').length, await unmatched()]).toEqual([0, before]);
      // A provider that repeats itself puts off the next retry, but not the alarm.
      await wait('lost-payment');
      await retry();
      await makeDue();
      await retry();
      expect(alarms('lost-payment')).toMatchObject([
        {
          level: 50,
          provider: 'paypal',
          status: 'paid',
          amount_minor: 99,
          currency: 'USD',
          provider_ref: 'lost-payment',
          reference: '01ARZ3NDEKTSV4RRFFQ69G5FAW-1',
        },
      ]);
      expect(await inbox('lost-payment')).toMatchObject([{ state: 'stored' }]);
      expect(await unmatched()).toBe(before + 1);
      const listed = {
        kind: 'unmatched',
        billing_no: null,
        payment: { provider: 'paypal', amount_minor: 99, currency: 'USD' },
      };
      expect(await letters('lost-payment')).toMatchObject([listed]);
      // Given up after a day, it stays what it is.
      await shop.db.query(
        `update callback_inbox set received_at = now() - interval '25 hours', next_try_at = now() where dedup_key = $1`,
        ['lost-payment'],
      );
      await retry();
      expect(await inbox('lost-payment')).toMatchObject([{ state: 'dead' }]);
      expect(await letters('lost-payment')).toMatchObject([listed]);
      expect([alarms('lost-payment').length, await unmatched()]).toEqual([1, before + 1]);
    });

    test.each(['refunded', 'chargeback'] as const)('so is money that went back: %s', async (status) => {
      await receive(`lost-${status}`, status);
      await wait(`lost-${status}`);
      await retry();
      expect(alarms(`lost-${status}`)).toMatchObject([{ status }]);
    });

    test('no money and money of another merchant are no alarm', async () => {
      await receive('lost-failure', 'failed');
      await receive('lost-stranger', 'paid', { merchantAccount: 'somebody else' });
      for (const key of ['lost-failure', 'lost-stranger']) {
        await wait(key);
        await makeDue();
        await retry();
        expect([alarms(key), await letters(key)]).toEqual([[], []]);
      }
    });

    test('one whose order is there at last leaves list and count', async () => {
      const order = await placeOrder(shop);
      const number = order.reference.slice(0, 26);
      const before = await unmatched();
      await shop.db.query(`update order_lookup set billing_no = 'AWAY' where billing_no = $1`, [number]);
      await callBack(shop, eventOn(order, 'paid', { dedupKey: 'found-again', providerRef: 'found-again' }));
      await wait('found-again');
      await retry();
      expect([alarms('found-again').length, await unmatched()]).toEqual([1, before + 1]);
      await shop.db.query(`update order_lookup set billing_no = $1 where billing_no = 'AWAY'`, [number]);
      await makeDue();
      await retry();
      expect(await stateOf(shop, number)).toMatchObject({ state: 'paid' });
      expect([await letters('found-again'), await unmatched()]).toEqual([[], before]);
    });
  });

  test('of a stranger waits for a day and is given up, and one that cannot be applied holds up no other', async () => {
    await callBack(shop, eventOn({ reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1' }, 'paid', { dedupKey: 'stranger' }));
    expect(await inbox('stranger')).toMatchObject([{ state: 'stored' }]);
    const { reference } = await placeOrder(shop);
    await shop.db.query(
      `insert into callback_inbox (provider, dedup_key, reference, report, headers, body, next_try_at)
         values ('paypal', 'poison', $1,
         '{"status":"paid","isOurMerchant":true,"amount":{"amountMinor":"no number","currency":"USD"}}', '{}',
         '', now() - interval '1 hour')`,
      [reference],
    );
    await shop.db.query(
      `update callback_inbox set next_try_at = now(), received_at = now() - interval '25 hours'
        where dedup_key = 'stranger'`,
    );
    await retry();
    expect(await inbox('stranger')).toMatchObject([{ state: 'dead' }]);
    expect(await inbox('poison')).toMatchObject([{ state: 'stored' }]);
  });
});
