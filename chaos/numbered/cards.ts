// Test 29: one prepaid card in many hands, and ten thousand guesses from a hundred addresses.
import { NETWORK_ATTEMPTS } from '#server/modules/giftcards/service.ts';
import { withCheckCharacter } from '#server/modules/giftcards/check-character.ts';
import { randomCode } from '#server/platform/random-code.ts';
import { query } from '#server/platform/database/db.ts';
import { WITH_TENDERS, cardInfo, issueTestCards } from '#testing/cards.ts';
import { pay } from '#testing/pay.ts';
import { type Numbered, type Round, deliverAll, expectSame, inTurns, makePlayers, times } from './numbered-test.ts';

const PAY_CARD = '/api/pay/card_pay';
const GOODS = { product_id: 'star_540', price_minor: 999 };

const cardOnce: Numbered = {
  number: '29',
  name: 'card-once',
  about: 'one prepaid card, many orders of several players at once: one is paid',
  counts: { short: 60, full: 500 },
  overrides: WITH_TENDERS,
  play: async (round) => {
    const { shop, count } = round;
    const [card] = await issueTestCards(shop.db, 1);
    const players = await makePlayers(shop, 5);
    if (!card) return;
    const body = { ...GOODS, card_info: cardInfo(card.cardId, card.password) };
    const answers = await inTurns(times(count), (n) => pay(shop, players[n % 5] as never, { path: PAY_CARD, body }));
    const paid = answers.filter(({ code }) => code === 1).length;
    // From the hundredth failure on the network is slowed down.
    const refused = answers.filter(({ code }) => code === -1031 || code === -1036).length;
    expectSame(round, 'paid and refused', { paid, refused }, { paid: 1, refused: count - 1 });
    await deliverAll(shop);
  },
};

const guesses: Numbered = {
  number: '29',
  name: 'card-guesses',
  about:
    'guesses at cards from a hundred addresses: five a quarter of an hour for each account, ten a card, a ' +
    'hundred a network, one answer for all, no password anywhere',
  counts: { short: 300, full: 10_000 },
  overrides: WITH_TENDERS,
  play: async (round) => {
    const { shop, count } = round;
    const addresses = count >= 1000 ? 100 : 10;
    const cards = await issueTestCards(shop.db, 20);
    const players = await makePlayers(shop, addresses * 2);
    const typed: string[] = [];
    const answers = await inTurns(times(count), async (n) => {
      const card = cards[n % cards.length];
      // Numbers that exist with passwords that do not, and the other way about.
      const [number, password] =
        n % 2 ? [card?.cardId ?? '', withCheckCharacter(randomCode(23))] : [randomCode(12), card?.password ?? ''];
      if (n % 2) typed.push(password);
      const session = players[n % players.length] ?? null;
      return shop.post(
        '/api/pay/card_info',
        { client_id: '70021', card_info: cardInfo(number, password) },
        {
          session,
          remoteAddress: `198.51.100.${n % addresses}`,
        },
      );
    });
    const locked = answers.filter(({ code }) => code !== -1036);
    expectSame(
      round,
      'answers',
      new Set(locked.map(({ status, code, msg, content }) => JSON.stringify([status, code, msg, content]))).size,
      1,
    );
    const [counted] = await query<{ verified: number; locked: number; over: number; most: number }>(
      shop.db,
      'chaos_29',
      `select count(*) filter (where outcome <> 'account_locked_out')::integer as verified,
         count(*) filter (where outcome = 'account_locked_out')::integer as locked,
         (select count(*) from card_failed_attempt where attempts > max_failed_attempts(subject))::integer as over,
         (select max(wrong) from (select count(*) as wrong from card_try where outcome = 'wrong'
           group by card_id) c)::integer as most from card_try`,
    );
    const slowed = answers.filter(({ code }) => code === -1036).length;
    expectSame(round, 'tries written down', (counted?.verified ?? 0) + (counted?.locked ?? 0) + slowed, count);
    // Beside what a network has, each account that had not failed before is looked at once.
    const most = NETWORK_ATTEMPTS.failures + players.length;
    if ((counted?.verified ?? 0) > most)
      round.fault(`${counted?.verified} guesses were looked at, ${most} are allowed`);
    if ((counted?.over ?? 0) > 0) round.fault(`${counted?.over} counts went on after a lockout`);
    if ((counted?.most ?? 0) > 10) round.fault(`${counted?.most} passwords of one card were compared, ten are allowed`);
    await lookForSecrets(round, [...cards.map((card) => card.password), ...typed.slice(0, 200)]);
    return count;
  },
};

async function lookForSecrets({ shop, fault }: Round, secrets: readonly string[]): Promise<void> {
  const log = shop.logLines.join('\n');
  const kept = await query<{ row: string }>(
    shop.db,
    'chaos_29_rows',
    'select t::text as row from card_try t union all select f::text from card_failed_attempt f',
  );
  const rows = kept.map(({ row }) => row).join('\n');
  for (const secret of secrets) if (log.includes(secret) || rows.includes(secret)) fault('a password was written down');
}

/** The median answer to what is unknown, wrong and spent: none of them may stand out. */
const timing: Numbered = {
  number: '29',
  name: 'card-timing',
  about: 'an unknown card, a wrong password and a spent card are answered in the same time',
  counts: { short: 60, full: 600 },
  overrides: WITH_TENDERS,
  play: async (round) => {
    const { shop, count } = round;
    const [card, spent] = await issueTestCards(shop.db, 2);
    const [player] = await makePlayers(shop, 1);
    if (!card || !spent || !player) return;
    const infos = {
      unknown: cardInfo('NOSUCHCARD22', card.password),
      wrong: cardInfo(card.cardId, spent.password),
      spent: cardInfo(spent.cardId, spent.password),
    };
    await pay(shop, player, { path: PAY_CARD, body: { ...GOODS, card_info: infos.spent } });
    await deliverAll(shop);
    const took: Record<string, number[]> = { unknown: [], wrong: [], spent: [] };
    // In turns, so that whatever slows this machine slows all three alike.
    for (let n = 0; n < count; n += 1) {
      for (const [name, info] of Object.entries(infos)) {
        await query(
          shop.db,
          'chaos_29_forget',
          `with f as (delete from card_failed_attempt) delete from rate_limit where key like 'card_network%'`,
        );
        const before = performance.now();
        await shop.post('/api/pay/card_info', { client_id: '70021', card_info: info }, { session: player });
        took[name]?.push(performance.now() - before);
      }
    }
    const medians = Object.values(took).map(
      (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0,
    );
    // Our choice: a difference that a network could show. A hash that is computed for known cards
    // only would be many times that.
    if (Math.max(...medians) - Math.min(...medians) > 2)
      round.fault(`medians differ: ${JSON.stringify(medians.map((one) => one.toFixed(2)))} ms`);
    return count * 3;
  },
};

export const CARD_TESTS: readonly Numbered[] = [cardOnce, guesses, timing];
