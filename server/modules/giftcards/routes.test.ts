// Tests the value of a card and its secrecy: one answer for everything that is wrong, lockouts, an audit, and no
// password anywhere.
import { withCheckCharacter } from './check-character.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CardWorth } from '#contracts/giftcards.ts';
import { WITH_TENDERS, cardInfo, issueTestCards } from '#testing/cards.ts';
import { makePlayer } from '#testing/orders.ts';
import { pay } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
});
afterAll(() => shop.close());
beforeEach(async () => {
  player = await shop.logIn();
  await shop.db.query('delete from card_failed_attempt');
  await shop.db.query(`delete from rate_limit where key like 'card_network%'`);
});

const check = (info: string, over: { who?: TestPlayer; ip?: string; body?: object } = {}) =>
  shop.post<CardWorth>(
    '/api/pay/card_info',
    { client_id: '70021', card_info: info, ...over.body },
    {
      session: over.who ?? player,
      ...(over.ip ? { remoteAddress: over.ip } : {}),
    },
  );
const lastTry = async () => (await shop.db.query('select * from card_try order by id desc limit 1')).rows[0];

test('a card tells face value, gems and extra gems to whoever has its password', async () => {
  const goods = { game_id: 'starlane', product_id: 'star_540', gems_number: 540, extra_gems: 54 };
  const [card] = await issueTestCards(shop.db, 1, goods);
  const typed = cardInfo(`${card!.cardId.slice(0, 4)}-${card!.cardId.slice(4)}`.toLowerCase(), card!.password);
  expect(await check(typed)).toMatchObject({
    code: 1,
    content: {
      price: '$9.99',
      price_minor: 999,
      currency: 'USD',
      gems_number: 540,
      bonus_gems_number: 50,
      extra_gems_number: 54,
      gifts_shown: '+50 Bonus lumens, +54 extra from the gift card',
      product_name: '540 Lumens',
      can_confirm: true,
      valid_end_time: expect.any(Number),
    },
  });
  expect(await lastTry()).toMatchObject({
    purpose: 'check',
    outcome: 'ok',
    card_id: card!.cardId,
    player_id: player.playerId,
  });
});

describe('one answer for everything that is wrong', () => {
  test.each([
    ['unknown', {}, {}, (info: { cardId: string; password: string }) => cardInfo('ABCDEFGHJKMN', info.password)],
    ['wrong', {}, {}, (info: { cardId: string; password: string }) => cardInfo(info.cardId, withCheckCharacter('ABCDEFGHJKMNPQRSTUVWXYZ'))],
    ['other_brand', { brand_key: 'product' }, {}, null],
    ['created', {}, { isActive: false }, null],
    ['expired', { valid_to: new Date(Date.now() + 60_000) }, {}, null],
    ['other_game', { game_id: 'emberfall' }, {}, null],
    ['other_channel', { channel: 'card43' }, {}, null],
  ] as const)('%s', async (reason, over, options, type) => {
    const [card] = await issueTestCards(shop.db, 1, over, options);
    if (reason === 'expired') await shop.db.query(`update gift_card_batch set valid_from = now() - interval '2 days', valid_to = now() - interval '1 day' where batch_id = (select batch_id from gift_card where card_id = $1)`, [card!.cardId]);
    const before = shop.logLines.length;
    const answer = await check(type ? type(card!) : cardInfo(card!.cardId, card!.password));
    expect(answer).toMatchObject({ status: 200, code: -1031, content: null });
    expect(answer.msg).toBe((await check(cardInfo('NOSUCHCARD22', 'X'))).msg);
    const outcomes = (await shop.db.query('select outcome from card_try where player_id = $1 order by id', [player.playerId])).rows;
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([reason, 'unknown']);
    expect(shop.logLines.slice(before).join('')).toContain(reason);
  }); /* a row a line */ // prettier-ignore

  test('also for a text that is none, without a look at the database', async () => {
    const statements = await shop.countStatements(async () => expect((await check('AAAA')).code).toBe(-1031));
    expect(statements).toEqual(['session_find']);
    expect((await check(cardInfo('A', 'B'), { body: { client_id: '99999' } })).code).toBe(-3001);
  });

  test('and the same work: one statement that writes one try and its counts, beside the count of the network', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    await shop.db.query(`update gift_card set state = 'void' where card_id = $1`, [card!.cardId]);
    const seen = [];
    for (const info of [
      cardInfo('NOSUCHCARD22', 'X'),
      cardInfo(card!.cardId, 'X'),
      cardInfo(card!.cardId, card!.password),
    ]) {
      const who = await shop.logIn();
      const statements = await shop.countStatements(() => check(info, { who }));
      const { rows } = await shop.db.query(
        `select attempts from card_failed_attempt where right(subject, 36) = $1::text order by subject`,
        [who.playerId],
      );
      seen.push({ statements: statements.filter((name) => /^(session|card)_/.test(name)), rows });
    }
    expect(seen).toEqual(
      Array.from({ length: 3 }, () => ({
        statements: ['session_find', 'card_check'],
        rows: [{ attempts: 1 }, { attempts: 1 }],
      })),
    );
  });
});

