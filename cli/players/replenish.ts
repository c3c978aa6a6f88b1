// `refill replenish ...`: make-up payments for accounts that the game has blocked.
import type { Command } from 'commander';
import { ulid } from 'ulid';
import { type GameId, isReplenishId, type ReplenishId } from '#kernel/ids.ts';
import { money, toDecimal } from '#kernel/money.ts';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { type ReplenishReportLine, reportReplenish } from '#server/modules/replenish/report-store.ts';
import { stateOf } from '#server/modules/replenish/present.ts';
import { PROMISE_SECONDS } from '#server/modules/replenish/rules.ts';
import { closeReplenish, listReplenish, openReplenish, type ReplenishRow } from '#server/modules/replenish/store.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { originOf } from '#cli/brand-origin.ts';
import { writeCsv } from '#cli/csv.ts';
import { withDatabase } from '#cli/database.ts';
import { EXIT, InputFault, type Terminal, cleanText, drawTable, printJson, refuseTwoForms } from '#cli/terminal.ts';
import { readTimes } from '#cli/times.ts';
import { PLAYER_OPTION, readActor, readAmount, readBrand, readCount, readPlayer, readReason } from './player-option.ts';

type OpenOptions = {
  brand: string;
  client: string;
  player: string;
  amount: string;
  hours: string;
  reason: string;
  reference?: string;
  by?: string;
  json?: boolean;
};
type ReportOptions = { since?: string; until?: string; json?: boolean; csv?: boolean };

/** As the wire has it: thirty days. */
const MAX_HOURS = 720;

export function addReplenishCommands(program: Command, terminal: Terminal): void {
  const replenish = program
    .command('replenish')
    .description('make-up payments: what a blocked account pays to be unblocked');
  const withShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) => work(db, await loadConfiguration(db)));

  replenish
    .command('open')
    .description('open one; prints the link for the player')
    .requiredOption('--brand <key>', 'the shop')
    .requiredOption('--client <id>', 'client id of the game')
    .requiredOption('--player <id>', PLAYER_OPTION)
    .requiredOption('--amount <currency=amount>', 'what is to be paid, e.g. USD=9.99')
    .requiredOption('--reason <text>', 'why, for your books; the player does not see it')
    .option('--hours <n>', 'how long the link is good for', '72')
    .option('--reference <text>', 'your number of the case: opened once under it')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of sentences')
    .action(async (options: OpenOptions) => {
      const by = readActor(options.by);
      const amount = readAmount('--amount', options.amount);
      if (amount.amountMinor < 1) throw new InputFault('--amount: it must be above zero.');
      const reason = readReason(options.reason);
      const hours = readCount('--hours', options.hours, MAX_HOURS);
      const { opened, link } = await withShopDatabase(async (db, configuration) => {
        const brand = readBrand(configuration, options.brand);
        const gameId = readGame(configuration, options);
        if (
          ![...brand.regions.values()].some(({ countries }) =>
            countries.some((one) => one.currency === amount.currency),
          )
        )
          throw new InputFault(`--amount "${options.amount}": ${brand.key} charges no ${amount.currency} anywhere.`);
        const player = await readPlayer(terminal, db, brand.key, options.player, options);
        const made = await transaction(db, async (client) => {
          const row = await openReplenish(client, {
            replenish_id: `RP-${ulid()}` as ReplenishId,
            player_id: player.player_id,
            brand_key: brand.key,
            game_id: gameId,
            client_id: options.client,
            amount_minor: amount.amountMinor,
            currency: amount.currency,
            reason,
            opened_by: by,
            reference: options.reference ?? null,
            valid_seconds: hours * 3600,
          });
          if (!row)
            throw new InputFault(
              `--reference "${options.reference}": it was opened for another account or amount; look with ` +
                `\`refill replenish list\`.`,
            );
          const details = {
            replenish: row.replenish_id,
            player: row.player_id,
            amount: options.amount,
            reason,
          };
          await addAudit(client, { actor: by, act: 'replenish-open', billingNo: null, details });
          return row;
        });
        return { opened: made, link: `${originOf(terminal, brand)}/replenishGoods?replenish_id=${made.replenish_id}` };
      });
      if (options.json)
        return printJson(terminal, {
          replenish: opened.replenish_id,
          link,
          expires_at: opened.expires_at.toISOString(),
        });
      terminal.out(`${link}\nGood until ${opened.expires_at.toISOString()}, for ${cleanText(opened.username)} alone.`);
    });

  replenish
    .command('close <id>')
    .description('end one that nobody is paying; exit code 3 when it is paid, being paid or closed already')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (id: string, options: { by?: string; json?: boolean }) => {
      const by = readActor(options.by);
      if (!isReplenishId(id)) throw new InputFault(`"${id}" is no number of a make-up payment: they begin with RP-.`);
      const closed = await withShopDatabase((db) =>
        transaction(db, async (client) => {
          const done = await closeReplenish(client, id);
          if (!done) throw new InputFault(`There is no make-up payment ${id}.`);
          if (done.is_done)
            await addAudit(client, { actor: by, act: 'replenish-close', billingNo: null, details: { replenish: id } });
          return done;
        }),
      );
      if (!closed.is_done) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { ok: closed.is_done, replenish: id, state: closed.state });
      (closed.is_done ? terminal.out : terminal.err)(
        closed.is_done ? `${id} is closed.` : `${id} is ${closed.state}: it was not closed.`,
      );
    });

  replenish
    .command('list')
    .description('the latest, with where each stands')
    .option('--brand <key>', 'of this shop only')
    .option('--limit <n>', 'how many', '50')
    .option('--json', 'one JSON object instead of a table')
    .action(async (options: { brand?: string; limit: string; json?: boolean }) => {
      const limit = readCount('--limit', options.limit, 1000);
      const rows = await withShopDatabase((db, configuration) =>
        listReplenish(db, options.brand === undefined ? null : readBrand(configuration, options.brand).key, limit),
      );
      if (options.json)
        return printJson(terminal, { replenish: rows.map((row) => ({ ...row, standing: stateOf(row) })) });
      const head = ['NUMBER', 'BRAND', 'GAME', 'PLAYER', 'AMOUNT', 'STANDS', 'ORDER', 'OPENED BY', 'UNTIL'];
      terminal.out(rows.length === 0 ? 'No make-up payments were opened.' : drawTable(head, rows.map(lineOf)));
    });

  replenish
    .command('report')
    .description(`money and times by brand and currency; late: unblocked later than ${PROMISE_SECONDS / 60} minutes`)
    .option('--since <time>', 'opened at or after: 2026-11-21 or 2026-11-21T08:30:00Z')
    .option('--until <time>', 'opened before')
    .option('--json', 'one JSON object instead of a table')
    .option('--csv', 'comma separated values instead of a table')
    .action(async ({ since, until, json, csv }: ReportOptions) => {
      refuseTwoForms({ json, csv });
      const span = { ...readTimes({ since, until }), promiseSeconds: PROMISE_SECONDS };
      const lines = await withShopDatabase((db) => reportReplenish(db, span));
      if (json) return printJson(terminal, { lines });
      const rows = lines.map(reportLineOf);
      if (csv) return terminal.out(writeCsv(REPORT_HEAD, rows));
      terminal.out(lines.length === 0 ? 'No make-up payments were opened.' : drawTable(REPORT_HEAD, rows));
    });
}

