// Tests 29 and 30: guessing at prepaid cards, and one card in many hands.
import { CODES } from '#contracts/errors.ts';
import { NETWORK_ATTEMPTS } from '#server/modules/giftcards/service.ts';
import { unlockCard } from '#server/modules/giftcards/store.ts';
import { cardInfo, issueTestCards } from '#testing/cards.ts';
import { pay } from '#testing/pay.ts';
import type { Answered, TestPlayer, TestShop } from '#testing/shop.ts';
import { makePlayers } from '../numbered/numbered-test.ts';
import type { Round, SecurityTest } from './security-test.ts';

const check = (shop: TestShop, session: TestPlayer, info: string, remoteAddress: string) =>
  shop.post('/api/pay/card_info', { client_id: '70021', card_info: info }, { session, remoteAddress });

async function makeCardShop({ harness, defer }: Round): Promise<TestShop> {
  const shop = await harness.makeShop();
  defer(() => shop.close());
  return shop;
}

const guesses: SecurityTest = {
  number: '29',
  asvs: '6.5.2, 6.6.3',
  about:
    'five wrong passwords by one account, ten on one card by ten accounts: then not even the right one, until ' +
    'support ends the lockout',
  run: async (round) => {
    const { refused, allowed, holds } = round;
    const shop = await makeCardShop(round);
    const cards = await issueTestCards(shop.db, 3);
    const [mine, target, other] = cards;
    if (!mine || !target || !other) throw new Error('no cards');
    const answers = new Set<string>();
    const no = (what: string, answer: Answered<unknown>) => {
      refused(what, answer.code === CODES.cardRefused.code && answer.content === null, answer.text);
      answers.add(JSON.stringify([answer.status, answer.text, answer.headers['content-length']]));
    };
    let address = 0;
    const nextAddress = () => `198.51.${Math.floor((address += 1) / 200)}.${address % 200}`;
    const account = await shop.logIn();
    no(
      'a card that nobody has',
      await check(shop, await shop.logIn(), cardInfo('NOSUCHCARD22', 'ABCDEFGH'), nextAddress()),
    );
    for (let n = 0; n < 5; n += 1)
      no(
        `wrong password ${n + 1} by one account`,
        await check(shop, account, cardInfo(mine.cardId, `WRONG${n}`), nextAddress()),
      );
    no(
      'the right password of another card by that account',
      await check(shop, account, cardInfo(other.cardId, other.password), nextAddress()),
    );
    const elsewhere = await shop.logIn();
    allowed(
      'the same card by another account',
      (await check(shop, elsewhere, cardInfo(other.cardId, other.password), nextAddress())).code === 1,
    );

    const players = await makePlayers(shop, 12);
    for (const [n, player] of players.slice(0, 10).entries())
      no(
        `wrong password ${n + 1} on one card`,
        await check(shop, player, cardInfo(target.cardId, `GUESS${n}`), nextAddress()),
      );
    const right = cardInfo(target.cardId, target.password);
    const [eleventh, twelfth] = players.slice(10);
    if (!eleventh || !twelfth) throw new Error('no players');
    no('the right password of the locked card', await check(shop, eleventh, right, nextAddress()));
    await shop.db.query(`update card_failed_attempt set since = since - interval '1 year'`);
    no('the same however long ago the first was', await check(shop, eleventh, right, nextAddress()));
    const body = { product_id: 'star_540', price_minor: 999, card_info: right };
    const paid = await pay(shop, twelfth, { path: '/api/pay/card_pay', body });
    refused('paying with the locked card', paid.code === CODES.cardRefused.code, paid.text);
    holds('one answer for all of it', answers.size === 1, [...answers]);
    holds('support unlocks it', await unlockCard(shop.db, target.cardId));
    allowed('and then it is good', (await check(shop, eleventh, right, nextAddress())).code === 1);
    const { rows } = await shop.db.query<{ row: string }>('select c::text as row from gift_card c');
    const all = rows.map(({ row }) => row).join('\n') + shop.logLines.join('\n');
    for (const card of cards) holds('no password in the database or the log', !all.includes(card.password));
  },
};

