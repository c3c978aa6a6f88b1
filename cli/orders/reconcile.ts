// `refill reconcile`: our books against a provider's settlement file, or our deliveries against a game's own list.
import { DAY_MS } from '#kernel/time.ts';
import type { Command } from 'commander';
import ora from 'ora';
import type { GameId } from '#kernel/ids.ts';
import { isCurrency, toDecimal } from '#kernel/money.ts';
import { type GameReconciliation, reconcileGame } from '#server/modules/orders/reconcile/reconcile-game.ts';
import { type Reconciliation, reconcileSettlement } from '#server/modules/orders/reconcile/reconcile.ts';
import { requireAdapters } from '#server/own-modules/load-modules.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { withDatabase } from '#cli/database.ts';
import { withShop } from '#cli/shop.ts';
import { readDay, readTime, readZone } from '#cli/times.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { askGame, describeUnset, listGames } from './ask-game.ts';
import { readSettlementFile, requireFile } from './settlement-files.ts';

type Options = {
  provider?: string;
  game?: string;
  date?: string;
  file?: string[];
  zone: string;
  since?: string;
  json?: boolean;
};

export function addReconcileCommands(program: Command, terminal: Terminal): void {
  program
    .command('reconcile')
    .description('compare our books with the other side; exit code 1 when anything differs')
    .option('--provider <name>', 'a payment provider, with its settlement file')
    .option('--date <date>', 'the day of the file, YYYY-MM-DD')
    .option('--file <paths...>', 'settlement files as downloaded; standard input unless given')
    .option('--zone <zone>', 'time zone of the day', 'UTC')
    .option('--game <id>', 'a game instead of a provider: the grants that it carried out')
    .option('--since <time>', 'with --game: since when; a day ago unless given')
    .option('--json', 'one JSON object instead of tables')
    .action(async (options: Options) => {
      if ((options.provider === undefined) === (options.game === undefined))
        throw new InputFault('Say what to reconcile: either --provider or --game.');
      if (options.provider !== undefined && options.since !== undefined)
        throw new InputFault('--since is for a --game; the file of a --provider is of one day: --date.');
      if (options.game !== undefined && (options.date !== undefined || options.file !== undefined))
        throw new InputFault('--date and --file are for a --provider; a --game is asked --since when.');
      const progress = ora({ stream: process.stderr, isSilent: options.json === true || !process.stderr.isTTY });
      try {
        if (options.game !== undefined) await runGame(terminal, options, options.game, progress);
        else await runProvider(terminal, options, options.provider ?? '', progress);
      } finally {
        progress.stop();
      }
    });
}

type Progress = ReturnType<typeof ora>;

async function runProvider(terminal: Terminal, options: Options, name: string, progress: Progress) {
  const { providers } = await requireAdapters(locateShop(terminal.environment));
  const provider = providers.find((one) => one.name === name);
  const known = providers.filter((one) => one.readSettlement).map((one) => one.name);
  if (!provider?.readSettlement) throw new InputFault(`--provider "${name}": it must be one of ${known.join(', ')}.`);
  const date = readDate(options.date);
  const zone = readZone(options.zone);
  const lines = readAll(name, provider.readSettlement, await findFiles(options.file));
  progress.start('Reading the settlement file');
  const found = await withDatabase({ environment: terminal.environment }, (db) =>
    reconcileSettlement(db, { provider: name, date, zone, lines }, (count) => {
      progress.text = `Read ${count.toLocaleString('en')} lines`;
    }),
  );
  progress.stop();
  const isOk = found.differences.length === 0 && found.unreadable.length === 0;
  if (!isOk) terminal.setExitCode(EXIT.fault);
  const { otherDay, ...rest } = found;
  if (options.json) return printJson(terminal, { ok: isOk, provider: name, date, zone, ...rest, other_day: otherDay });
  terminal.out(drawSettlement(found, `${name}, ${date} ${zone}`));
}

const STANDARD_INPUT = '-';

/** Several files are read one after the other as one. */
async function* readAll<Line>(
  provider: string,
  read: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Line>,
  paths: readonly string[],
): AsyncGenerator<Line> {
  for (const path of paths)
    yield* readSettlementFile(provider, path, read, path === STANDARD_INPUT ? process.stdin : undefined);
}

async function findFiles(paths: readonly string[] = [STANDARD_INPUT]): Promise<readonly string[]> {
  if (paths.join() === STANDARD_INPUT) {
    if (process.stdin.isTTY) throw new InputFault('Name the settlement file with --file, or pipe it in.');
    return paths;
  }
  for (const path of paths) await requireFile(path);
  return paths;
}

