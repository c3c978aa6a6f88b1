// Shows a make-up payment to the player and to the operator. Pure.
import type { ReplenishItem } from '#contracts/replenish.ts';
import { money, toDecimal } from '#kernel/money.ts';
import type { Display } from '#server/modules/configuration/service.ts';
import { reviewKindOf } from '#server/modules/orders/service.ts';
import { maskName } from './rules.ts';
import type { ReplenishRow } from './store.ts';

export function stateOf(row: ReplenishRow): ReplenishItem['state'] {
  const { order_state: order } = row;
  if (row.is_returned || order === 'refunded' || order === 'refund_due') return 'returned';
  if (row.state === 'taken') {
    if (row.delivered_at) return 'unblocked';
    return order === 'created' || order === 'pending' ? 'paying' : 'paid';
  }
  if (row.state === 'closed') return 'closed';
  return row.seconds_left > 0 ? 'open' : 'expired';
}

export function toReplenishItem(row: ReplenishRow, gameName: string, display: Display, isOwn: boolean): ReplenishItem {
  const amount = money(row.amount_minor, row.currency);
  const { order_state: state } = row;
  const reviewKind = isOwn && state !== null ? reviewKindOf({ ...row, state }) : undefined;
  return {
    replenish_id: row.replenish_id,
    client_id: row.client_id,
    game_name: gameName,
    user_name: isOwn ? row.username : maskName(row.username),
    amount: isOwn ? toDecimal(amount) : '',
    currency_code: isOwn ? amount.currency : '',
    valid_time: Math.max(0, row.seconds_left),
    amount_shown: isOwn ? display.money(amount) : '',
    amount_minor: isOwn ? amount.amountMinor : 0,
    is_own: isOwn,
    state: isOwn ? stateOf(row) : row.state === 'open' && row.seconds_left <= 0 ? 'expired' : 'open',
    billing_no: isOwn ? (row.billing_no ?? '') : '',
    paid_at: isOwn ? (row.paid_at?.getTime() ?? 0) : 0,
    unblocked_at: isOwn ? (row.delivered_at?.getTime() ?? 0) : 0,
    ...(reviewKind && { review_kind: reviewKind }),
  };
}