describe('after five failed attempts', () => {
  const wrong = (n: number) => cardInfo(`NOSUCHCARD${n}`, 'ABCDEFGH');

  test('an account is locked out, also for a good card; others are not', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    for (let n = 0; n < 5; n += 1) await check(wrong(n), { ip: `198.51.100.${n}` });
    expect((await check(cardInfo(card!.cardId, card!.password), { ip: '203.0.113.1' })).code).toBe(-1031);
    expect(await lastTry()).toMatchObject({ outcome: 'account_locked_out' });
    expect(
      (await check(cardInfo(card!.cardId, card!.password), { who: await shop.logIn(), ip: '203.0.113.2' })).code,
    ).toBe(1);
  });

  test('a network is not shut out by typing errors of its players', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    for (let n = 0; n < 25; n += 1) await check(wrong(n), { who: await shop.logIn(), ip: '192.0.2.7' });
    const good = cardInfo(card!.cardId, card!.password);
    expect((await check(good, { who: await shop.logIn(), ip: '192.0.2.7' })).code).toBe(1);
  });

  test('an account has twenty failed attempts a day', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    const good = cardInfo(card!.cardId, card!.password);
    const quarterLater = () => shop.db.query(`update card_failed_attempt set since = since - interval '16 minutes'`);
    for (let n = 0; n < 20; n += 1) {
      await check(wrong(n), { ip: `198.51.100.${n}` });
      if (n % 5 === 4) await quarterLater();
    }
    expect((await check(good, { ip: '203.0.113.1' })).code).toBe(-1031);
    await shop.db.query(`update card_failed_attempt set since = since - interval '22 hours'`);
    expect((await check(good, { ip: '203.0.113.2' })).code).toBe(-1031);
    await shop.db.query(`update card_failed_attempt set since = since - interval '2 hours'`);
    expect((await check(good, { ip: '203.0.113.3' })).code).toBe(1);
  });

  test('counts of yesterday go out', async () => {
    await shop.db.query(
      `insert into card_failed_attempt (subject, attempts, since) select 'c:' || n, 1, now() - interval '2 days'
        from generate_series(1, 5) n`,
    );
    await check(wrong(1));
    expect(
      (await shop.db.query(`select from card_failed_attempt where since < now() - interval '1 day'`)).rowCount,
    ).toBe(0);
  });
});

