// `refill order deadletters` and `acknowledge`: what no machine goes on with, and what a person has seen to.
import type { Command } from 'commander';
import { isCurrency, toDecimal } from '#kernel/money.ts';
import { acknowledgeCallback } from '#server/modules/orders/operator/operate-acknowledge.ts';
import { type UnmatchedPayment, listDeadLetters } from '#server/modules/orders/operator/operate-find-store.ts';
import { withDatabase } from '#cli/database.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { readActor, readReason } from '#cli/players/player-option.ts';

export function addDeadLetterCommands(order: Command, terminal: Terminal): void {
  order
    .command('deadletters')
    .alias('dead')
    .description('deliveries, rewards, refunds, revocations and callbacks that no machine goes on with')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ json }: { json?: boolean }) => {
      const letters = await withDatabase({ environment: terminal.environment }, listDeadLetters);
      if (json) return printJson(terminal, { dead_letters: letters });
      terminal.out(
        letters.length === 0
          ? 'Nothing was given up.'
          : drawTable(
              ['KIND', 'NUMBER', 'SINCE', 'TRIES', 'REASON', 'KEY'],
              letters.map((one) => [
                one.kind,
                one.billing_no,
                one.since,
                one.tries,
                one.payment ? sayPayment(one.payment) : one.reason,
                one.callback?.key ?? '',
              ]),
            ),
      );
    });

  order
    .command('acknowledge <provider> <key>')
    .description('you have seen to a callback of no order: it leaves the dead letters; exit code 3 when it is none')
    .requiredOption('--reason <text>', 'what became of the money, for the audit')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (provider: string, key: string, options: { reason: string; by?: string; json?: boolean }) => {
      const reason = readReason(options.reason);
      const { kind, outcome, sentence } = await withDatabase({ environment: terminal.environment }, (db) =>
        acknowledgeCallback({ db, by: readActor(options.by) }, { provider, key }, reason),
      );
      if (kind === 'not_found') throw new InputFault(sentence);
      if (kind === 'impossible') terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { ok: kind === 'done', provider, key, outcome, sentence });
      (kind === 'done' ? terminal.out : terminal.err)(sentence);
    });
}

/** `adyen: paid 4.99 USD, reference 01J...-1, at the provider PSP-1`. */
function sayPayment({ provider, status, amount_minor: minor, currency, ...names }: UnmatchedPayment): string {
  const isKnown = minor !== null && currency !== null && isCurrency(currency);
  const amount = isKnown ? `${toDecimal({ amountMinor: minor, currency })} ${currency}` : 'an unknown amount';
  return [
    `${provider}: ${status} ${amount}`,
    names.reference === null ? 'without a reference' : `reference ${names.reference}`,
    ...(names.provider_ref === null ? [] : [`at the provider ${names.provider_ref}`]),
  ].join(', ');
}
