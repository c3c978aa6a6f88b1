// `refill recover`: what games and providers know and a restored database does not, as a plan, and taken into the books.
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Command } from 'commander';
import ora from 'ora';
import type { GameId } from '#kernel/ids.ts';
import { isCurrency, toDecimal } from '#kernel/money.ts';
import {
  type LostGrant,
  type MoneyMoved,
  readGame,
  readInbox,
  readLines,
  readProviderLists,
} from '#server/modules/orders/recovery/evidence.ts';
import { type RecoveredMoney, recoverMoney } from '#server/modules/orders/recovery/recover-money.ts';
import { type RecoveredOrder, recoverOrders } from '#server/modules/orders/recovery/recover.ts';
import { type LeftOver, compareAfterwards } from '#server/modules/orders/recovery/compare-afterwards.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { readActor } from '#cli/players/player-option.ts';
import { type CommandShop, withShop } from '#cli/shop.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type Options = { since: string; file?: string[]; plan?: boolean; yes?: boolean; by?: string; json?: boolean };

export function addRecoverCommand(program: Command, terminal: Terminal): void {
  program
    .command('recover')
    .description(
      'after a restored backup: take what games and providers know and the database does not into the books; exit code 1 when something is left for a person',
    )
    .requiredOption('--since <time>', 'the moment that the backup holds, or earlier')
    .option('--file <provider=path...>', 'settlement files of providers that have no list, as downloaded')
    .option('--plan', 'show what would be done, and change nothing; so also without --yes')
    .option('--yes', 'do it')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of tables')
    .action(async (options: Options) => {
      if (options.plan && options.yes) throw new InputFault('Say either --plan or --yes.');
      const since = readSince(options.since);
      const files = await readFiles(options.file ?? []);
      const progress = ora({ stream: process.stderr, isSilent: options.json === true || !process.stderr.isTTY });
      try {
        await withShop(terminal, (shop) => recover(terminal, shop, { since, files, options, progress }));
      } finally {
        progress.stop();
      }
    });
}

type Wanted = {
  readonly since: Date;
  readonly files: readonly { provider: string; path: string }[];
  readonly options: Options;
  readonly progress: ReturnType<typeof ora>;
};

async function recover(terminal: Terminal, shop: CommandShop, { since, files, options, progress }: Wanted) {
  const isActing = options.yes === true;
  progress.start('Asking games and providers');
  const { lost, games } = await askGames(shop, since);
  const money = await readMoney(shop, since, files);
  progress.text = `${lost.length} orders that are not known here`;
  const deps = { db: shop.db, payments: shop.payments, settle: shop.settle, by: readActor(options.by), isActing };
  const orders = await recoverOrders(deps, lost, (count) => {
    progress.text = `${count} of ${lost.length} orders`;
  });
  const adopted = new Set(orders.filter(isTaken).map((one) => one.billing_no));
  const others = await recoverMoney(deps, money.moved, adopted);
  const left = isActing ? await compareAfterwards(shop, since, money.moved) : [];
  const broken = isActing ? (await checkInvariants(shop.db)).filter((one) => one.breaches > 0) : [];
  progress.stop();
  const open = orders.filter((one) => !isTaken(one));
  const openMoney = others.filter((one) => one.outcome !== 'booked');
  const isOk =
    open.length + openMoney.length + left.length + broken.length + money.unreadable + money.failed.length === 0;
  if (!isOk) terminal.setExitCode(EXIT.fault);
  const told = {
    ok: isOk,
    since,
    done: isActing,
    games,
    providers_without_list: money.silent,
    providers_failed: money.failed,
    unreadable_lines: money.unreadable,
    orders,
    money: others,
    left,
    invariants: broken.map((one) => one.invariant),
  };
  if (options.json) return printJson(terminal, told);
  terminal.out(draw(told));
}

const isTaken = (one: RecoveredOrder): boolean => one.outcome === 'adopted' || one.outcome === 'known';

type GameTold = { game: string; listed: number; lost: number; outcome: 'read' | 'not_offered' };

/** Every game of the configuration that has an address; one that cannot be reached ends the command. */
async function askGames(shop: CommandShop, since: Date): Promise<{ lost: LostGrant[]; games: GameTold[] }> {
  const lost: LostGrant[] = [];
  const games: GameTold[] = [];
  for (const gameId of shop.configuration.games.keys()) {
    const server = shop.games.gameServer(gameId);
    if (!server) continue;
    const found = await readGame(shop.db, server, {
      gameId: gameId as GameId,
      since,
      keySecrets: shop.config.keySecrets,
    });
    lost.push(...found.lost);
    const outcome = found.isOffered ? 'read' : 'not_offered';
    games.push({ game: gameId, listed: found.listed, lost: found.lost.length, outcome });
  }
  return { lost, games };
}

