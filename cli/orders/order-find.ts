// `refill order find`: from what support is told to the order's number.
import type { Command } from 'commander';
import { toDecimal } from '#kernel/money.ts';
import { type FoundOrder, type OrderFilter, findOrders } from '#server/modules/orders/operator/operate-find-store.ts';
import { ORDER_STATES, type OrderState } from '#server/modules/orders/rules.ts';
import { withDatabase } from '#cli/database.ts';
import { readTime } from '#cli/times.ts';
import { InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type Options = {
  player?: string; role?: string; providerRef?: string; state?: string; since?: string; until?: string; limit: string; json?: boolean;
}; // prettier-ignore

const LARGEST_LIMIT = 1000;

export function addFindCommand(order: Command, terminal: Terminal): void {
  order
    .command('find')
    .description('find orders; the newest first')
    .option('--player <name>', "the player's login name or user id")
    .option('--role <name>', "the character's name or id")
    .option('--provider-ref <ref>', "a provider's id of the payment, or our reference of it")
    .option('--state <state>', ORDER_STATES.join(', '))
    .option('--since <time>', 'placed at or after: 2026-11-21 or 2026-11-21T08:30:00Z (UTC)')
    .option('--until <time>', 'placed before')
    .option('--limit <n>', 'at most so many', '50')
    .option('--json', 'one JSON object instead of a table')
    .action(async (options: Options) => {
      const filter = readFilter(options);
      if (!/^[1-9]\d{0,3}$/.test(options.limit) || Number(options.limit) > LARGEST_LIMIT)
        throw new InputFault(`--limit "${options.limit}": it must be a number from 1 to ${LARGEST_LIMIT}.`);
      const orders = await withDatabase({ isMigrating: false, environment: terminal.environment }, (db) =>
        findOrders(db, filter, Number(options.limit)),
      );
      if (options.json) return printJson(terminal, { orders });
      terminal.out(orders.length === 0 ? 'No order fits.' : drawOrders(orders));
    });
}

function readFilter(options: Options): OrderFilter {
  const filter: OrderFilter = {
    player: options.player ?? null,
    role: options.role ?? null,
    providerRef: options.providerRef ?? null,
    state: options.state === undefined ? null : readState(options.state),
    since: options.since === undefined ? null : readTime('--since', options.since),
    until: options.until === undefined ? null : readTime('--until', options.until),
  };
  if (Object.values(filter).every((value) => value === null))
    throw new InputFault('Say what to look for: --player, --role, --provider-ref, --state, --since or --until.');
  return filter;
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