const oneCard: SecurityTest = {
  number: '30',
  asvs: '2.3.4',
  about: 'one card spent by fifty calls at once',
  run: async (round) => {
    const { refused, allowed, holds, times } = round;
    const shop = await makeCardShop(round);
    const count = times({ short: 50, full: 50 });
    for (let turn = 0; turn < times({ short: 1, full: 5 }); turn += 1) {
      // The refusals before count against these players and their network.
      await shop.db.query('delete from card_failed_attempt');
      await shop.db.query(`delete from rate_limit where key like 'card_network%'`);
      const [card] = await issueTestCards(shop.db, 1);
      if (!card) throw new Error('no card');
      const players = await makePlayers(shop, 5);
      const body = { product_id: 'star_540', price_minor: 999, card_info: cardInfo(card.cardId, card.password) };
      const answers = await Promise.all(
        Array.from({ length: count }, (_, n) =>
          pay(shop, players[n % 5] as TestPlayer, { path: '/api/pay/card_pay', body }),
        ),
      );
      const winners = answers.filter(({ code }) => code === CODES.success.code);
      // The winner's own further calls are led to the order there is.
      const numbers = new Set(winners.map(({ content }) => content.billing_no));
      for (const answer of answers) {
        if (answer.code === CODES.success.code) allowed('the one', numbers.size === 1, [...numbers]);
        else
          refused(
            'another',
            [CODES.cardRefused.code, CODES.repeatOrder.code, CODES.requestRunning.code].includes(answer.code as never),
            answer.text,
          );
      }
      holds('one call has won', winners.length === 1, winners.length);
      const { rows } = await shop.db.query(
        `select count(*)::integer as orders, (select count(*)::integer from gift_card
         where card_id = $2 and state = 'spent') as spent
         from orders where player_id = any ($1)`,
        [players.map(({ playerId }) => playerId), card.cardId],
      );
      holds('one order, one card spent', JSON.stringify(rows[0]) === '{"orders":1,"spent":1}', rows[0]);
    }
    const broken = await shop.db.query('select * from invariant_breach where breaches > 0');
    holds('the invariants hold', broken.rows.length === 0, broken.rows);
  },
};

/** A hundred addresses of one network, two guessers and one honest player behind each. */
const beside: SecurityTest = {
  number: '57',
  asvs: '6.1.1, 6.6.3',
  about:
    'ten thousand wrong guesses at cards from a hundred addresses, while honest players behind the same ones ' +
    'pay by card',
  run: async (round) => {
    const { refused, allowed, holds, times } = round;
    const shop = await makeCardShop(round);
    const count = times({ short: 240, full: 10_000 });
    const addresses = times({ short: 12, full: 100 });
    const addressOf = (n: number) => `198.51.100.${n % addresses}`;
    const targets = await issueTestCards(shop.db, 20);
    const guessers = await makePlayers(shop, addresses * 2);
    const honest = await makePlayers(shop, addresses);
    const cards = await issueTestCards(shop.db, addresses);
    const answers = new Map<number, number>();
    const guess = async (n: number) => {
      const target = targets[n % targets.length]?.cardId ?? '';
      // A number that exists with a password that does not, and the other way about.
      const info = n % 2 ? cardInfo(target, `GUESS${n}`) : cardInfo(`NOSUCH${n}`, targets[0]?.password ?? '');
      const answer = await check(shop, guessers[n % guessers.length] as TestPlayer, info, addressOf(n));
      answers.set(answer.code, (answers.get(answer.code) ?? 0) + 1);
      const isNo = [CODES.cardRefused.code, CODES.tooManyCardAttempts.code].includes(answer.code as never);
      refused(`guess ${n}`, isNo && answer.content === null, answer.text);
    };
    const buy = async (n: number) => {
      const [card, player] = [cards[n], honest[n]];
      if (!card || !player) return;
      const info = cardInfo(card.cardId, card.password);
      const looked = await check(shop, player, info, addressOf(n));
      allowed(
        `the honest player behind ${addressOf(n)} looks at a card`,
        looked.code === CODES.success.code,
        looked.text,
      );
      const body = { product_id: 'star_540', price_minor: 999, card_info: info };
      const paid = await pay(shop, player, { path: '/api/pay/card_pay', body, remoteAddress: addressOf(n) });
      allowed(`the honest player behind ${addressOf(n)} pays`, paid.code === CODES.success.code, paid.text);
    };
    // The honest ones come evenly over all of it: before, while and after the network is slowed down.
    const every = Math.floor(count / addresses);
    let next = 0;
    const hand = async () => {
      for (let n = next++; n < count; n = next++) {
        await guess(n);
        if (n % every === every - 1) await buy(Math.floor(n / every));
      }
    };
    await Promise.all(Array.from({ length: 8 }, hand));
    holds('account, card and network slow guessers down', (answers.get(CODES.tooManyCardAttempts.code) ?? 0) > 0, [
      ...answers,
    ]);
    const { rows } = await shop.db.query<{ looked: number; spent: number; most: number }>(
      `select count(*) filter (where outcome in ('wrong', 'unknown'))::integer as looked,
         (select count(*)::integer from gift_card where state = 'spent') as spent,
         (select max(n)::integer from (select count(*) n from card_try where outcome = 'wrong'
           group by card_id) one) as most
       from card_try`,
    );
    const allowedLooks = NETWORK_ATTEMPTS.failures + guessers.length;
    holds(`${allowedLooks} guesses at most are compared`, (rows[0]?.looked ?? Infinity) <= allowedLooks + 8, rows[0]);
    holds('ten passwords of a card at most are compared', (rows[0]?.most ?? 0) <= 10, rows[0]);
    holds('only honest players have spent cards', rows[0]?.spent === addresses, rows[0]);
  },
};

export const CARD_TESTS: readonly SecurityTest[] = [guesses, oneCard, beside];