function readGame(configuration: Configuration, { client, brand }: OpenOptions): GameId {
  const game = configuration.gameOfClient(client)?.game;
  if (!game || !readBrand(configuration, brand).file.games.includes(game.id))
    throw new InputFault(`--client "${client}": ${brand} has no game with this client id.`);
  return game.id;
}

const shown = (minor: number, currency: ReplenishRow['currency']) => toDecimal(money(minor, currency));

function lineOf(row: ReplenishRow): unknown[] {
  return [
    row.replenish_id,
    row.brand_key,
    row.client_id,
    row.username,
    `${shown(row.amount_minor, row.currency)} ${row.currency}`,
    stateOf(row),
    row.billing_no,
    row.opened_by,
    row.expires_at,
  ];
}

const REPORT_HEAD = [
  'BRAND', 'CURRENCY', 'OPENED', 'OPEN', 'EXPIRED', 'CLOSED', 'PAID', 'UNBLOCKED', 'RETURNED', 'ASKED', 'RECEIVED', 'GONE BACK', 'MEDIAN S', 'P99 S', 'LATE',
]; /* a row a line */ // prettier-ignore

function reportLineOf(line: ReplenishReportLine): unknown[] {
  const seconds = (value: number | null) => (value === null ? '' : value.toFixed(1));
  return [
    line.brand_key, line.currency, line.opened, line.open, line.expired, line.closed, line.paid, line.unblocked, line.returned,
    shown(line.asked_minor, line.currency), shown(line.paid_minor, line.currency), shown(line.returned_minor, line.currency),
    seconds(line.median_seconds), seconds(line.p99_seconds), line.late,
  ]; /* a row a line */ // prettier-ignore
}
