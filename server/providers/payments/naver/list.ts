// Lists Naver Pay's history of a span as lines of a settlement file, for a recovery.
import { DAY_MS } from '#kernel/time.ts';
import type { ProviderContext, SettlementLine } from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { post } from './client.ts';
import { readAmount, readHistory, readKoreanTime, readPageCount, writeHistoryWindow } from './wire.ts';

/** Our choice: a list that never ends is a fault. */
const MAX_PAGES = 2000;
/** @source developers.pay.naver.com, list/history: at most 31 days apart */
const WINDOW_MS = 30 * DAY_MS;

/** @source developers.pay.naver.com, list/history: admissionTypeCode 01 payment, 03 all back, 04 part back */
const MOVEMENTS: Readonly<Record<string, 'payment' | 'refund'>> = { '01': 'payment', '03': 'refund', '04': 'refund' };

/** Windows of a month, each page by page. @source developers.pay.naver.com, list/history */
export async function* listMovements(context: ProviderContext, since: number): AsyncGenerator<SettlementLine> {
  let line = 0;
  for (let from = since; from < context.now(); from += WINDOW_MS) {
    const to = Math.min(from + WINDOW_MS, context.now());
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { status, text } = await post(context, {
        path: 'v2.2/list/history',
        json: writeHistoryWindow(from, to, page),
      });
      const history = status === 200 ? readHistory(text) : null;
      if (!history)
        throw new OutboundError('network', true, `Naver Pay answered ${status} to the history, and no list`);
      const count = readPageCount(history.body.totalPageCount);
      if (count === null) throw new OutboundError('network', true, 'Naver Pay does not say how long its history is');
      pages = count;
      if (pages > MAX_PAGES) throw new Error('The history of Naver Pay does not end.');
      for (const one of history.body.list) {
        line += 1;
        const movement = MOVEMENTS[one.admissionTypeCode ?? ''];
        if (!movement || one.admissionState !== 'SUCCESS') continue;
        const amount = readAmount(one.totalPayAmount);
        if (!amount) yield { kind: 'unreadable', line, reason: `the amount "${one.totalPayAmount ?? ''}"` };
        else
          yield {
            kind: 'money',
            line,
            movement,
            reference: one.merchantPayKey ?? null,
            captureRef: one.paymentId,
            amount,
            at: readKoreanTime(one.admissionYmdt) ?? from,
          };
      }
    }
  }
}
