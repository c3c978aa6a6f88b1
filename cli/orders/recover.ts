// `refill recover`: what games and providers know and a restored database does not, as a plan, and taken into the
// books.
import type { Command } from 'commander';
import ora from 'ora';
import type { GameId } from '#kernel/ids.ts';
import {
  type LostGrant,
  type MoneyMoved,
  readGame,
  readInbox,
  readLines,
  readProviderLists,
} from '#server/modules/orders/recovery/evidence.ts';
import { recoverMoney } from '#server/modules/orders/recovery/recover-money.ts';
import { recoverOrders } from '#server/modules/orders/recovery/recover.ts';
import { compareAfterwards } from '#server/modules/orders/recovery/compare-afterwards.ts';
import { type LostReward, findLostRewards, recoverRewards } from '#server/modules/events/recover-rewards.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { eraseAgain } from '#server/modules/privacy/erasing/erase-again.ts';
import { readErased } from '#server/modules/privacy/erasing/erased-record.ts';
import { locateErasedRecord } from '#server/platform/record/locate-record.ts';
import { openRecordFolder } from '#server/platform/record/record-folder.ts';
import { readActor } from '#cli/players/player-option.ts';
import { type CommandShop, withShop } from '#cli/shop.ts';
import { readTime } from '#cli/times.ts';
import { askGame } from './ask-game.ts';
import { type GameReport, draw, isTaken } from './recover-report.ts';
import { readSettlementFile, requireFile } from './settlement-files.ts';
import { EXIT, InputFault, type Terminal, printJson } from '#cli/terminal.ts';

type Options = {
  since: string;
  file?: string[];
  erased?: string[];
  plan?: boolean;
  yes?: boolean;
  by?: string;
  json?: boolean;
};

export function addRecoverCommand(program: Command, terminal: Terminal): void {
  program
    .command('recover')
    .description(
      'after a restored backup: take what games and providers know and the database does not into the books; ' +
        'exit code 1 when something is left for a person',
    )
    .requiredOption('--since <time>', 'the moment that the backup holds, or earlier')
    .option('--file <provider=path...>', 'settlement files of providers that have no list, as downloaded')
    .option('--erased <folder...>', 'records of erased persons of other machines, beside the one of this machine')
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
  const { lost, rewards, games } = await askGames(shop, since);
  const money = await readMoney(shop, since, files);
  progress.text = `${lost.length} orders that are not known here`;
  const deps = { db: shop.db, payments: shop.payments, settle: shop.settle, by: readActor(options.by), isActing };
  const orders = await recoverOrders(deps, lost, (count) => {
    progress.text = `${count} of ${lost.length} orders`;
  });
  const adopted = new Set(orders.filter(isTaken).map((one) => one.billing_no));
  const received = await recoverRewards(deps, rewards);
  const others = await recoverMoney(deps, money.moved, adopted);
  const left = isActing ? await compareAfterwards(shop, since, money.moved) : [];
  // Last: what was taken in of an erased person goes with them.
  const erased = await eraseAgain(deps, await readErased(erasedFolders(shop.config, options.erased ?? []), since));
  const broken = isActing ? (await checkInvariants(shop.db)).filter((one) => one.breaches > 0) : [];
  progress.stop();
  const open = [
    ...[...orders, ...received].filter((one) => !isTaken(one)),
    ...others.filter((one) => one.outcome !== 'booked'),
    ...erased.filter((one) => one.outcome !== 'erased'),
  ];
  const isOk = open.length + left.length + broken.length + money.unreadable + money.failed.length === 0;
  if (!isOk) terminal.setExitCode(EXIT.fault);
  const report = {
    ok: isOk,
    since,
    done: isActing,
    games,
    providers_without_list: money.silent,
    providers_failed: money.failed,
    unreadable_lines: money.unreadable,
    orders,
    rewards: received,
    money: others,
    erased,
    left,
    invariants: broken.map((one) => one.invariant),
  };
  if (options.json) return printJson(terminal, report);
  terminal.out(draw(report));
}

/** Every game of the configuration that has an address; one that cannot be reached ends the command. */
async function askGames(
  shop: CommandShop,
  since: Date,
): Promise<{ lost: LostGrant[]; rewards: LostReward[]; games: GameReport[] }> {
  const { environment, keySecrets } = shop.config;
  const lost: LostGrant[] = [];
  const rewards: LostReward[] = [];
  const games: GameReport[] = [];
  for (const gameId of shop.configuration.games.keys()) {
    const server = shop.games.gameServer(gameId);
    if (!server) {
      games.push({ game: gameId, listed: 0, lost: 0, outcome: 'not_set' });
      continue;
    }
    const input = { gameId: gameId as GameId, since, environment, keySecrets };
    const found = await askGame(shop, gameId, () =>
      readGame(shop.db, server, input, async (others) => {
        rewards.push(...(await findLostRewards(shop.db, others, input)));
      }),
    );
    lost.push(...found.lost);
    const outcome = found.isOffered ? 'read' : 'not_offered';
    games.push({ game: gameId, listed: found.listed, lost: found.lost.length, outcome });
  }
  return { lost, rewards, games };
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
    const lines = readSettlementFile(provider, path, known.readSettlement);
    const read = await readLines(lines, { provider, source: 'file', since });
    moved.push(...read.moved);
    unreadable += read.unreadable;
  }
  const silent = lists.silent.filter((name) => !files.some((one) => one.provider === name));
  return { moved, silent, failed: lists.failed, unreadable };
}

async function readFiles(given: readonly string[]): Promise<{ provider: string; path: string }[]> {
  const files = given.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new InputFault(`--file "${text}": write <provider>=<path>, e.g. adyen=report.csv.`);
    return { provider: text.slice(0, at), path: text.slice(at + 1) };
  });
  for (const { provider, path } of files) await requireFile(path, `${provider}=${path}`);
  return files;
}

function readSince(text: string): Date {
  const time = readTime('--since', text);
  if (time.getTime() > Date.now()) throw new InputFault(`--since "${text}": it must be in the past.`);
  return time;
}

const erasedFolders = (config: CommandShop['config'], others: readonly string[]) =>
  [locateErasedRecord(config), ...others].map(openRecordFolder);
