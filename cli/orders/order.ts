// `refill order ...`: an operator's words for what modules/orders can do. Reads the input, prints the outcome.
import type { Command } from 'commander';
import { isBillingNo } from '#kernel/ids.ts';
import { ArchiveFault, readArchivedOrder } from '#cli/archive/move-months.ts';
import { cancelUnpaidOrder } from '#server/modules/orders/operator/operate-cancel.ts';
import { listReviews } from '#server/modules/orders/operator/operate-find-store.ts';
import { confirmPayment } from '#server/modules/orders/operator/operate-confirm.ts';
import {
  type ActOutcome,
  type Operator,
  decideReview,
  deliverOrder,
  refundOrder,
} from '#server/modules/orders/operator/operate.ts';
import { showOrder } from '#server/modules/orders/operator/operate-show.ts';
import { withDatabase } from '#cli/database.ts';
import { readActor, readReason } from '#cli/players/player-option.ts';
import { drawArchivedOrder } from '#cli/archive/archive.ts';
import { addAdoptCommand } from './order-adopt.ts';
import { addDeadLetterCommands } from './dead-letters.ts';
import { addFindCommand, drawOrders } from './order-find.ts';
import { drawOrder } from './order-show.ts';
import { withShop } from '#cli/shop.ts';
import { EXIT, InputFault, type Terminal, printJson } from '#cli/terminal.ts';

type Common = { json?: boolean; by?: string };
type RefundOptions = Common & { attempt?: string; reason: string; revoke?: boolean; done?: boolean };
type ConfirmOptions = Common & { attempt?: string; reference: string };
type ReviewOptions = Common & { list?: boolean; deliver?: boolean; refund?: boolean };

export function addOrderCommands(program: Command, terminal: Terminal): void {
  const order = program.command('order').description('look at orders and decide over them');
  const read = <Result>(work: Parameters<typeof withDatabase<Result>>[1]) =>
    withDatabase({ environment: terminal.environment }, work);
  const act = (name: string, about: string) =>
    order
      .command(name)
      .description(`${about}; exit code 3 when its state does not allow it`)
      .option('--by <name>', 'who does it, for the audit; your login name unless given')
      .option('--json', 'one JSON object instead of a sentence');
  const tell = (billingNo: string, outcome: ActOutcome, json = false) => {
    if (outcome.kind === 'not_found') throw new InputFault(outcome.sentence);
    if (outcome.kind === 'impossible') terminal.setExitCode(EXIT.impossible);
    if (json)
      return printJson(terminal, {
        ok: outcome.kind === 'done',
        billing_no: billingNo,
        outcome: outcome.outcome,
        sentence: outcome.sentence,
      });
    (outcome.kind === 'done' ? terminal.out : terminal.err)(outcome.sentence);
  };
  const operate = async (
    billingNo: string,
    options: Common,
    run: (operator: Operator, billingNo: string) => Promise<ActOutcome>,
  ) => {
    const number = readBillingNo(billingNo);
    tell(number, await read((db) => run({ db, by: readActor(options.by) }, number)), options.json);
  };

  order
    .command('show <billing_no>')
    .description('everything that is known of one order, without secrets')
    .option('--json', 'one JSON object instead of tables')
    .action(async (billingNo: string, { json }: Common) => {
      const shown = await read((db) => showOrder(db, readBillingNo(billingNo)));
      if (!shown) return showArchived(billingNo, json);
      if (json) return printJson(terminal, shown);
      terminal.out(drawOrder(shown));
    });

  const showArchived = async (billingNo: string, json = false) => {
    const archived = await read((db) => readArchivedOrder(db, billingNo)).catch((error: unknown) => {
      throw error instanceof ArchiveFault ? new InputFault(error.message) : error;
    });
    if (!archived) throw new InputFault(`There is no order ${billingNo}.`);
    return json ? printJson(terminal, archived) : terminal.out(drawArchivedOrder(archived));
  };

  addFindCommand(order, terminal);

  act('redeliver <billing_no>', 'send the goods to the game again, with the same key').action(
    (billingNo: string, options: Common) =>
      operate(billingNo, options, (operator, number) => deliverOrder(operator, number)),
  );

  act('refund <billing_no>', 'give money back through the provider')
    .option('--attempt <n>', 'which payment of the order; the one that paid it unless given')
    .option('--reason <text>', 'why, for the audit', 'operator')
    .option('--revoke', 'also ask the game to take the goods back')
    .option('--done', 'the money went back by hand already: only book it')
    .action((billingNo: string, options: RefundOptions) => {
      const input = {
        attemptNo: readAttempt(options.attempt),
        reason: readReason(options.reason),
        isRevoking: options.revoke === true,
        isDone: options.done === true,
      };
      return operate(billingNo, options, (operator, number) => refundOrder(operator, number, input));
    });

  act(
    'confirm-payment <billing_no>',
    'book a payment that the provider shows as paid in full, but whose answer could not be read',
  )
    .requiredOption('--reference <id>', "the provider's own id of the payment, as its pages show it; a refund needs it")
    .option('--attempt <n>', 'which payment of the order; the only unreadable one unless given')
    .action((billingNo: string, options: ConfirmOptions) => {
      const input = { attemptNo: readAttempt(options.attempt), captureRef: options.reference };
      return operate(billingNo, options, (operator, number) => confirmPayment(operator, number, input));
    });

  act('review [billing_no]', 'list orders that wait for a decision, or decide one')
    .option('--list', 'list them, as without a number')
    .option('--deliver', 'deliver it after all')
    .option('--refund', 'give the money back')
    .action(async (billingNo: string | undefined, options: ReviewOptions) => {
      if (billingNo !== undefined && options.list) throw new InputFault('Say either an order or --list.');
      if (billingNo === undefined) {
        if (options.deliver || options.refund) throw new InputFault('Name the order to decide over.');
        const orders = await read(listReviews);
        if (options.json) return printJson(terminal, { orders });
        return terminal.out(orders.length === 0 ? 'No order waits for a decision.' : drawOrders(orders));
      }
      if (options.deliver === options.refund) throw new InputFault('Decide: either --deliver or --refund.');
      return operate(billingNo, options, (operator, number) =>
        decideReview(operator, number, options.deliver ? 'deliver' : 'refund'),
      );
    });

  act('cancel <billing_no>', 'call off an unpaid order, once the provider says that no money will come').action(
    async (billingNo: string, options: Common) => {
      const number = readBillingNo(billingNo);
      const outcome = await withShop(terminal, (shop) =>
        cancelUnpaidOrder({ db: shop.db, by: readActor(options.by) }, shop.settle, number),
      );
      tell(number, outcome, options.json);
    },
  );

  addAdoptCommand(order, terminal, tell);
  addDeadLetterCommands(order, terminal);
}

function readBillingNo(text: string): string {
  const number = text.trim().toUpperCase();
  if (!isBillingNo(number)) throw new InputFault(`"${text}" is no order number: it has 26 letters and digits.`);
  return number;
}

function readAttempt(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d?$/.test(text)) throw new InputFault(`--attempt "${text}": it must be a number from 1 to 99.`);
  return Number(text);
}
