// MyCard's pay page: a card form for point cards, the member's points, or a choice among all ways;
// and the form that leads back.

import type { FastifyReply } from 'fastify';
import { readChoice, type Choice } from '#simulators/kit/control.ts';
import { type PageInput, sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { escapeHtml, type Look, sendPage } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import type { MyCardNotices } from './mycard-notices.ts';
import type { MyCardState, Trade } from './mycard-state.ts';

const look: Look = {
  accent: '#a34700',
  ground: '#fff8f0',
  ink: '#33210f',
  radius: '6px',
  font: "'Noto Sans TC', 'Microsoft JhengHei', system-ui, sans-serif",
};

/** The payer typed these, beside the decision. */
export type Typed = { paymentType: string; cardId: string; cardPassword: string };

export type Decide = (trade: Trade, choice: Choice, typed: Typed) => Promise<void>;

/** A card with this password is refused. */
const badPassword = 'wrong';

const card: PageInput[] = [
  { name: 'CardID', label: 'Card number', value: 'MCDEMO00000001' },
  { name: 'CardPW', label: 'Password', value: 'DEMO1234', type: 'password' },
];
const points: PageInput[] = [{ name: 'Member', label: 'MyCard member', value: 'demo-member' }];
const ways: PageInput[] = [
  {
    name: 'PaymentType',
    label: 'Way to pay',
    value: 'FA018',
    options: [
      ['FA018', 'Telephone bill'],
      ['FA029', 'Convenience store'],
      ['COSTPOINT', 'Member points'],
      ['INGAME', 'Point card'],
    ],
  },
];

export function mountMyCardPage(context: Context, state: MyCardState, notices: MyCardNotices, decide: Decide): void {
  const { app } = context;
  const path = '/mycard/MyCardPay/';
  const say = (reply: FastifyReply, heading: string, text: string, status = 200) =>
    sendMessagePage(reply, { provider: 'MyCard', look, heading, text, status });

  function sendForm(reply: FastifyReply, trade: Trade, notice?: string): FastifyReply {
    const inputs = trade.askedType === 'INGAME' ? card : trade.askedType === 'COSTPOINT' ? points : ways;
    return sendHostedPage(reply, {
      provider: 'MyCard',
      look,
      heading: { INGAME: 'Point card', COSTPOINT: 'Member points' }[trade.askedType] ?? 'Ways to pay',
      merchant: trade.customerId,
      description: trade.productName,
      amountText: showAmount(trade.amount, 2),
      reference: trade.facTradeSeq,
      action: path,
      hidden: { AuthCode: trade.authCode },
      lines: [['MyCard number', trade.tradeSeq]],
      inputs,
      extraSentinels: inputs === card ? { [badPassword]: 'As the password of the card: the card is refused.' } : {},
      ...(notice ? { notice } : {}),
    });
  }

  /** The way back is a form POST of the player's browser. */
  function sendBack(reply: FastifyReply, trade: Trade): FastifyReply {
    if (!trade.returnUrl || trade.faults.includes('late'))
      return say(reply, trade.paid ? 'Paid' : 'Not paid', 'You may close this page.');
    const fields = Object.entries(notices.returnFields(trade))
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
      .join('');
    return sendPage(reply, {
      title: 'MyCard: back to the shop',
      look,
      content: `<h1>Back to the shop</h1><form method="post" action="${escapeHtml(trade.returnUrl)}">${fields}</form>`,
      script: 'document.forms[0].submit()',
    });
  }

  const noTrade = (reply: FastifyReply) => say(reply, 'No such trade', 'This AuthCode is not known.', 404);

  app.get(path, (request, reply) => {
    const trade = state.trades.get(textAt(request.query, 'AuthCode') ?? '');
    if (!trade) return noTrade(reply);
    return trade.status === 'open' ? sendForm(reply, trade) : sendBack(reply, trade);
  });

  app.post(path, async (request, reply) => {
    const trade = state.trades.get(textAt(request.body, 'AuthCode') ?? '');
    if (!trade) return noTrade(reply);
    const read = (name: string) => textAt(request.body, name) ?? '';
    if (trade.status !== 'open') return sendBack(reply, trade);
    const choice = readChoice(request.body);
    if (trade.askedType === 'INGAME' && choice.decision !== 'decline') {
      if (read('CardID') === '' || read('CardPW') === '' || read('CardPW') === badPassword)
        return sendForm(reply, trade, 'The card number or the password is wrong.');
    }
    await decide(trade, choice, {
      paymentType: read('PaymentType') || trade.askedType,
      cardId: read('CardID'),
      cardPassword: read('CardPW'),
    });
    if (choice.decision === 'later')
      return say(reply, 'Waiting for your payment', 'MyCard tells the shop once it is paid.');
    return sendBack(reply, trade);
  });
}
