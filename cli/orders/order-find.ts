// `refill order find`: from what support is told to the order's number.
import { DAY_MS } from '#kernel/time.ts';
import type { Command } from 'commander';
import { toDecimal } from '#kernel/money.ts';
import type { FoundOrder } from '#server/modules/orders/operator/operate-find-store.ts';
import { type OrderFilter, NO_FILTER, searchOrders } from '#server/modules/orders/operator/search-store.ts';
import { ORDER_STATES, type OrderState } from '#server/modules/orders/rules.ts';
import { pageOf } from '#server/platform/cursor.ts';
import { describeBehind, withReads } from '#cli/database.ts';
import { readAmount, readCount, refuseUnknown } from '#cli/players/player-option.ts';
import { readDay, readPage, readTimes } from '#cli/times.ts';
import { InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type Options = {
  player?: string; role?: string; providerRef?: string; state?: string; brand?: string; country?: string; amount?: string;
  date?: string; since?: string; until?: string; before?: string; limit: string; json?: boolean;
}; /* a row a line */ // prettier-ignore

const LARGEST_LIMIT = 1000;

export function addFindCommand(order: Command, terminal: Terminal): void {
  order
    .command('find [number]')
    .description('find orders by a number or a part of it, or by what is known; the newest first')
    .option('--player <name>', "the player's login name or user id")
    .option('--role <name>', "the character's name or id")
    .option('--provider-ref <ref>', "a provider's id of the payment, or our reference of it")
    .option('--state <state>', ORDER_STATES.join(', '))
    .option('--brand <key>', 'of one brand')
    .option('--country <code>', 'e.g. JP')
    .option('--amount <currency=amount>', 'the price, e.g. USD=4.99')
    .option('--date <day>', 'placed on this day (UTC), e.g. 2026-11-21')
    .option(
      '--since <time>',
      'placed at or after: 2026-11-21 or 2026-11-21T08:30:00Z (UTC); a month ago unless a number, a player or a ' +
        'known reference leads to the order',
    )
    .option('--until <time>', 'placed before')
    .option('--limit <n>', 'at most so many', '50')
    .option('--before <cursor>', 'the page behind this one, as its last line names it')
    .option('--json', 'one JSON object instead of a table')
    .action(async (number: string | undefined, options: Options) => {
      // Before the filter: what was typed wrongly is told before what was not typed.
      const limit = readCount('--limit', options.limit, LARGEST_LIMIT);
      const before = readPage(options.before);
      const filter = readFilter(number, options);
      const { value: found, behindSeconds } = await withReads(terminal, async (db) => {
        const answer = await searchOrders(db, filter, { limit, before });
        if (answer.rows.length === 0) await refuseUnknown(db, filter);
        return answer;
      });
      const { rows: orders, next } = pageOf(found.rows, limit, (one) => one.billing_no);
      if (options.json) return printJson(terminal, { orders, next, days: found.days, behind_seconds: behindSeconds });
      const span = found.days === null ? '' : ` of the last ${found.days} days (--since looks further back)`;
      terminal.out(orders.length === 0 ? `No order${span} fits.` : drawOrders(orders));
      if (next) terminal.out(`More: --before ${next}`);
      if (behindSeconds !== null) terminal.out(describeBehind(behindSeconds));
    });
}

function readFilter(number: string | undefined, options: Options): OrderFilter {
  if (options.date !== undefined && (options.since !== undefined || options.until !== undefined))
    throw new InputFault('Say either --date, or --since and --until.');
  const day = options.date === undefined ? null : new Date(readDay('--date', options.date));
  const filter: OrderFilter = {
    ...NO_FILTER,
    number: number === undefined ? null : readPart(number),
    player: options.player ?? null,
    role: options.role ?? null,
    providerRef: options.providerRef ?? null,
    state: options.state === undefined ? null : readState(options.state),
    brand: options.brand ?? null,
    country: options.country?.toUpperCase() ?? null,
    amount: options.amount === undefined ? null : readAmount('--amount', options.amount),
    ...(day ? { since: day, until: new Date(day.getTime() + DAY_MS) } : readTimes(options)),
  };
  if (Object.values(filter).every((value) => value === null))
    throw new InputFault(
      'Say what to look for: a number, --player, --role, --provider-ref, --state, --brand, --country, --amount, ' +
        '--date, --since or --until.',
    );
  return filter;
}

/** Four characters at least: fewer fit half of all numbers. */
function readPart(text: string): string {
  const part = text.trim().toUpperCase();
  if (!/^[0-9A-Z]{4,26}$/.test(part))
    throw new InputFault(`"${text}" is no part of an order number: write 4 to 26 letters and digits.`);
  return part;
}

function readState(text: string): OrderState {
  const state = ORDER_STATES.find((known) => known === text);
  if (!state) throw new InputFault(`--state "${text}": it must be one of ${ORDER_STATES.join(', ')}.`);
  return state;
}

export function drawOrders(orders: readonly FoundOrder[]): string {
  return drawTable(
    ['ORDER', 'PLACED', 'STATE', 'AMOUNT', 'PRODUCT', 'PLAYER', 'CHARACTER', 'BRAND', 'REASON'],
    orders.map((one) => [
      one.billing_no,
      one.created_at,
      one.state,
      `${toDecimal({ amountMinor: one.amount_minor, currency: one.currency })} ${one.currency}`,
      one.product_id,
      one.username,
      `${one.role_name} (${one.server_name})`,
      one.brand_key,
      one.review_reason,
    ]),
  );
}
