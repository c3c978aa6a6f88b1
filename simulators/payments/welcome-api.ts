// Welcome's server side: approval and network cancellation for desktops, approval for phones, PAYAPI cancel. Written
// from the vendor's public manual.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { spoilView, type FaultBook } from '#simulators/kit/faults.ts';
import { textAt } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import { mKeyOf, signPairs } from './welcome-signature.ts';
import { cancelPart, newTid, restOf, type Visit, type WelcomeState } from './welcome-state.ts';

export type WelcomeAccount = { mid: string; signKey: string };

/** @source the vendor's manual: approval within five minutes */
const approveWithinMs = 5 * 60_000;

export function mountWelcomeApi(
  context: Context,
  state: WelcomeState,
  account: WelcomeAccount,
  faults: FaultBook,
): void {
  const { app, clock } = context;
  const spent = new Set<string>();

  type Perform = (fields: (name: string) => string) => Answer;
  function call(path: string, operation: string, perform: Perform): void {
    app.post(`/welcome/${path}`, (request: FastifyRequest, reply: FastifyReply) => {
      const fields = (name: string) => textAt(request.body, name) ?? '';
      const fault = faults.take(operation) ?? (operation === 'capture' ? noted(fields) : undefined);
      return answerCall(reply, clock, fault, () => perform(fields));
    });
  }

  /** Reads the fault that a word of the note asks of the approval: once. */
  function noted(fields: (name: string) => string): string | undefined {
    const visit = state.visits.get(fields('authToken') || fields('P_TID'));
    const fault = visit?.faults.find((one) => one === 'timeout' || one === 'error500');
    if (!visit || !fault || spent.has(`${fault} ${visit.id}`)) return undefined;
    spent.add(`${fault} ${visit.id}`);
    return fault;
  }

  /** Takes the money; the reason when it does not. */
  function take(visit: Visit): string | undefined {
    if (visit.status === 'paid') return 'already approved';
    if (visit.status !== 'agreed') return 'no authentication';
    if (clock.now() - (visit.agreedAt ?? 0) > approveWithinMs) return 'too late';
    visit.status = 'paid';
    visit.tid = visit.kind === 'mobile' ? visit.id : newTid(account.mid);
    state.save(visit);
    return undefined;
  }

  const isOurs = (fields: (name: string) => string) =>
    fields('mid') === account.mid &&
    fields('signature') ===
      signPairs([
        ['authToken', fields('authToken')],
        ['timestamp', fields('timestamp')],
      ]);
  const paidPrice = (visit: Visit) =>
    visit.faults.includes('wrong-amount') ? String(Number(visit.price) - 1) : visit.price;
  const paidOid = (visit: Visit) => (visit.faults.includes('wrong-reference') ? `${visit.oid}X` : visit.oid);
  const json = (body: Record<string, unknown>): Answer => ({ status: 200, body });
  const refuse = (resultCode: string, resultMsg: string) => json({ resultCode, resultMsg });

  call('pc/approve', 'capture', (fields) => {
    const visit = state.visits.get(fields('authToken'));
    if (!isOurs(fields)) return refuse('1001', 'signature');
    if (!visit || visit.kind !== 'pc' || fields('price') !== visit.price || fields('format') !== 'JSON')
      return refuse('1002', 'no such authentication');
    const reason = take(visit);
    if (reason !== undefined) return refuse('1003', reason);
    const [date = '', time = ''] = koreanStamp(clock.now());
    const places = { money: ['TotPrice'], status: 'resultCode' };
    return json(
      spoilView(
        {
          resultCode: '0000',
          resultMsg: '정상처리되었습니다.',
          tid: visit.tid,
          MOID: paidOid(visit),
          TotPrice: paidPrice(visit),
          goodName: visit.goods,
          payMethod: { CARD: 'Card', BANK: 'DirectBank', MOBILE: 'HPP' }[visit.method],
          applNum: '12345678',
          applDate: date,
          applTime: time,
          CARD_Num: '111122******1111',
        },
        visit.faults,
        places,
      ),
    );
  });

  call('pc/net-cancel', 'cancel', (fields) => {
    const visit = state.visits.get(fields('authToken'));
    if (!isOurs(fields)) return refuse('1001', 'signature');
    if (visit?.status !== 'paid') return refuse('1004', 'nothing to cancel');
    visit.status = 'cancelled';
    state.save(visit);
    return json({ resultCode: '0000', resultMsg: '망취소 완료', tid: visit.tid });
  });

  // Answered as name=value pairs, not as JSON.
  app.post('/welcome/mobile/approve', (request, reply) => {
    const fields = (name: string) => textAt(request.body, name) ?? '';
    const fault = faults.take('capture') ?? noted(fields);
    void reply.type('text/plain; charset=utf-8');
    return answerCall(reply, clock, fault, () => {
      const visit = state.visits.get(fields('P_TID'));
      const isKnown = visit?.kind === 'mobile' && fields('P_MID') === account.mid;
      const reason = isKnown ? take(visit) : 'no such transaction';
      if (!visit || reason !== undefined) return { status: 200, body: `P_STATUS=01&P_RMESG1=${reason}` };
      const pairs = [
        ['P_STATUS', '00'],
        ['P_TID', visit.id],
        ['P_TYPE', visit.method],
        ['P_OID', paidOid(visit)],
        ...(visit.faults.includes('unreadable') ? [] : [['P_AMT', paidPrice(visit)]]),
        ['P_AUTH_DT', koreanStamp(clock.now()).join('')],
        ['P_AUTH_NO', '12345678'],
        ['P_RMESG1', '성공적으로 처리 하였습니다.'],
      ];
      return { status: 200, body: pairs.map((pair) => pair.join('=')).join('&') };
    });
  });

  const fail = (ResultMsg: string) => json({ ResultCode: '01', ResultMsg });
  /** The visit that a cancellation names, or why it is refused. */
  function cancelled(fields: (name: string) => string): Visit | Answer {
    const signature = signPairs([
      ['mid', account.mid],
      ['mkey', mKeyOf(account.signKey)],
      ['timestamp', fields('timestamp')],
    ]);
    if (fields('signature') !== signature || !/^\d{14}$/.test(fields('timestamp'))) return fail('서명 오류');
    const visit = state.find(fields('tid'));
    const type = visit && { CARD: 'card', BANK: 'bank', MOBILE: 'hpp' }[visit.method];
    if (!visit || fields('mid') !== account.mid || fields('payType') !== type) return fail('거래 없음');
    if (visit.status === 'cancelled') return fail('이미 취소된 거래입니다.');
    const isFit = visit.status === 'paid' && fields('currency') === visit.currency;
    return isFit ? visit : fail('취소할 수 없는 거래입니다.');
  }
  function done(visit: Visit, price: number, more: object = {}): Answer {
    const [date, time] = koreanStamp(clock.now());
    const said = { ResultCode: '00', ResultMsg: '정상', Tid: visit.tid, Price: String(price) };
    return json({ ...said, ...more, CancelDate: date, CancelTime: time });
  }

  call('cancel/cancel', 'refund', (fields) => {
    const visit = cancelled(fields);
    if (!('oid' in visit)) return visit;
    // After a part only the call for parts cancels the rest. @source the vendor's manual, PAYAPI 2.2
    if (fields('price') !== visit.price || visit.cancelledPrice) return fail('취소할 수 없는 거래입니다.');
    cancelPart(state, visit, Number(visit.price));
    return done(visit, Number(visit.price));
  });

  call('cancel/repay', 'refund', (fields) => {
    const visit = cancelled(fields);
    if (!('oid' in visit)) return visit;
    const price = Number(fields('cancelPrice'));
    const rest = restOf(visit) - price;
    if (!(price > 0) || rest < 0 || Number(fields('confirmPrice')) !== rest) return fail('부분취소 금액 오류');
    cancelPart(state, visit, price);
    return done(visit, price, { Mid: account.mid, RmainPrice: String(rest) });
  });
}

/** yyyyMMdd and HHmmss of Korea. */
function koreanStamp(ms: number): string[] {
  const text = new Date(ms + 9 * 3_600_000).toISOString().replaceAll(/\D/g, '');
  return [text.slice(0, 8), text.slice(8, 14)];
}
