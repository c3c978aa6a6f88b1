// One order as tables for a person. The same content as `--json`, less the raw columns that nobody reads.
import { type Currency, toDecimal } from '#kernel/money.ts';
import type { ShownOrder } from '#server/modules/orders/operator/operate-show.ts';
import { reviewKindOf } from '#server/modules/orders/service.ts';
import { drawTable } from '#cli/terminal.ts';

type Row = Readonly<Record<string, unknown>>;

export function drawOrder(shown: ShownOrder): string {
  const { order, delivery, revocation } = shown;
  const parts = [
    drawTable(
      ['ORDER', String(order.billing_no)],
      [
        ['state', order.review_reason ? `${String(order.state)}: ${String(order.review_reason)}` : order.state],
        ...playerReads(order),
        ['amount', amountOf(order)],
        ['product', `${String(order.product_id)} of ${String(order.game_id)}`],
        ['player', `${String(order.username)} (${String(order.suid)})`],
        ['character', `${String(order.role_name)} (${String(order.role_id)}) on ${String(order.server_name)}`],
        ['shop', `${String(order.brand_key)}, ${String(order.region)}, ${String(order.country)}`],
        ...originOf(order.origin as Row | null),
      ],
    ),
    section('PAYMENTS', ['#', 'PROVIDER', 'CHANNEL', 'STATE', 'AMOUNT', 'PROVIDER REF', 'CAPTURE'], shown.attempts, (row) => [
      row.attempt_no, row.provider, row.channel_key, row.state, amountOf(row), row.provider_ref, row.capture_ref,
    ]),
    section('DELIVERY', ['STATE', 'TRIES', 'NEXT', 'RECEIPT', 'LAST ERROR'], delivery ? [delivery] : [], (row) => [
      row.state, row.tries, row.next_at, row.receipt_id, row.last_error,
    ]),
    section('RESERVED', ['KIND', 'PRODUCT', 'SUBJECT', 'PERIOD', 'STATE'], shown.reservations, (row) => [
      row.kind, row.product_id, row.subject, row.period, row.state,
    ]),
    section('LEDGER', ['TIME', 'BOOKING', '#', 'ACCOUNT', 'AMOUNT'], shown.ledger, (row) => [
      row.created_at, row.kind, row.attempt_no, row.account, amountOf(row),
    ]),
    section('CALLBACKS', ['TIME', 'PROVIDER', 'STATE', 'OUTCOME', 'KEY'], shown.callbacks, (row) => [
      row.received_at, row.provider, row.state, row.outcome, row.dedup_key,
    ]),
    section('REFUNDS', ['#', 'STATE', 'AMOUNT', 'BY', 'REASON', 'TRIES', 'LAST ERROR'], shown.refunds, (row) => [
      row.attempt_no, row.state, amountOf(row), row.requested_by, row.reason, row.tries, row.last_error,
    ]),
    section('TAKEN BACK', ['STATE', 'TRIES', 'REASON', 'LAST ERROR'], revocation ? [revocation] : [], (row) => [
      row.state, row.tries, row.reason, row.last_error,
    ]),
    section('ACTS OF PEOPLE', ['TIME', 'WHO', 'ACT', 'DETAILS'], shown.audit, (row) => [row.at, row.actor, row.act, row.details]),
    section('LAST EXCHANGES', ['#', 'VERB', 'CALL', 'ANSWER'], shown.attempts.flatMap(exchangesOf), (row) => [
      row.attempt_no, row.verb, row.call, row.answer,
    ]),
    section('TIMELINE', ['TIME', 'WHAT'], shown.timeline.map((entry) => ({ ...entry })), (row) => [row.at, row.what]),
  ]; /* a row a line */ // prettier-ignore
  return parts.filter((part) => part !== '').join('\n\n');
}

function section(title: string, head: string[], rows: readonly Row[], cells: (row: Row) => unknown[]): string {
  return rows.length === 0 ? '' : `${title}\n${drawTable(head, rows.map(cells))}`;
}

function amountOf(row: Row): string {
  const currency = row.currency as Currency;
  return `${toDecimal({ amountMinor: Number(row.amount_minor), currency })} ${currency}`;
}

/** Of an order in review: the kind that its player is told, so that support says the same. */
function playerReads(order: Row): [string, unknown][] {
  const kind = reviewKindOf({
    state: String(order.state),
    review_reason: order.review_reason as string | null,
    paid_at: typeof order.paid_at === 'string' ? new Date(order.paid_at) : null,
  });
  return order.state === 'review' ? [['player reads', kind ?? 'being checked']] : [];
}

/** @source specification section 2: "utm_pay (kf means customer source)" */
function originOf(origin: Row | null): [string, unknown][] {
  const { utm_pay: by, ...rest } = origin ?? {};
  const others = Object.entries(rest).map(([key, value]) => `${key}=${String(value)}`);
  return [
    ...(by === undefined ? [] : [['sent by', by === 'kf' ? 'customer service (kf)' : by] as [string, unknown]]),
    ...(others.length === 0 ? [] : [['origin', others.join(' ')] as [string, unknown]]),
  ];
}

/** The widest a raw answer is shown in a table; `--json` has it as it was kept. */
const WIDEST = 100;

function exchangesOf(attempt: Row): Row[] {
  const kept = (attempt.exchange ?? {}) as Record<string, Row | null>;
  return Object.entries(kept).flatMap(([verb, exchange]) =>
    exchange
      ? [
          {
            attempt_no: attempt.attempt_no,
            verb,
            call: `${String(exchange.method)} ${String(exchange.url)} -> ${String(exchange.status)}`,
            answer: String(exchange.received ?? '').slice(0, WIDEST),
          },
        ]
      : [],
  );
}
