// `refill wallet ...`: an operator's look at balances, and giving money by hand.
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { type Currency, money, toDecimal } from '#kernel/money.ts';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import {
  creditWallet,
  type LiabilityRow,
  listTxns,
  readBalances,
  readLiabilities,
  readLiabilitiesOn,
} from '#server/modules/wallet/store.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { readDay } from '#cli/times.ts';
import { PLAYER_OPTION, readActor, readAmount, readBrand, readPlayer, readReason } from './player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type PlayerOptions = { brand: string; player: string; json?: boolean };
type CreditOptions = PlayerOptions & { amount: string; kind: string; reason: string; externalId?: string; by?: string };

const shown = (minor: number, currency: Currency) => `${toDecimal(money(minor, currency))} ${currency}`;

export function addWalletCommands(program: Command, terminal: Terminal): void {
  const wallet = program.command('wallet').description('stored balances of players');
  const withShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) => work(db, await loadConfiguration(db)));
  const ofPlayer = (name: string, about: string) =>
    wallet
      .command(name)
      .description(about)
      .requiredOption('--brand <key>', 'whose player')
      .requiredOption('--player <id>', PLAYER_OPTION)
      .option('--json', 'one JSON object instead of a sentence');

  ofPlayer('credit', 'add to a balance; exit code 3 when the id was used for something else')
    .requiredOption('--amount <currency=amount>', 'how much, e.g. USD=10')
    .requiredOption('--reason <text>', 'why, for the books')
    .option('--kind <kind>', 'free: a present; paid: it was paid for somewhere else', 'free')
    .option('--external-id <id>', 'your own number: a second command with it gives nothing more')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .action(async (options: CreditOptions) => {
      const by = readActor(options.by);
      const amount = readAmount('--amount', options.amount);
      if (amount.amountMinor < 1) throw new InputFault('--amount: it must be above zero.');
      if (options.kind !== 'free' && options.kind !== 'paid')
        throw new InputFault(`--kind "${options.kind}": it must be free or paid.`);
      const { kind } = options;
      const reason = readReason(options.reason);
      const outcome = await withShopDatabase(async (db, configuration) => {
        const player = await readPlayer(
          terminal,
          db,
          readBrand(configuration, options.brand).key,
          options.player,
          options,
        );
        return transaction(db, async (client) => {
          const done = await creditWallet(client, {
            player_id: player.player_id,
            external_id: options.externalId ?? `operator/${randomUUID()}`,
            currency: amount.currency,
            amount_minor: amount.amountMinor,
            kind,
            reason,
            actor: `operator ${by}`,
          });
          if (done.outcome === 'done')
            await addAudit(client, {
              actor: by,
              act: 'wallet-credit',
              billingNo: null,
              details: { player: player.player_id, amount: options.amount, kind, reason, txn: done.txn_id },
            });
          return done;
        });
      });
      if (outcome.outcome === 'differs') terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, outcome);
      if (outcome.outcome === 'differs')
        return terminal.err(`The id ${options.externalId} was used for another credit.`);
      terminal.out(
        `${outcome.outcome === 'repeat' ? 'That was credited before' : 'Credited'}: the ${kind} balance ` +
          `${outcome.outcome === 'repeat' ? 'was then' : 'is now'} ` +
          `${shown(outcome.balance_minor, amount.currency)}.`,
      );
    });

  ofPlayer('show', 'balances of a player and the last movements').action(async (options: PlayerOptions) => {
    const { balances, txns } = await withShopDatabase(async (db, configuration) => {
      const { player_id: id } = await readPlayer(
        terminal,
        db,
        readBrand(configuration, options.brand).key,
        options.player,
        options,
      );
      return { balances: await readBalances(db, id), txns: await listTxns(db, id, 50) };
    });
    if (options.json) return printJson(terminal, { balances, txns });
    if (balances.length === 0) return terminal.out('There never was a balance.');
    terminal.out(
      drawTable(
        ['PAID', 'FREE'],
        balances.map((one) => [shown(one.paid_minor, one.currency), shown(one.free_minor, one.currency)]),
      ),
    );
    terminal.out(
      drawTable(
        ['WHEN', 'WHAT', 'AMOUNT', 'ORDER', 'BY', 'REASON'],
        txns.map((one) => [
          one.created_at,
          one.type,
          shown(one.amount_minor, one.currency),
          one.billing_no,
          one.actor,
          one.reason,
        ]),
      ),
    );
  });

  wallet
    .command('report')
    .description('what players could still spend, by brand: unused paid balance may have to be secured by law')
    .option('--on <date>', 'at the end of this day in Tokyo, e.g. 2026-03-31; now unless given')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ on, json }: { on?: string; json?: boolean }) => {
      if (on !== undefined) readDay('--on', on);
      const rows = await withShopDatabase((db) =>
        on === undefined ? readLiabilities(db) : readLiabilitiesOn(db, on, TOKYO),
      );
      const over = rows.filter(isAboveLine);
      if (json)
        return printJson(terminal, { balances: rows.map((row) => ({ ...row, is_above_line: isAboveLine(row) })) });
      terminal.out(
        rows.length === 0
          ? 'No player has a balance.'
          : drawTable(
              ['BRAND', 'PAID', 'FREE', 'PLAYERS'],
              rows.map((one) => [
                one.brand_key,
                shown(one.paid_minor, one.currency),
                shown(one.free_minor, one.currency),
                one.players,
              ]),
            ),
      );
      for (const one of over)
        terminal.out(
          `${one.brand_key}: the paid balance is above ${shown(LINE_MINOR, 'JPY')}; on a base date (31 March, 30 ` +
            'September) half of it has to be secured.',
        );
    });
}

const TOKYO = 'Asia/Tokyo';
/** @source Payment Services Act of Japan, article 14, and its order, article 6: ten million yen on a base date */
const LINE_MINOR = 10_000_000;

/** Free balance is not counted. */
const isAboveLine = ({ currency, paid_minor: paid }: LiabilityRow): boolean => currency === 'JPY' && paid > LINE_MINOR;
