// SQL of the reports of finance: sums over the ledger, with what an order and its payment say beside. Each figure is a
// sum of ledger entries of one account and of named kinds, so that a test, or an auditor, can add them up again.
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { Dimension, MoneyReportKind } from './money-report-rules.ts';

export type MoneyReportRow = Partial<Record<Exclude<Dimension, 'currency'>, string>> & {
  currency: Currency;
  /** Bookings: of revenue the delivered orders. */
  count: number;
  amount_minor: number;
  /** Of revenue alone: what of it coupons, offers and codes took off, so that nobody paid it. */
  discount_minor?: number;
};

export type MoneyReportInput = {
  readonly kind: MoneyReportKind;
  /** Days `YYYY-MM-DD` in `zone`: from the first to before the second. */
  readonly since: string;
  readonly until: string;
  readonly zone: string;
  readonly by: readonly Dimension[];
  readonly brand: string | null;
};

const EXPRESSIONS: Readonly<Record<Dimension, string>> = {
  day: `to_char(m.at at time zone $3, 'YYYY-MM-DD')`,
  brand: 'o.brand_key',
  game: 'o.game_id',
  country: 'o.country',
  // Attempts from before there were methods have their channel.
  method: `coalesce(nullif(a.method, ''), a.channel_key)`,
  provider: 'a.provider',
  currency: 'm.currency',
};

/** Movements (player_id, billing_no, attempt_no, at, currency, minor) of a span. */
const MOVEMENTS: Readonly<Record<MoneyReportKind, string>> = {
  revenue: ofLedger(`account = 'revenue' and kind = 'delivered'`, '-amount_minor'),
  refunds: ofLedger(
    `account = 'provider_receivable' and kind in ('refunded', 'overpayment_refunded')`,
    '-amount_minor',
  ),
  chargebacks: ofLedger(`account = 'provider_receivable' and kind = 'chargeback'`, '-amount_minor'),
  fees: `select player_id, billing_no, attempt_no, at, currency, fee_minor as minor from settlement_fee
    where at >= ($1::date)::timestamp at time zone $3 and at < ($2::date)::timestamp at time zone $3`,
};

function ofLedger(which: string, minor: string): string {
  return `select player_id, billing_no, attempt_no, created_at as at, currency, ${minor} as minor from ledger_entry
    where ${which} and created_at >= ($1::date)::timestamp at time zone $3
      and created_at < ($2::date)::timestamp at time zone $3`;
}

/** In the order of the dimensions. @param answerMs patience for spans of years */
export function readMoneyReport(db: Queryable, input: MoneyReportInput, answerMs?: number): Promise<MoneyReportRow[]> {
  const { by, kind } = input;
  const columns = by.map((dimension) => `${EXPRESSIONS[dimension]} as "${dimension}"`).join(', ');
  const places = by.map((_dimension, index) => index + 1).join(', ');
  const discount = kind === 'revenue' ? ', sum(o.discount_minor)::bigint as discount_minor' : '';
  return query<MoneyReportRow>(
    db,
    // PostgreSQL knows 63 signs of a name; three tell the dimensions apart.
    `money_${kind}_${by.map((dimension) => dimension.slice(0, 3)).join('_')}`,
    `with m as (${MOVEMENTS[kind]})
     select ${columns}, count(*) as count, sum(m.minor)::bigint as amount_minor${discount} from m
       join orders o on o.player_id = m.player_id and o.billing_no = m.billing_no
       join payment_attempt a
         on a.player_id = m.player_id and a.billing_no = m.billing_no and a.attempt_no = m.attempt_no
     where ($4::text is null or o.brand_key = $4) group by ${places} order by ${places}`,
    [input.since, input.until, input.zone, input.brand],
    answerMs,
  );
}