async function readMoney(shop: CommandShop, since: Date, files: Wanted['files']) {
  const names = shop.providers.map((one) => one.name);
  const lists = await readProviderLists(shop.payments, names, since);
  const moved: MoneyMoved[] = [...lists.moved, ...(await readInbox(shop.db))];
  let { unreadable } = lists;
  for (const { provider, path } of files) {
    const known = shop.providers.find((one) => one.name === provider);
    if (!known?.readSettlement) {
      const able = shop.providers.filter((one) => one.readSettlement).map((one) => one.name);
      throw new InputFault(`--file "${provider}=...": the provider must be one of ${able.join(', ')}.`);
    }
    const lines = known.readSettlement(createReadStream(path));
    const read = await readLines(lines, { provider, source: 'file', since });
    moved.push(...read.moved);
    unreadable += read.unreadable;
  }
  const silent = lists.silent.filter((name) => !files.some((one) => one.provider === name));
  return { moved, silent, failed: lists.failed, unreadable };
}

type Told = {
  since: Date;
  done: boolean;
  games: readonly GameTold[];
  providers_without_list: readonly string[];
  providers_failed: readonly { provider: string; reason: string }[];
  unreadable_lines: number;
  orders: readonly RecoveredOrder[];
  money: readonly RecoveredMoney[];
  left: readonly LeftOver[];
  invariants: readonly string[];
};

function draw(told: Told): string {
  const parts = [
    drawTable(
      ['GAME', 'ORDERS LISTED', 'NOT KNOWN HERE', ''],
      told.games.map((one) => [one.game, one.listed, one.lost, one.outcome === 'read' ? '' : 'offers no "applied"']),
    ),
  ];
  const [taken, open] = [told.orders.filter(isTaken), told.orders.filter((one) => !isTaken(one))];
  const rows = (orders: readonly RecoveredOrder[]) =>
    orders.map((one) => [one.billing_no, one.game, one.tender, amount(one), one.provider_says, one.outcome]);
  const head = ['ORDER', 'GAME', 'PAID BY', 'AMOUNT', 'PROVIDER SAYS', 'OUTCOME'];
  if (taken.length > 0)
    parts.push(`${told.done ? 'Taken in' : 'To be taken in'}: ${taken.length}\n${drawTable(head, rows(taken))}`);
  const decided = taken.flatMap((one) => one.decisions.map((decision) => ({ first: one.billing_no, ...decision })));
  if (decided.length > 0)
    parts.push(
      `Used twice, decided by rule:\n${drawTable(
        ['DECISION', 'FIRST', 'SECOND', 'FOLLOWS'],
        decided.map((one) => [one.decision, one.first, one.second ?? null, FOLLOWS[one.decision]]),
      )}`,
    );
  if (open.length > 0) parts.push(`For a person: ${open.length} orders\n${drawTable(head, rows(open))}`);
  if (told.money.length > 0)
    parts.push(
      `Money beside:\n${drawTable(
        ['PROVIDER', 'FROM', 'MOVEMENT', 'REFERENCE', 'AMOUNT', 'OUTCOME'],
        told.money.map((one) => [one.provider, one.source, one.movement, one.reference, amount(one), one.outcome]),
      )}`,
    );
  if (told.unreadable_lines > 0) parts.push(`${told.unreadable_lines} lines cannot be read: see \`refill reconcile\`.`);
  if (told.providers_without_list.length > 0)
    parts.push(`Asked order by order, without a list or a file: ${told.providers_without_list.join(', ')}.`);
  for (const one of told.providers_failed) parts.push(`${one.provider} gave no list: ${one.reason}`);
  if (told.left.length > 0)
    parts.push(
      `Still different:\n${drawTable(
        ['WITH', 'ORDER', 'DIFFERENCE'],
        told.left.map((one) => [one.with, one.billing_no, one.kind]),
      )}`,
    );
  if (told.invariants.length > 0) parts.push(`The books are broken: ${told.invariants.join(', ')}.`);
  if (!told.done) parts.push('Nothing was changed. With --yes it is done.');
  else if (told.left.length + open.length === 0) parts.push('Games, providers and books agree.');
  return parts.join('\n\n');
}

const FOLLOWS: Readonly<Record<string, string>> = {
  card_spent_twice: 'the second order is left without money; its goods are yours to decide',
  balance_spent_twice: 'the second order is left without money; its goods are yours to decide',
  coupon_used_twice: 'the second order keeps its price; the shop bears it',
  bonus_given_twice: 'both keep it',
  limit_exceeded: 'one more than the limit',
  stock_exceeded: 'one more than the stock',
  code_exceeded: 'one use more than the code had',
};

const amount = ({ amount_minor: minor, currency }: { amount_minor: number | null; currency: string | null }) =>
  minor !== null && currency && isCurrency(currency)
    ? `${toDecimal({ amountMinor: minor, currency })} ${currency}`
    : null;

async function readFiles(given: readonly string[]): Promise<{ provider: string; path: string }[]> {
  const files = given.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new InputFault(`--file "${text}": write <provider>=<path>, e.g. adyen=report.csv.`);
    return { provider: text.slice(0, at), path: text.slice(at + 1) };
  });
  for (const { path } of files)
    await access(path).catch(() => {
      throw new InputFault(`--file "${path}": it cannot be read.`);
    });
  return files;
}

function readSince(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time.getTime() > Date.now())
    throw new InputFault(`--since "${text}": write a moment of the past, e.g. 2026-11-21T08:30:00Z.`);
  return time;
}
