// SQL of the reports of finance: sums over the ledger, with what an order and its payment say beside. Each figure is a
// sum of ledger entries of one account and of named kinds, so that a test, or an auditor, can add them up again.
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import { readSpan } from './days-store.ts';
import type { Dimension, MoneyReportKind } from './money-report-rules.ts';

export type MoneyReportRow = Partial<Record<Exclude<Dimension, 'currency'>, string>> & {
  currency: Currency;
  /** Bookings: of revenue the delivered orders. */
  count: number;
  amount_minor: number;
  /** Of revenue alone: what of it coupons, offers and codes took off, so that nobody paid it. */
  discount_minor?: number;
  /** Of revenue alone: what refunds took back from the account revenue. Chargebacks are a loss of their own. */
  refunded_minor?: number;
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
  day: `to_char(b.at at time zone $4, 'YYYY-MM-DD')`,
  brand: 'b.brand_key',
  game: 'b.game_id',
  country: 'b.country',
  method: 'b.method',
  channel: 'b.channel',
  provider: 'b.provider',
  currency: 'b.currency',
};

/** Which bookings a report is of, in the ledger and in the sums of months that are in files alike. */
const BOOKINGS: Readonly<Record<Exclude<MoneyReportKind, 'fees'>, string>> = {
  revenue: `account = 'revenue'`,
  refunds: `account = 'provider_receivable' and (kind in ('refunded', 'overpayment_refunded', 'refund_failed',
    'refund_repaid') or kind like 'part\\_refunded\\_%')`,
  chargebacks: `account = 'provider_receivable' and kind = 'chargeback'`,
};

const inSpan = (column: string): string => `${column} >= $1 and ${column} < $2`;

/** Movements (player_id, billing_no, attempt_no, at, currency, minor) of a span. */
function movementsOf(kind: MoneyReportKind): string {
  return kind === 'fees'
    ? `select player_id, billing_no, attempt_no, at, currency, 'fee' as kind, fee_minor as minor
      from settlement_fee where ${inSpan('at')}`
    : `select player_id, billing_no, attempt_no, created_at as at, currency, kind, -amount_minor as minor
       from ledger_entry
       where ${BOOKINGS[kind]} and ${inSpan('created_at')}`;
}

/** The same of archived months, in sums. */
function archivedOf(kind: MoneyReportKind): string {
  const which = kind === 'fees' ? `kind = 'fee'` : BOOKINGS[kind];
  const minor = kind === 'fees' ? 'amount_minor' : '-amount_minor';
  return `select at, brand_key, game_id, country, method, '' as channel, provider, currency, kind, entries, ${minor} as minor,
       discount_minor
     from ledger_archived where ${which} and ${inSpan('at')}`;
}

/** In the order of the dimensions. @param answerMs patience for spans of years */
export async function readMoneyReport(
  db: Queryable,
  input: MoneyReportInput,
  answerMs?: number,
): Promise<MoneyReportRow[]> {
  const { by, kind } = input;
  // Before the report, whose rows would each compute it anew.
  const { from, to } = await readSpan(db, input);
  const columns = by.map((dimension) => `${EXPRESSIONS[dimension]} as "${dimension}"`).join(', ');
  const places = by.map((_dimension, index) => index + 1).join(', ');
  // Everything else in the account is what a refund took back, on the day of the refund.
  const delivered = `b.kind = 'delivered'`;
  const sums =
    kind === 'revenue'
      ? `coalesce(sum(b.entries) filter (where ${delivered}), 0)::bigint as count,
         coalesce(sum(b.minor) filter (where ${delivered}), 0)::bigint as amount_minor,
         coalesce(sum(b.discount_minor) filter (where ${delivered}), 0)::bigint as discount_minor,
         coalesce(-sum(b.minor) filter (where not ${delivered}), 0)::bigint as refunded_minor`
      : 'sum(b.entries)::bigint as count, sum(b.minor)::bigint as amount_minor';
  return query<MoneyReportRow>(
    db,
    // PostgreSQL reads 63 bytes of a name; three letters tell the dimensions apart.
    `money_${kind}_${by.map((dimension) => dimension.slice(0, 3)).join('_')}`,
    `with m as (${movementsOf(kind)}), booked as (
       -- Attempts from before there were methods have their channel.
       select m.at, o.brand_key, o.game_id, o.country, coalesce(nullif(a.method, ''), a.channel_key) as method,
         a.channel_key as channel, a.provider, m.currency, m.kind, 1 as entries, m.minor, o.discount_minor
       from m join orders o on o.player_id = m.player_id and o.billing_no = m.billing_no
         join payment_attempt a
           on a.player_id = m.player_id and a.billing_no = m.billing_no and a.attempt_no = m.attempt_no
       union all ${archivedOf(kind)}
     )
     select ${columns}, ${sums} from booked b
     where ($3::text is null or b.brand_key = $3) group by ${places} order by ${places}`,
    [from, to, input.brand, ...(by.includes('day') ? [input.zone] : [])],
    answerMs,
  );
}
