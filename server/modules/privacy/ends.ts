// Lists the rows that end by themselves: which function of the database ends rows of which tables, by which span.
import { RETENTION, type RetentionName } from '#contracts/retention.ts';

export type End = {
  /** Its function is `end_<what>`, its row of retention_end has this name. */
  readonly what: string;
  readonly keep: RetentionName;
  readonly tables: readonly string[];
};

/** Messages to the operator's systems end with their loop (`server/modules/webhooks/webhook-loop.ts`). */
export const ENDS: readonly End[] = [
  { what: 'sessions', keep: 'sessions', tables: ['session'] },
  { what: 'logins', keep: 'logins', tables: ['login_attempt', 'login_link', 'backup_token', 'login_guard'] },
  { what: 'devices', keep: 'devices', tables: ['known_device'] },
  { what: 'card_tries', keep: 'cardTries', tables: ['card_try'] },
  { what: 'idempotency', keep: 'idempotency', tables: ['idempotency'] },
  { what: 'callbacks', keep: 'callbacks', tables: ['callback_inbox'] },
  { what: 'refused_callbacks', keep: 'callbacks', tables: ['callback_refused'] },
  { what: 'exchanges', keep: 'exchanges', tables: ['payment_attempt'] },
  { what: 'reports', keep: 'reports', tables: ['error_report'] },
  { what: 'visits', keep: 'visits', tables: ['track_call'] },
  { what: 'calls', keep: 'calls', tables: ['admin_call'] },
];

type BrandFiles = ReadonlyMap<string, { readonly file: { readonly retention?: Partial<Record<string, number>> } }>;

/**
 * Days by brand, and under `*` the longest of them: rows without a brand, and of brands that are gone, are kept for as
 * long as those of any brand, so that none ends before its time.
 */
export function daysOf(keep: RetentionName, brands: BrandFiles): Readonly<Record<string, number>> {
  const byDefault = RETENTION[keep].days;
  const days = Object.fromEntries(
    [...brands].map(([brand, { file }]) => [brand, file.retention?.[keep] ?? byDefault] as const),
  );
  const longest = brands.size === 0 ? byDefault : Math.max(...Object.values(days));
  // A brand that keeps as long as the rest need not be named: the fewer spans, the less there is to walk.
  return { ...Object.fromEntries(Object.entries(days).filter(([, one]) => one !== longest)), '*': longest };
}
