// Test 39: what a player can change in a call, changed. The server's own price, brand and player decide; a
// stranger's order does not exist.
import { ulid } from 'ulid';
import { CODES } from '#contracts/errors.ts';
import { query } from '#server/platform/database/db.ts';
import { PAY_BODY, pay } from '#testing/pay.ts';
import { type Numbered, expectSame, inTurns, makePlayers, placeMany, times } from './numbered-test.ts';

/** Bodies that ask for something cheaper, more, or somebody else's. None may win anything. */
const TRICKS: readonly Record<string, unknown>[] = [
  { price_minor: 1 }, { price_minor: 0 }, { amount_minor: 1 }, { price: '0.01' }, { currency: 'VND', price_minor: 99 }, { discount: 100 }, { points: 1_000_000 },
  { coupon_code: 'FREE100' }, { brand_key: 'seed' }, { brand: 'seed' }, { player_id: '00000000-0000-4000-8000-000000000000' }, { suid: 'u-player1' }, { environment: 'live' },
  { role_id: 'somebody-else' }, { server_id: 's2' }, { areaId: 'elsewhere' }, { client_id: '99999' }, { product_id: 'star_6000' }, { product_id: 'star_6000', price_minor: 99 },
  { billing_no: '01JGZZZZZZZZZZZZZZZZZZZZZZ' }, { state: 'delivered' }, { channel_id: 'scheme' }, { pay_id: 'adyen-card' }, { __proto__: { price_minor: 1 } },
  { domain_area: 'sea', country: 'VN' },
]; /* a row a line */ // prettier-ignore

const tampering: Numbered = {
  number: '39',
  name: 'tampering',
  about: "prices, players, brands and other people's order numbers",
  counts: { short: 150, full: 1500 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const strangers = await placeMany(shop, 5);
    const tries = Math.floor(count / 3);
    const players = await makePlayers(shop, TRICKS.length);
    await inTurns(times(tries), async (n) => {
      const trick = TRICKS[n % TRICKS.length] as Record<string, unknown>;
      const answer = await pay(shop, players[n % TRICKS.length] as (typeof players)[number], { body: trick });
      if (answer.status >= 500) fault(`${JSON.stringify(trick)} is answered ${answer.status}`);
    });
    // Whatever was placed, was placed at the list's price, in the player's own name and on the site the call came to.
    const list = new Map([
      ['star_50', 99],
      ['star_6000', 9999],
    ]);
    const placed = await query<{
      product_id: string;
      amount_minor: number;
      currency: string;
      brand_key: string;
      role_id: string;
      is_own: boolean;
    }>(
      shop.db,
      'chaos_39',
      `select o.product_id, o.amount_minor, o.currency, o.brand_key, o.role_id, p.suid = o.suid as is_own
        from orders o join player p on p.player_id = o.player_id`,
    );
    for (const order of placed) {
      const isRight = order.currency !== 'USD' || list.get(order.product_id) === order.amount_minor;
      if (!isRight || order.brand_key !== 'watt' || order.role_id !== 'r1' || !order.is_own)
        fault(`placed: ${JSON.stringify(order)}`);
    }

    // Other people's orders: known ones, neighbours of known ones, and made up ones are all the same nothing.
    const [thief] = await makePlayers(shop, 1);
    if (!thief) return;
    const seen = new Set<string>();
    await inTurns(times(count - tries), async (n) => {
      const known = strangers[n % strangers.length]?.billingNo ?? '';
      const guess = n % 3 === 0 ? known : n % 3 === 1 ? neighbour(known, n) : ulid();
      const answer = await shop.get(`/api/pay/getOrderInfo?billing_no=${guess}`, { session: thief });
      seen.add(`${answer.status} ${answer.code} ${JSON.stringify(answer.content)}`);
    });
    expectSame(round, "answers about other people's orders", seen.size, 1);
    if (![...seen][0]?.includes(` ${CODES.orderNotFound.code} null`))
      fault(`other people's orders are answered ${[...seen].join(' | ')}`);
    const numbers = strangers.map(({ billingNo }) => billingNo.slice(10));
    if (new Set(numbers).size !== numbers.length) fault('two order numbers share their random part');
    for (const known of strangers) {
      const expired = await shop.get(`/api/pay/getOrderInfo?billing_no=${known.billingNo}`, {
        session: { ...known.player, token: `${known.player.token.slice(0, -2)}xx` },
      });
      if (expired.code !== CODES.notLoggedIn.code) fault(`a changed token is answered ${expired.code}`);
    }
    if (PAY_BODY.price_minor !== 99) fault('the price list of this test is old');
  },
};

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The same moment, the next numbers. */
function neighbour(billingNo: string, n: number): string {
  const last = ALPHABET.indexOf(billingNo.at(-1) ?? '0');
  return billingNo.slice(0, -1) + ALPHABET[(last + 1 + (n % 31)) % 32];
}

export const TAMPERING_TESTS: readonly Numbered[] = [tampering];