function drawSettlement(found: Reconciliation, title: string): string {
  const amount = (minor: number | null, currency: string | null) =>
    minor === null
      ? null
      : currency && isCurrency(currency)
        ? `${toDecimal({ amountMinor: minor, currency })} ${currency}`
        : `${minor} ${currency ?? ''}`;
  const parts = [
    `${title}: ${found.lines} lines of money in the file.`,
    drawTable(
      ['CURRENCY', 'THERE', 'HERE', 'OFF BY', 'EQUAL'],
      found.totals.map((one) => [
        one.currency,
        amount(one.there, one.currency),
        amount(one.here, one.currency),
        amount(one.there - one.here, one.currency),
        one.equal,
      ]),
    ),
  ];
  if (found.differences.length > 0)
    parts.push(
      drawTable(
        ['DIFFERENCE', 'LINE', 'ORDER', '#', 'MOVEMENT', 'THERE', 'HERE'],
        found.differences.map((one) => [
          one.kind,
          one.line,
          one.billing_no ?? one.reference,
          one.attempt_no,
          one.movement_there === one.movement_here
            ? one.movement_there
            : [one.movement_there, one.movement_here].filter(Boolean).join(' / '),
          amount(one.amount_there, one.currency_there),
          amount(one.amount_here, one.currency_here),
        ]),
      ),
    );
  for (const { line, reason } of found.unreadable) parts.push(`Line ${line} cannot be read: ${reason}.`);
  if (found.otherDay.length > 0)
    parts.push(`${found.otherDay.length} more are equal but fell on the other side of midnight.`);
  const count = found.differences.length + found.unreadable.length;
  parts.push(count === 0 ? 'Both sides agree.' : `${count} difference${count === 1 ? '' : 's'}.`);
  return parts.join('\n\n');
}

async function runGame(terminal: Terminal, options: Options, gameId: string, progress: Progress) {
  const since = readSince(options.since);
  const found = await withShop(terminal, async (shop): Promise<GameReconciliation> => {
    const game = shop.games.gameServer(gameId);
    if (!shop.configuration.games.has(gameId as GameId))
      throw new InputFault(`--game "${gameId}": the games of this shop are ${listGames(shop)}.`);
    if (!game) throw new InputFault(`--game "${gameId}": ${describeUnset(shop, gameId)}.`);
    progress.start(`Asking ${gameId}`);
    return askGame(shop, gameId, () =>
      reconcileGame(shop.db, game, { gameId: gameId as GameId, since }, (keys) => {
        progress.text = `Read ${keys.toLocaleString('en')} keys`;
      }),
    );
  });
  progress.stop();
  if (found.kind === 'not_offered') {
    terminal.setExitCode(EXIT.impossible);
    if (options.json) return printJson(terminal, { ok: false, game: gameId, outcome: 'not_offered' });
    return terminal.err(`${gameId} does not offer "applied" (docs/game-server-contract.md): nothing was compared.`);
  }
  const { applied, others, differences, onTheirWay } = found;
  if (differences.length > 0) terminal.setExitCode(EXIT.fault);
  if (options.json)
    return printJson(terminal, {
      ok: differences.length === 0,
      game: gameId,
      since,
      outcome: 'compared',
      applied,
      others,
      differences,
      on_their_way: onTheirWay,
    });
  terminal.out(`${gameId} since ${since.toISOString()}: ${applied} orders carried out there, ${others} grants beside.`);
  if (differences.length > 0) {
    const rows = differences.map((one) => [one.kind, one.billing_no, one.state, one.delivery, one.revocation]);
    terminal.out(`\n${drawTable(['DIFFERENCE', 'ORDER', 'STATE HERE', 'DELIVERY', 'REVOCATION'], rows)}\n`);
  }
  if (onTheirWay.length > 0) terminal.out(`${onTheirWay.length} more differ while we are still asking the game.`);
  terminal.out(differences.length === 0 ? 'Both sides agree.' : `${differences.length} differences.`);
}

function readDate(text: string | undefined): string {
  if (!text) throw new InputFault('Name the day with --date, e.g. --date 2026-11-21.');
  return readDay('--date', text);
}

/** Since a day ago unless told: our choice, what a daily run needs. */
function readSince(text: string | undefined): Date {
  return text === undefined ? new Date(Date.now() - DAY_MS) : readTime('--since', text);
}
