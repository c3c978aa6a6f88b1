// Goods: delivered once whatever happens on the way, taken back, listed. These give the checked character goods.
import {
  type Case, type CheckedGame, NotOffered, demand, demandAppliedOnce, demandDeclined, demandGranted, demandId, demandOk,
  demandStatus, grant, grantBody, listApplied, listGrants, quote, recently,
} from './case.ts'; /* a row a line */ // prettier-ignore
import { type Answer, NoAnswer } from './call.ts';

const AT_ONCE = 10;

const revoke = (game: CheckedGame, billingNo: string): Promise<Answer> =>
  game.call('revoke', { billing_no: billingNo, reason: 'refund' }, { id: `${billingNo}-revoke` });

/** The same message at the same moment over several connections. */
async function sendTogether(game: CheckedGame, times: number): Promise<void> {
  const [billingNo, since] = [game.billingNo(), recently()];
  const answers = await Promise.all(Array.from({ length: times }, () => grant(game, billingNo)));
  // An "unknown" for the later one is right as well, as long as the shop's next try finds it done.
  const receipts = answers.filter((one) => one.status >= 200 && one.status <= 299).map(demandGranted);
  receipts.push(demandGranted(await grant(game, billingNo)));
  demand(new Set(receipts).size === 1, `one order got several receipts: ${[...new Set(receipts)].join(', ')}`);
  await demandAppliedOnce(game, billingNo, since);
}

