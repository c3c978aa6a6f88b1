// The way through pages of ours: only for the order's own player, only to the provider's hosts, and what comes
// back is kept before it is used.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { attemptRef, type BillingNo } from '#kernel/ids.ts';
import { hashToken } from '#server/platform/http/session.ts';
import { FAKE_PAY_HOST, reportOn } from '#testing/fake-payments.ts';
import { withoutTransitionLaw } from '#testing/orders.ts';
import { PRICE, callBack, orderInfo, pay, showRoles, stateOf, waitUntil } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(() => {
  shop.paypal.reset();
  shop.game.reset();
});

/** An order whose provider wants a page of ours. */
async function placeWithPage() {
  shop.paypal.script.create = ({ reference }) => ({ kind: 'page', providerRef: `P-${reference}` });
  const player = await shop.logIn();
  await showRoles(shop, player);
  const { content } = await pay(shop, player);
  const billingNo = content.billing_no as BillingNo;
  return { player, billingNo, reference: attemptRef(billingNo, 1), url: content.url };
}

describe('L123 a page of ours in place of the address of a provider', () => {
  test('a form: fields as attributes, its own policy, the same facts as at creation', async () => {
    const order = await placeWithPage();
    expect(order.url).toBe(`http://watt.demo.localhost:8080/pay/paypal/${order.reference}`);
    shop.paypal.script.payPage = (input, providerRef) => ({
      kind: 'form',
      action: `https://${FAKE_PAY_HOST}/start`,
      charset: 'euc-kr',
      fields: {
        oid: input.reference,
        note: '"><script>alert(1)</script>',
        ref: providerRef ?? '',
        back: input.returnUrl,
      },
    });
    const page = await shop.get(new URL(order.url).pathname, { session: order.player });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(
      `<form id="pay" method="post" action="https://${FAKE_PAY_HOST}/start" accept-charset="euc-kr">`,
    );
    expect(page.text).toContain(`value="${order.reference}"`);
    expect(page.text).toContain(`value="P-${order.reference}"`);
    expect(page.text).not.toContain('<script>alert');
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; base-uri 'none'; frame-ancestors 'none';/,
    );
    expect(shop.paypal.calls.create[0]).toMatchObject({ reference: order.reference, amount: PRICE });
  });

  test('opens beside a frame, whose session has no cookie, by a mark of its address; for that one path alone', async () => {
    const order = await placeWithPage();
    shop.paypal.script.payPage = () => ({ kind: 'form', action: `https://${FAKE_PAY_HOST}/start`, fields: {} });
    await shop.db.query(`update session set kind = 'sdk' where token_hash = $1`, [hashToken(order.player.token)]);
    const info = (headers: Record<string, string>) =>
      shop.app.inject({
        url: `/api/pay/getOrderInfo?billing_no=${order.billingNo}`,
        headers: { host: 'watt.demo.localhost', ...headers },
      });
    const framed = await info({ authorization: `Bearer ${order.player.token}` });
    const marked = new URL(framed.json<{ content: { url: string } }>().content.url);
    const plain = await info({ cookie: `refill-demo=${order.player.token}` });
    expect(plain.json<{ content: { url: string } }>().content.url).toBe(marked.origin + marked.pathname);
    expect(marked.href).not.toContain(order.player.token);
    const open = async (path: string) => (await shop.get(path)).status;
    expect(await open(marked.pathname + marked.search)).toBe(200);
    expect(await open(marked.pathname)).toBe(303);
    const other = await placeWithPage();
    expect(await open(new URL(other.url).pathname + marked.search)).toBe(303);
    await shop.db.query('update session set revoked_at = now() where token_hash = $1', [hashToken(order.player.token)]);
    expect(await open(marked.pathname + marked.search)).toBe(303);
  });

  test('a script: data never becomes code, and only the named sources are let in', async () => {
    const order = await placeWithPage();
    shop.paypal.script.payPage = () => ({
      kind: 'script',
      src: `https://${FAKE_PAY_HOST}/sdk.js`,
      run: 'Sdk.open(data)',
      data: { secret: '</script><script>alert(1)</script>' },
      sources: ['https://cdn.provider.test'],
    });
    const page = await shop.get(new URL(order.url).pathname, { session: order.player });
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).toContain('\\u003c/script>');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain(`connect-src https://${FAKE_PAY_HOST} https://cdn.provider.test`);
    expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic';/);
  });

  test('is nobody else’s, not for strangers, not for a foreign host, and leads back once it is closed', async () => {
    const order = await placeWithPage();
    shop.paypal.script.payPage = () => ({ kind: 'form', action: `https://${FAKE_PAY_HOST}/`, fields: {} });
    const path = new URL(order.url).pathname;
    const back = { status: 303, headers: { location: `/result?billing_no=${order.billingNo}` } };
    expect(await shop.get(path, { session: await shop.logIn() })).toMatchObject(back);
    expect(await shop.get(path)).toMatchObject(back);
    expect(await shop.get(path.replace('/paypal/', '/adyen/'), { session: order.player })).toMatchObject(back);
    expect(await shop.get('/pay/paypal/nonsense', { session: order.player })).toMatchObject({
      status: 303,
      headers: { location: '/' },
    });
    shop.paypal.script.payPage = () => ({ kind: 'form', action: 'https://evil.example/', fields: {} });
    expect(await shop.get(path, { session: order.player })).toMatchObject(back);
    shop.paypal.script.payPage = () => ({ kind: 'closed', reason: 'too late' });
    expect(await shop.get(path, { session: order.player })).toMatchObject(back);
  });
});

