// Lists the transactions of Xsolla's search in a span as lines of a settlement file, for a recovery.
import type { ProviderContext, SettlementLine } from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { DAY_MS } from '#kernel/time.ts';
import { readAmount } from './amounts.ts';
import { readFound, transactionStatus } from './wire.ts';

/**
 * Our choice; the default of the search is not public.
 * @source developers.xsolla.com, "Find transactions": limit, offset
 */
const PER_PAGE = 100;
/** Our choice: a list that never ends is a fault. */
const MAX_PAGES = 1000;

type Ask = (path: string) => Promise<{ status: number; text: string }>;

/**
 * @source developers.xsolla.com, Pay Station API, "Find transactions"; a date without a time is all that it says of
 * when
 */
export async function* listTransactions(
  context: ProviderContext,
  since: number,
  ask: Ask,
): AsyncGenerator<SettlementLine> {
  let line = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const search = new URLSearchParams({
      project_id: context.settings['PROJECT_ID'] ?? '',
      datetime_from: new Date(since).toISOString(),
      datetime_to: new Date(context.now() + DAY_MS).toISOString(),
      limit: String(PER_PAGE),
      offset: String(page * PER_PAGE),
      ...(context.environment === 'demo' ? { show_dry_run: '1' } : {}),
    });
    const { status, text } = await ask(`/reports/transactions/search.json?${search.toString()}`);
    const found = status === 200 ? readFound(text) : null;
    if (!found) throw new OutboundError('network', true, `Xsolla answered ${status} to the search, and no list`);
    for (const { transaction, purchase } of found) {
      line += 1;
      const said = transactionStatus(transaction.status);
      if (!['paid', 'paid_unreadable', 'refunded'].includes(said)) continue;
      const price = purchase?.simple_checkout;
      const amount = readAmount(price?.amount, price?.currency);
      const isPart = transaction.status === 'partial_refunded';
      if (!amount || said === 'paid_unreadable' || isPart) {
        yield { kind: 'unreadable', line, reason: isPart ? 'a partial refund, of how much is not said' : 'the amount' };
        if (!amount) continue;
      }
      const [reference, captureRef] = [transaction.external_id ?? null, transaction.id];
      const at = Date.parse(transaction.transfer_date ?? transaction.create_date ?? '') || since;
      yield { kind: 'money', line, movement: 'payment', reference, captureRef, amount, at };
      if (said === 'refunded' && !isPart)
        yield { kind: 'money', line, movement: 'refund', reference, captureRef, amount, at };
    }
    if (found.length < PER_PAGE) return;
  }
  throw new Error('The list of Xsolla does not end.');
}
