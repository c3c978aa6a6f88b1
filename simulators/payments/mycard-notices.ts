// Sends MyCard's messages to a vendor: the return form, by the browser and by its server, the make-up notice, and the
// question of its difference report.

import { request } from 'undici';
import { deliverOutcome } from '#simulators/kit/deliver.ts';
import { type CallbackDraft, createOutbox, type Outbox } from '#simulators/kit/outbox.ts';
import { addressOf, type Shop } from '#simulators/kit/shop.ts';
import type { Context } from './context.ts';
import { type MyCardAccount, type Trade, writeAmount } from './mycard-state.ts';
import { signValues } from './mycard-signature.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const server = { ...form, 'user-agent': 'MyCardGlobalBilling/1.0' };

export type MyCardNotices = {
  outbox: Outbox;
  /** The form that goes to FacReturnURL. */
  returnFields(trade: Trade): Record<string, string>;
  /** MyCard's server posts the same form as the browser. */
  returned(trade: Trade): Promise<void>;
  /** The player paid and nothing was confirmed. */
  makeup(trade: Trade): Promise<void>;
  emit(trade: Trade, kind: string): Promise<boolean>;
};

export function createMyCardNotices(context: Context, account: MyCardAccount): MyCardNotices {
  const { clock, journal } = context;
  // No retry rules are known; what is not answered 200 is sent again as everywhere here.
  const isAcknowledged = (status: number) => status === 200;
  const outbox = createOutbox({
    provider: context.name,
    journal,
    shop: createDoor(context.shop),
    clock,
    isAcknowledged,
  });

  function returnFields(trade: Trade): Record<string, string> {
    const { paid } = trade;
    const signed = {
      ReturnCode: '1',
      PayResult: paid ? '3' : '0',
      FacTradeSeq: paid?.facTradeSeq ?? trade.facTradeSeq,
      PaymentType: paid?.paymentType ?? trade.askedType,
      Amount: writeAmount(paid?.amount ?? trade.amount),
      Currency: paid?.amount.currency ?? trade.amount.currency,
      MyCardTradeNo: paid?.tradeNo ?? '',
      MyCardType: paid?.cardType ?? '',
      PromoCode: '',
    };
    const key = trade.faults.includes('bad-signature') ? `${account.key}X` : account.key;
    const Hash = signValues(Object.values(signed), key, trade.version);
    return { ...signed, ReturnMsg: encodeURIComponent(paid ? 'Paid' : 'Not paid'), SerialId: '', Hash };
  }

  const returnDraft = (trade: Trade, url: string): CallbackDraft => ({
    reference: trade.facTradeSeq,
    kind: 'return',
    body: new URLSearchParams(returnFields(trade)).toString(),
    headers: server,
    way: { suffix: url },
  });

  function makeupDraft(trade: Trade, code = '1'): CallbackDraft {
    const { faults } = trade;
    const isStrange = faults.includes('wrong-merchant') || faults.includes('bad-signature');
    const data = {
      ReturnCode: code,
      ReturnMsg: code === '1' ? 'QueryOK' : 'QueryFail',
      FacServiceId: isStrange ? `${account.facServiceId}X` : account.facServiceId,
      TotalNum: 1,
      FacTradeSeq: [trade.paid?.facTradeSeq ?? trade.facTradeSeq],
    };
    const body = new URLSearchParams({ DATA: JSON.stringify(data) }).toString();
    return { reference: trade.facTradeSeq, kind: `makeup:${code}`, body, headers: server, way: { suffix: '/makeup' } };
  }

  function differenceDraft(trade: Trade): CallbackDraft {
    const taipei = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19);
    const day = 86_400_000;
    const body = new URLSearchParams({ StartDateTime: taipei(clock.now() - day), EndDateTime: taipei(clock.now()) });
    const headers = server;
    return {
      reference: trade.facTradeSeq,
      kind: 'difference',
      body: body.toString(),
      headers,
      way: { suffix: '/difference' },
    };
  }

  return {
    outbox,
    returnFields,
    async returned(trade) {
      if (trade.returnUrl) await outbox.send(returnDraft(trade, trade.returnUrl));
    },
    makeup: (trade) =>
      deliverOutcome(outbox, trade.faults, {
        success: [makeupDraft(trade)],
        stale: () => [makeupDraft(trade, '0')],
      }),
    async emit(trade, kind) {
      const [name, code] = kind.split(':');
      if (name === 'makeup') await outbox.send(makeupDraft(trade, code));
      else if (name === 'difference') await outbox.send(differenceDraft(trade));
      else if (name === 'return' && trade.returnUrl) await outbox.send(returnDraft(trade, trade.returnUrl));
      else return false;
      return true;
    },
  };
}

/** The shop's callback address, or the whole address that a shop gave for the way back. */
function createDoor(shop: Shop): Shop {
  return {
    ...shop,
    async post(provider, body, headers, way) {
      const url = way?.suffix?.startsWith('http') ? new URL(way.suffix) : null;
      if (!url) return shop.post(provider, body, headers, way);
      const { origin, host } = addressOf(url.origin);
      const to = `${origin}${url.pathname}${url.search}`;
      const response = await request(to, { method: 'POST', headers: { host, ...headers }, body });
      return { status: response.statusCode, text: await response.body.text() };
    },
  };
}