describe('what the browser brings back', () => {
  test('an approval, by form or address, is kept, then captured after the game’s yes, once', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const order = await placeWithPage();
      shop.paypal.script.readReturn = (raw) => ({
        approval:
          method === 'POST'
            ? (new URLSearchParams(raw.body.toString()).get('pg_token') ?? null)
            : (raw.query.pg_token ?? null),
      });
      shop.paypal.script.query = (payment) => reportOn(payment, payment.approval ? 'approved' : 'pending');
      shop.paypal.script.capture = (payment) => reportOn(payment, 'paid');
      const path = `/return/paypal?ref=${order.reference}${method === 'GET' ? '&pg_token=T-1' : ''}`;
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          method === 'GET'
            ? shop.get(path)
            : shop.post(path, 'pg_token=T-1', {
                headers: {
                  'content-type': 'application/x-www-form-urlencoded',
                  'sec-fetch-site': 'cross-site',
                  'x-refill': undefined,
                },
              }),
        ),
      );
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 303, headers: { location: `/result?billing_no=${order.billingNo}` } });
      await waitUntil('paid', async () => (await stateOf(shop, order.billingNo)).state === 'paid');
      expect(shop.paypal.calls.capture).toHaveLength(1);
      expect(shop.paypal.calls.capture.at(-1)).toMatchObject({ reference: order.reference, approval: 'T-1' });
      // Once before the provider was asked for a page, once before the money is taken.
      expect(shop.game.calls.checkGrant).toBe(2);
      shop.paypal.reset();
      shop.game.reset();
    }
  });

  test('the game’s no leaves the money where it is', async () => {
    const order = await placeWithPage();
    shop.game.script.check = () => ({ kind: 'declined', reason: 'full' });
    shop.paypal.script.readReturn = () => ({ approval: 'T-2' });
    shop.paypal.script.query = (payment) => reportOn(payment, payment.approval ? 'approved' : 'pending');
    await shop.get(`/return/paypal?ref=${order.reference}`);
    await waitUntil('closed', async () => (await stateOf(shop, order.billingNo)).state === 'failed');
    expect(shop.paypal.calls.capture).toEqual([]);
  });

  test('a way back by the provider’s Cancel is told, until the player comes back otherwise', async () => {
    const order = await placeWithPage();
    const leftAt = async () => (await orderInfo(shop, order)).content.left_at;
    const back = `/return/paypal?ref=${order.reference}`;
    shop.paypal.script.readReturn = (raw) => ({ approval: null, hasLeft: raw.query.result === 'UserCancel' });
    expect(await leftAt()).toBeUndefined();
    await shop.get(`${back}&cancelled=1`);
    expect(await leftAt()).toEqual(expect.any(Number));
    await shop.get(back);
    expect(await leftAt()).toBeUndefined();
    await shop.get(`${back}&result=UserCancel`);
    expect(await leftAt()).toEqual(expect.any(Number));
    expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
  });

  test('a provider’s server gets the answer it asks for', async () => {
    const order = await placeWithPage();
    shop.paypal.script.readReturn = () => ({
      approval: null,
      answer: { status: 200, contentType: 'text/plain', body: 'OK' },
    });
    expect(await shop.get(`/return/paypal?ref=${order.reference}`)).toMatchObject({ status: 200, text: 'OK' });
  });
});

test('a statement lists what was delivered of this provider, and nothing else', async () => {
  const order = await placeWithPage();
  await shop.db.query(
    `update payment_attempt set state = 'succeeded', capture_ref = 'C-9:CARD', succeeded_at = now()
      where billing_no = $1`,
    [order.billingNo],
  );
  await withoutTransitionLaw(
    shop.db,
    `update orders set state = 'delivered', paid_at = '2026-01-02T03:04:05Z', delivered_at = now()
      where billing_no = $1`,
    [order.billingNo],
  );
  const asked = async (wanted: object) => {
    shop.paypal.script.readCallback = (raw) => ({
      kind: 'statement',
      wanted: wanted as { captureRef: string },
      answer: (lines) => ({
        status: 200,
        contentType: 'text/plain',
        body: `${raw.topic}:${lines.map((line) => `${line.reference},${line.amount.amountMinor},${line.paidAt}`).join(';')}`,
      }),
    });
    return (
      await callBack(
        shop,
        { kind: 'ignored', reason: '', answer: { status: 200, contentType: '', body: '' } },
        { path: '/callback/paypal/difference' },
      )
    ).text;
  };
  const line = `difference:${order.reference},${PRICE.amountMinor},${Date.UTC(2026, 0, 2, 3, 4, 5)}`;
  const day = Date.UTC(2026, 0, 2);
  expect(await asked({ captureRef: 'C-9' })).toBe(line);
  expect(await asked({ captureRef: 'C-9:CARD' })).toBe(line);
  expect(await asked({ from: day, to: day + 86_400_000 })).toBe(line);
  expect(await asked({ from: day - 86_400_000, to: day })).toBe('difference:');
  expect(await asked({ captureRef: 'C-8' })).toBe('difference:');
  expect(await asked({ captureRef: 'C-' })).toBe('difference:');
});