describe('a card after ten wrong passwords', () => {
  const fresh = async (info: string, n: number) => check(info, { who: await shop.logIn(), ip: `192.0.2.${n}` });
  const yearLater = () => shop.db.query(`update card_failed_attempt set since = since - interval '1 year'`);

  test('is locked out, whoever comes from wherever and however long they took', async () => {
    const [card, other] = await issueTestCards(shop.db, 2);
    const good = cardInfo(card!.cardId, card!.password);
    for (let n = 0; n < 9; n += 1) {
      await fresh(cardInfo(card!.cardId, `WRONG${n}`), n);
      await yearLater();
    }
    // Nine are not ten, and a right one in between forgives none of them.
    expect((await fresh(good, 20)).code).toBe(1);
    await fresh(cardInfo(card!.cardId, 'WRONG9'), 21);
    expect((await fresh(good, 22)).code).toBe(-1031);
    expect(await lastTry()).toMatchObject({ outcome: 'card_locked_out', card_id: card!.cardId });
    await yearLater();
    // Others' failed attempts carry old counts out, never a card's.
    for (let n = 0; n < 3; n += 1) await fresh(cardInfo(`NOSUCHCARD${n}`, 'X'), 30 + n);
    expect((await fresh(good, 40)).code).toBe(-1031);
    expect((await fresh(cardInfo(other!.cardId, other!.password), 41)).code).toBe(1);
  });

  test('may be used again after a day; the next lockout lasts two days, then four, never more than thirty', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    const good = cardInfo(card!.cardId, card!.password);
    const waitHours = (hours: number) =>
      shop.db.query(`update card_failed_attempt set locked_until = locked_until - make_interval(hours => $1)`, [hours]);
    for (const days of [1, 2, 4, 8, 16, 30, 30]) {
      for (let n = 0; n < 10; n += 1) await fresh(cardInfo(card!.cardId, `WRONG${n}`), n);
      expect((await fresh(good, 20)).code).toBe(-1031);
      await waitHours(days * 24 - 1);
      expect((await fresh(good, 21)).code).toBe(-1031);
      await waitHours(1);
      expect((await fresh(good, 22)).code).toBe(1);
      await shop.db.query(`delete from rate_limit where key like 'card_network%'`);
    }
  });

  test('and not one more is looked at when all come at once', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    await Promise.all(Array.from({ length: 16 }, (_, n) => fresh(cardInfo(card!.cardId, `WRONG${n}`), n)));
    const { rows } = await shop.db.query(
      'select outcome, count(*)::integer as tries from card_try where card_id = $1 group by outcome order by outcome',
      [card!.cardId],
    );
    expect(rows).toEqual([
      { outcome: 'card_locked_out', tries: 6 },
      { outcome: 'wrong', tries: 10 },
    ]);
  });

  test('of which typing errors are none: they are named, and not counted', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    const { cardId, password } = card!;
    const [one = '', other = ''] = password;
    const wrong = one === 'A' ? 'B' : 'A';
    for (const typed of [wrong + password.slice(1), password.slice(1), `${password}A`, `0${password.slice(1)}`]) {
      const answer = await fresh(cardInfo(cardId, typed), 1);
      expect(answer).toMatchObject({ code: -1031, msg: expect.stringContaining('typing error') });
    }
    if (one !== other) await fresh(cardInfo(cardId, other + one + password.slice(2)), 1);
    const { rows } = await shop.db.query('select from card_try where card_id = $1', [cardId]);
    expect(rows).toEqual([]);
    expect((await fresh(cardInfo(cardId, password), 2)).code).toBe(1);
  });

  test('does not shut out the account that has proven it before', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    const good = cardInfo(card!.cardId, card!.password);
    const owner = await shop.logIn();
    expect((await check(good, { who: owner, ip: '203.0.113.1' })).code).toBe(1);
    for (let n = 0; n < 10; n += 1) await fresh(cardInfo(card!.cardId, `WRONG${n}`), n);
    expect((await fresh(good, 20)).code).toBe(-1031);
    expect((await check(cardInfo(card!.cardId, 'WRONG'), { who: owner, ip: '203.0.113.2' })).code).toBe(-1031);
    expect((await check(good, { who: owner, ip: '203.0.113.2' })).code).toBe(1);
  });

  test('of which a right password in the wrong place is none', async () => {
    const [card] = await issueTestCards(shop.db, 1, { game_id: 'emberfall' });
    for (let n = 0; n < 12; n += 1) await fresh(cardInfo(card!.cardId, card!.password), n);
    expect(await lastTry()).toMatchObject({ outcome: 'other_game' });
  });

  test('goes on costing whoever tries it', async () => {
    const [card] = await issueTestCards(shop.db, 2);
    const [, good] = await issueTestCards(shop.db, 2);
    for (let n = 0; n < 10; n += 1) await fresh(cardInfo(card!.cardId, `WRONG${n}`), n);
    for (let n = 0; n < 5; n += 1) await check(cardInfo(card!.cardId, card!.password), { ip: `198.51.100.${n}` });
    expect((await check(cardInfo(good!.cardId, good!.password), { ip: '203.0.113.9' })).code).toBe(-1031);
    expect(await lastTry()).toMatchObject({ outcome: 'account_locked_out' });
  });
});

test('a network with a hundred failed attempts is slowed down for accounts that failed too, in words of its own, and no account or card is touched', async () => {
  const [card] = await issueTestCards(shop.db, 1);
  const good = cardInfo(card!.cardId, card!.password);
  for (let n = 0; n < 20; n += 1) {
    const who = await shop.logIn();
    // Seven tries each: two of them are refused for the account, and cost the network nothing.
    for (let turn = 0; turn < 7; turn += 1)
      await check(cardInfo(`NOSUCH${n}X${turn}`, 'X'), { who, ip: `198.51.100.${n}` });
  }
  // An account that never failed is looked at all the same, wherever it is.
  expect((await check(good, { ip: '198.51.100.200' })).code).toBe(1);
  const wrong = await check(cardInfo('NOSUCHCARD22', 'X'), { ip: '203.0.113.1' });
  const before = (await shop.db.query('select from card_try')).rowCount;
  const slowed = await check(good, { ip: '198.51.100.200' });
  expect([slowed.status, slowed.code]).toEqual([429, -1036]);
  expect(slowed.msg).not.toBe(wrong.msg);
  expect((await shop.db.query('select from card_try')).rowCount).toBe(before);
  const paid = await pay(shop, player, {
    path: '/api/pay/card_pay',
    body: { product_id: 'star_540', price_minor: 999, card_info: good },
    remoteAddress: '198.51.100.201',
  });
  expect(paid.code).toBe(-1036);
  // Elsewhere, and a quarter of an hour later, the same card is good.
  expect((await check(good, { ip: '198.51.101.1' })).code).toBe(1);
  await shop.db.query(`update rate_limit set expire = 1 where key like 'card_network%'`);
  expect((await check(good, { ip: '198.51.100.200' })).code).toBe(1);
});

