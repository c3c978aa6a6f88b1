// A plan or a recovery as tables, for a person.
import { isCurrency, toDecimal } from '#kernel/money.ts';
import type { RecoveredReward } from '#server/modules/events/recover-rewards.ts';
import type { LeftOver } from '#server/modules/orders/recovery/compare-afterwards.ts';
import type { RecoveredMoney } from '#server/modules/orders/recovery/recover-money.ts';
import type { RecoveredOrder } from '#server/modules/orders/recovery/recover.ts';
import type { ErasedAgain } from '#server/modules/privacy/erasing/erase-again.ts';
import { drawTable } from '#cli/terminal.ts';

export type GameReport = { game: string; listed: number; lost: number; outcome: 'read' | 'not_offered' | 'not_set' };

const GAME_OUTCOMES: Readonly<Record<GameReport['outcome'], string>> = {
  read: '',
  not_offered: 'offers no "applied"',
  not_set: 'was not asked: its URL and SECRETS are not set here',
};

export const isTaken = ({ outcome }: { readonly outcome: string }): boolean =>
  outcome === 'adopted' || outcome === 'known';

export type RecoverReport = {
  ok: boolean;
  since: Date;
  done: boolean;
  games: readonly GameReport[];
  providers_without_list: readonly string[];
  providers_failed: readonly { provider: string; reason: string }[];
  unreadable_lines: number;
  orders: readonly RecoveredOrder[];
  rewards: readonly RecoveredReward[];
  money: readonly RecoveredMoney[];
  erased: readonly ErasedAgain[];
  left: readonly LeftOver[];
  invariants: readonly string[];
};

export function draw(report: RecoverReport): string {
  const parts = [
    drawTable(
      ['GAME', 'ORDERS LISTED', 'NOT KNOWN HERE', ''],
      report.games.map((one) => [one.game, one.listed, one.lost, GAME_OUTCOMES[one.outcome]]),
    ),
  ];
  const [taken, open] = [report.orders.filter(isTaken), report.orders.filter((one) => !isTaken(one))];
  const rows = (orders: readonly RecoveredOrder[]) =>
    orders.map((one) => [one.billing_no, one.game, one.tender, amount(one), one.provider_says, one.outcome]);
  const head = ['ORDER', 'GAME', 'PAID BY', 'AMOUNT', 'PROVIDER SAYS', 'OUTCOME'];
  if (taken.length > 0)
    parts.push(`${report.done ? 'Taken in' : 'To be taken in'}: ${taken.length}\n${drawTable(head, rows(taken))}`);
  const decided = [
    ...taken.map((one) => ({ first: one.billing_no, decisions: one.decisions })),
    ...report.rewards.map((one) => ({ first: one.reward_no, decisions: one.decisions })),
  ].flatMap(({ first, decisions }) => decisions.map(({ decision, second = null }) => ({ first, decision, second })));
  if (decided.length > 0)
    parts.push(
      `Used twice, decided by rule:\n${drawTable(
        ['DECISION', 'FIRST', 'SECOND', 'FOLLOWS'],
        decided.map((one) => [one.decision, one.first, one.second, FOLLOWS[one.decision]]),
      )}`,
    );
  if (open.length > 0) parts.push(`For a person: ${open.length} orders\n${drawTable(head, rows(open))}`);
  if (report.rewards.length > 0)
    parts.push(
      `Rewards of events:\n${drawTable(
        ['REWARD', 'GAME', 'FOR', 'OUTCOME'],
        report.rewards.map((one) => [one.reward_no, one.game, one.issue_key, one.outcome]),
      )}`,
    );
  if (report.money.length > 0)
    parts.push(
      `Money beside:\n${drawTable(
        ['PROVIDER', 'FROM', 'MOVEMENT', 'REFERENCE', 'AMOUNT', 'OUTCOME'],
        report.money.map((one) => [one.provider, one.source, one.movement, one.reference, amount(one), one.outcome]),
      )}`,
    );
  for (const one of report.money)
    if (one.outcome === 'unknown_order' && one.movement === 'payment')
      parts.push(
        `Paid, and nobody knows what for: ask the player, then\n  ${commandFor(one)}\nor the same with --refund, ` +
          'and any product of that price.',
      );
  if (report.unreadable_lines > 0)
    parts.push(`${report.unreadable_lines} lines cannot be read: see \`refill reconcile\`.`);
  if (report.providers_without_list.length > 0)
    parts.push(`Asked order by order, without a list or a file: ${report.providers_without_list.join(', ')}.`);
  for (const one of report.providers_failed) parts.push(`${one.provider} gave no list: ${one.reason}`);
  if (report.erased.length > 0)
    parts.push(
      `Erased since the backup, ${report.done ? 'erased again' : 'to be erased again'}:\n${drawTable(
        ['PLAYER', 'OUTCOME', 'BECAUSE OF'],
        report.erased.map((one) => [one.player_id, one.outcome, one.reasons.join(', ')]),
      )}`,
    );
  if (report.left.length > 0)
    parts.push(
      `Still different:\n${drawTable(
        ['WITH', 'ORDER', 'DIFFERENCE'],
        report.left.map((one) => [one.with, one.billing_no, one.kind]),
      )}`,
    );
  if (report.invariants.length > 0) parts.push(`The books are broken: ${report.invariants.join(', ')}.`);
  if (!report.done) parts.push('Nothing was changed. With --yes it is done.');
  else if (report.ok) parts.push('Games, providers and books agree.');
  return parts.join('\n\n');
}

const FOLLOWS: Readonly<Record<string, string>> = {
  card_spent_twice: 'the second order is left without money; its goods are yours to decide',
  balance_spent_twice: 'the second order is left without money; its goods are yours to decide',
  coupon_used_twice: 'the second order keeps its price; the shop bears it',
  bonus_given_twice: 'both keep it',
  limit_exceeded: 'one more than the limit',
  stock_exceeded: 'one more than the stock',
  reward_stopped: 'the second one is not handed over',
  reward_given_twice: 'both are in the game; taking one back is yours to decide',
  code_exceeded: 'one use more than the code had',
};

const amount = ({ amount_minor: minor, currency }: { amount_minor: number | null; currency: string | null }) =>
  minor !== null && currency && isCurrency(currency)
    ? `${toDecimal({ amountMinor: minor, currency })} ${currency}`
    : null;

/** A person runs this once the player has said what they bought. */
const commandFor = (one: RecoveredMoney): string =>
  `refill order adopt ${one.reference} --provider ${one.provider} --amount ${
    one.amount_minor !== null && one.currency && isCurrency(one.currency)
      ? `${one.currency}=${toDecimal({ amountMinor: one.amount_minor, currency: one.currency })}`
      : '<currency>=<amount>'
  } --brand <key> --player <player> --client <id> --product <id> --server <id> --role <id>`;