export const GRANT_CASES: readonly Case[] = [
  {
    name: 'grant-ok',
    about: 'a paid order is delivered and has a receipt',
    section: 'grant',
    run: async (game) => {
      const [billingNo, since] = [game.billingNo(), recently()];
      demandGranted(await grant(game, billingNo));
      await demandAppliedOnce(game, billingNo, since);
    },
  },
  {
    name: 'grant-again',
    about: 'the same order again, signed anew, gets the same receipt and delivers nothing more',
    section: 'Idempotency: your duty',
    run: async (game) => {
      const [billingNo, since] = [game.billingNo(), recently()];
      const first = demandGranted(await grant(game, billingNo));
      const again = demandGranted(await grant(game, billingNo, { secondsOff: 2 }));
      demand(first === again, `the receipt changed from ${first} to ${again}`);
      await demandAppliedOnce(game, billingNo, since);
    },
  },
  {
    name: 'grant-two-at-once',
    about: 'the same order twice at the same moment is delivered once',
    section: 'Retries',
    run: (game) => sendTogether(game, 2),
  },
  {
    name: 'grant-ten-at-once',
    about: 'the same order ten times at the same moment is delivered once',
    section: 'Retries',
    run: (game) => sendTogether(game, AT_ONCE),
  },
  {
    name: 'grant-cut',
    about: 'an answer that never arrived: the repeat says ok and delivers nothing more',
    section: 'Retries',
    run: async (game) => {
      const [billingNo, since] = [game.billingNo(), recently()];
      await grant(game, billingNo, { isCut: true }).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
      });
      demandGranted(await grant(game, billingNo));
      await demandAppliedOnce(game, billingNo, since);
    },
  },
  {
    name: 'grant-key-reused',
    about: 'the same key with another body is 409 and delivers nothing',
    section: 'Idempotency: your duty',
    run: async (game) => {
      const billingNo = game.billingNo();
      const receipt = demandGranted(await grant(game, billingNo));
      demandStatus(await grant(game, billingNo, { gifts: [{ id: 'gems', name: 'Gems', count: 1_000_000 }] }), 409);
      const again = demandGranted(await grant(game, billingNo));
      demand(again === receipt, `the receipt changed from ${receipt} to ${again}`);
    },
  },
  {
    name: 'grant-many',
    about: 'ten orders at the same moment are ten deliveries',
    section: 'grant',
    run: async (game) => {
      const orders = Array.from({ length: AT_ONCE }, () => game.billingNo());
      const receipts = (await Promise.all(orders.map((one) => grant(game, one)))).map(demandGranted);
      demand(new Set(receipts).size === orders.length, 'two orders got the same receipt');
    },
  },
  {
    name: 'grant-no-character',
    about: 'a character that does not exist is declined, never delivered and never an error',
    section: 'grant',
    run: async (game) => {
      const billingNo = game.billingNo();
      demandDeclined('grant', await grant(game, billingNo, { subject: { roleId: 'refill-check-none' } }));
      demandGranted(await grant(game, billingNo));
    },
  },
  {
    name: 'grant-other-player',
    about: 'a character of another player is declined',
    section: 'grant',
    run: async (game) =>
      demandDeclined('grant', await grant(game, game.billingNo(), { subject: { userId: 'refill-check-nobody' } })),
  },
  {
    name: 'grant-other-product',
    about: 'a product that the game does not have is declined and never delivered',
    section: 'grant',
    run: async (game) =>
      demandDeclined(
        'grant',
        await grant(game, game.billingNo(), { subject: { productId: 'refill-check-forbidden' } }),
      ),
  },
  {
    name: 'grant-gifts',
    about: 'bonuses come with the product, their names in any script',
    section: 'grant',
    run: async (game) => {
      const gifts = [{ id: 'gems', name: '星のかけら \u{1F48E} «جواهر» \u0301', count: 3 }];
      demandGranted(await grant(game, game.billingNo(), { gifts }));
    },
  },
  {
    name: 'grant-reward',
    about: 'a reward without "paid" is decided like any grant: ok or declined, once',
    section: 'grant',
    run: async (game) => {
      const key = `RW-${game.billingNo()}`;
      const send = () => grant(game, key, { isReward: true, gifts: [{ id: 'gems', name: 'Gems', count: 1 }] });
      const [first, again] = [await send(), await send()];
      const statusOf = ({ body }: Answer) => (body as { status?: unknown } | undefined)?.status;
      const isDecided = (answer: Answer) => statusOf(answer) === 'ok' || statusOf(answer) === 'declined';
      demand(isDecided(first) && first.status < 300, `expected ok or declined, got ${quote(first)}`);
      demand(first.text === again.text, `the second answer differs: ${quote(first)} and ${quote(again)}`);
    },
  },
  {
    name: 'grant-unsigned',
    about: 'a grant without a right signature is 401 and delivers nothing',
    section: 'Signature',
    run: async (game) => {
      const [billingNo, since] = [game.billingNo(), recently()];
      const forged = await game.call('grant', grantBody(game, billingNo), {
        id: billingNo,
        signature: () => 'v1,AAAA',
      });
      demandStatus(forged, 401);
      const keys = await listApplied(game, since).catch((error: unknown): string[] => {
        if (error instanceof NotOffered) return [];
        throw error;
      });
      demand(!keys.includes(billingNo), 'it was delivered all the same');
    },
  },
  {
    name: 'grant-key',
    about: 'a grant whose webhook-id is not its order number is refused',
    section: 'grant',
    run: async (game) => {
      const billingNo = game.billingNo();
      const answer = await game.call('grant', grantBody(game, billingNo), { id: game.billingNo() });
      demand(answer.status >= 400 && answer.status <= 499, `expected 400 or 409, got ${quote(answer)}`);
    },
  },
  {
    name: 'applied-lists',
    about: 'every grant is listed once, over all pages',
    section: 'applied',
    run: async (game) => {
      const [billingNo, since] = [game.billingNo(), recently()];
      demandGranted(await grant(game, billingNo));
      const keys = await listApplied(game, since);
      demand(new Set(keys).size === keys.length, 'an order is listed twice');
      demand(keys.includes(billingNo), `order ${billingNo} is missing`);
    },
  },
  {
    name: 'applied-recovery',
    about: "the shop's own text comes back as it came, and is no part of what makes two grants equal",
    section: 'applied',
    run: async (game) => {
      const [billingNo, since] = [game.billingNo(), recently()];
      const first = demandGranted(await grant(game, billingNo, { recovery: 'r1.first' }));
      demand(
        demandGranted(await grant(game, billingNo, { recovery: 'r1.other' })) === first,
        'the same grant with another `recovery` got another receipt',
      );
      const known = (await listGrants(game, since)).find((one) => one.billing_no === billingNo);
      if (known?.['recovery'] === undefined) throw new NotOffered('applied gives no recovery back');
      demand(known['recovery'] === 'r1.first', `order ${billingNo} is listed with another text than came with it`);
      const reward = `RW-${game.billingNo()}`;
      const given = await grant(game, reward, { isReward: true, recovery: 'r1.reward' });
      // A game may decline the rewards of this check: it has agreed to no step of that name.
      if ((given.body as { status?: unknown } | undefined)?.status !== 'ok') return;
      const listed = (await listGrants(game, since)).find((one) => one.billing_no === reward);
      demand(listed?.['recovery'] === 'r1.reward', `reward ${reward} is listed without the text that came with it`);
    },
  },
  {
    name: 'applied-since',
    about: 'nothing is listed of a time that has not come yet',
    section: 'applied',
    run: async (game) => {
      const keys = await listApplied(game, Math.floor(Date.now() / 1000) + 86_400);
      demand(keys.length === 0, `${keys.length} grants of tomorrow`);
    },
  },
  {
    name: 'revoke-ok',
    about: 'a returned payment is taken note of, with a receipt, once',
    section: 'revoke',
    run: async (game) => {
      const billingNo = game.billingNo();
      demandGranted(await grant(game, billingNo));
      const first = demandOk('revoke', await revoke(game, billingNo))['receipt_id'];
      demandId(first, 'receipt_id');
      const again = demandOk('revoke', await revoke(game, billingNo))['receipt_id'];
      demand(first === again, `the receipt changed from ${first} to ${String(again)}`);
    },
  },
  {
    name: 'revoke-not-granted',
    about: 'an order that never arrived is declined as not_granted',
    section: 'revoke',
    run: async (game) => demandDeclined('revoke', await revoke(game, game.billingNo()), 'not_granted'),
  },
  {
    name: 'grant-after-revoke',
    about: 'a late repeat of a grant that was revoked delivers nothing: the same receipt as before',
    section: 'Idempotency: your duty',
    run: async (game) => {
      const [billingNo, since] = [game.billingNo(), recently()];
      const receipt = demandGranted(await grant(game, billingNo));
      demandOk('revoke', await revoke(game, billingNo));
      const again = demandGranted(await grant(game, billingNo));
      demand(again === receipt, `the receipt changed from ${receipt} to ${again}`);
      await demandAppliedOnce(game, billingNo, since);
    },
  },
  {
    name: 'unblock-ok',
    about: 'a player who is not blocked is ok too, however often it is asked',
    section: 'unblock',
    run: async (game) => {
      const replenishId = `RP-${game.billingNo()}`;
      const { userId, clientId } = game.subject;
      const asked = { user_id: userId, client_id: clientId, replenish_id: replenishId, billing_no: game.billingNo() };
      for (let time = 0; time < 2; time += 1)
        demandOk('unblock', await game.call('unblock', asked, { id: `${replenishId}-unblock` }));
    },
  },
  {
    name: 'unblock-unsigned',
    about: 'an unblock without a right signature is 401',
    section: 'Signature',
    run: async (game) => {
      const { userId, clientId } = game.subject;
      const asked = { user_id: userId, client_id: clientId, replenish_id: 'RP-forged', billing_no: game.billingNo() };
      const answer = await game.call('unblock', asked, { id: 'RP-forged-unblock', signature: () => 'v1,AAAA' });
      if (answer.status === 404) throw new NotOffered('unblock answers 404');
      demandStatus(answer, 401);
    },
  },
];