test('an attempt of another player of the same network does not wait for a payment that is being made', async () => {
  const [card] = await issueTestCards(shop.db, 1);
  const good = cardInfo(card!.cardId, card!.password);
  const client = await shop.db.connect();
  try {
    await client.query('begin');
    await client.query(
      `select check_card(p_player_id => $1, p_brand_key => 'watt', p_purpose => 'check',
         p_card_id => 'NOSUCH', p_card_key => 'x',
         p_password_hmac => '', p_network => '127.0.0.1', p_game_id => 'starlane', p_channel => 'card')`,
      [(await shop.logIn()).playerId],
    );
    expect((await check(good)).code).toBe(1);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test.each(['p_brand_key', 'p_purpose', 'p_card_id', 'p_card_key', 'p_password_hmac', 'p_network', 'p_player_id', 'p_game_id', 'p_channel'])(
  'check_card without %s decides nothing',
  async (missing) => {
    const [card] = await issueTestCards(shop.db, 1);
    const given: Record<string, string> = {
      p_player_id: `'${player.playerId}'`, p_brand_key: `'watt'`, p_purpose: `'pay'`, p_card_id: `'${card!.cardId}'`,
      p_card_key: `'key'`, p_password_hmac: `(select password_hmac from gift_card where card_id = '${card!.cardId}')`, p_network: `'192.0.2.1'`,
      p_game_id: `'starlane'`, p_channel: `'card'`,
    };
    const call = (values: Record<string, string>) =>
      shop.db.query(`select check_card(${Object.entries(values).map(([name, value]) => `${name} => ${value}`).join(', ')}) as look`);
    expect((await call(given)).rows[0].look).toMatchObject({ outcome: 'ok' });
    await expect(call({ ...given, [missing]: 'null' })).rejects.toMatchObject({ code: '22004' });
  },
); /* a row a line */ // prettier-ignore

test('POST only, and only for who is logged in; off without a pepper', async () => {
  const info = cardInfo('A', 'B');
  expect(
    (await shop.get(`/api/pay/card_info?client_id=70021&card_info=${encodeURIComponent(info)}`, { session: player }))
      .status,
  ).toBe(404);
  expect((await shop.post('/api/pay/card_info', { client_id: '70021', card_info: info })).code).toBe(-600);
  const off = await createTestShop();
  onTestFinished(off.close);
  const session = await off.logIn();
  expect((await off.post('/api/pay/card_info', { client_id: '70021', card_info: info }, { session })).code).toBe(-1031);
  expect((await off.db.query('select from card_try')).rowCount).toBe(0);
});

test('whose account a card opens at login', async () => {
  const owner = await makePlayer(shop.db);
  const [card] = await issueTestCards(shop.db, 1, {}, { issuedTo: owner });
  const [nobodys] = await issueTestCards(shop.db, 1);
  const find = (cardNumber: string, password: string) =>
    shop.services.giftCards.findOwner({ brandKey: 'watt' as never, cardNumber, password, ip: '192.0.2.77' });
  expect(await find(card!.cardId, card!.password)).toBe(owner);
  // Also when it is spent: it is a key as well.
  await shop.db.query(`update gift_card set state = 'spent', billing_no = 'x' where card_id = $1`, [card!.cardId]);
  expect(await find(card!.cardId, card!.password)).toBe(owner);
  expect(await find(card!.cardId, 'WRONG')).toBeNull();
  expect(await find(nobodys!.cardId, nobodys!.password)).toBeNull();
  await shop.db.query(`update gift_card set state = 'void', billing_no = null where card_id = $1`, [card!.cardId]);
  expect(await find(card!.cardId, card!.password)).toBeNull();
});
