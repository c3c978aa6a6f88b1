// All commands of `refill` together, on the terminal they are given. Each noun brings its own; nothing is decided here.
import { Command } from 'commander';
import { addKeyCommands } from './admin-key.ts';
import { addAccountCommands } from './players/account.ts';
import { addBetaCommands } from './players/beta.ts';
import { addCardCommands } from './players/card.ts';
import { addArchiveCommands } from './archive/archive.ts';
import { addBackupCommands } from './backup.ts';
import { addConfigurationCommands } from './configuration.ts';
import { addCodeCommands } from './players/code.ts';
import { addCouponCommands } from './players/coupon.ts';
import { addDistributeCommand } from './distribute.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import { addEventCommands } from './players/event.ts';
import { addOfferCommands } from './players/offer.ts';
import { addGameCommands } from './games/game.ts';
import { addGoodsCommands } from './goods/goods.ts';
import { addTextsCommands } from './texts.ts';
import { addNewCommand } from './new.ts';
import { describeFinding } from '#server/platform/settings/finding.ts';
import { findUnsetForLive } from '#server/platform/settings/live-shop.ts';
import { withShopSettings } from '#server/platform/settings/shop-folder.ts';
import { addCallbackCommands } from './orders/callbacks.ts';
import { addInvariantCommands } from './orders/invariants.ts';
import { addMoneyReportCommands } from './orders/money-report.ts';
import { addMetricsCommand } from './metrics.ts';
import { addOrderCommands } from './orders/order.ts';
import { addPreviewCommand } from './preview.ts';
import { addProviderCommands } from './providers/provider.ts';
import { addRecoverCommand } from './orders/recover.ts';
import { addReconcileCommands } from './orders/reconcile.ts';
import { addServeCommand } from './serve.ts';
import { addSettingsCommand } from './settings.ts';
import { InputFault, type Terminal, cleanLines } from './terminal.ts';
import { addErrorReportCommand } from './visits/error-report.ts';
import { addTrackingCommands } from './visits/tracking.ts';
import { addPersonCommands } from './players/person.ts';
import { addPlayerCommands } from './players/player.ts';
import { addReplenishCommands } from './players/replenish.ts';
import { addRevisionCommands } from './revisions.ts';
import { addVipCommands } from './players/vip.ts';
import { addVersionCommand } from './version.ts';
import { addWalletCommands } from './players/wallet.ts';
import { addWebhookCommands } from './webhooks/webhook.ts';

/**
 * These open neither a database nor a shop's brands, or report every fault in a list of their own (`serve`, `doctor`).
 * All other commands refuse to run in live on the demonstration's database or brands.
 */
export const NEEDS_NO_SHOP: ReadonlySet<string> = new Set([
  'new', 'serve', 'doctor', 'settings', 'version', 'schemas', 'preview', 'metrics', 'provider new', 'provider check',
  'game cases',
]); /* a row of names */ // prettier-ignore

/** The words of a command behind `refill`. */
export function nameOf(command: Command): string {
  const above = command.parent;
  return above?.parent ? `${nameOf(above)} ${command.name()}` : command.name();
}

/** Throws InputFault with every setting that is missing. */
function refuseDemonstration(variables: Terminal['environment']): void {
  const faults = findUnsetForLive(variables);
  if (faults.length === 0) return;
  throw new InputFault(`REFILL_ENVIRONMENT is live: ${faults.map(describeFinding).join(' ')}`);
}

export function createProgram(outer: Terminal): Command {
  let environment = outer.environment;
  const { ask } = outer;
  // Sentences quote names and reasons that others chose: here no command can leave the cleaning out.
  const terminal: Terminal = {
    ...outer,
    out: (text) => outer.out(cleanLines(text)),
    table: outer.out,
    err: (text) => outer.err(cleanLines(text)),
    ask: ask && ((question) => ask(cleanLines(question))),
    get environment() {
      return environment;
    },
  };
  const program = new Command('refill')
    .description('Runs a Refill shop: its configuration, its orders, its books.')
    .option('--shop <folder>', 'folder of your own shop, with its .env; REFILL_SHOP unless given')
    // The embedded PostgreSQL and the settings of a folder are those of every command, so it is read before each.
    .hook('preAction', (whole, command) => {
      environment = withShopSettings(outer.environment, whole.opts<{ shop?: string }>().shop);
      if (!NEEDS_NO_SHOP.has(nameOf(command))) refuseDemonstration(environment);
    })
    .addHelpText('after', '\nIn a checkout or a shop folder these are typed as: npm run refill -- <command>')
    // The whole help would push the fault itself out of view.
    .showHelpAfterError('Add --help to see what can be said here.');
  addNewCommand(program, terminal);
  addServeCommand(program, terminal);
  addDoctorCommand(program, terminal);
  addDistributeCommand(program, terminal);
  addSettingsCommand(program, terminal);
  addVersionCommand(program, terminal);
  addConfigurationCommands(program, terminal);
  addPreviewCommand(program, terminal);
  addRevisionCommands(program, terminal);
  addGoodsCommands(program, terminal);
  addTextsCommands(program, terminal);
  addMetricsCommand(program, terminal);
  addBackupCommands(program, terminal);
  addArchiveCommands(program, terminal);
  addOrderCommands(program, terminal);
  addCallbackCommands(program, terminal);
  addCodeCommands(program, terminal);
  addCouponCommands(program, terminal);
  addVipCommands(program, terminal);
  addPlayerCommands(program, terminal);
  addPersonCommands(program, terminal);
  addEventCommands(program, terminal);
  addOfferCommands(program, terminal);
  addCardCommands(program, terminal);
  addReplenishCommands(program, terminal);
  addWalletCommands(program, terminal);
  addAccountCommands(program, terminal);
  addBetaCommands(program, terminal);
  addInvariantCommands(program, terminal);
  addGameCommands(program, terminal);
  addProviderCommands(program, terminal);
  addReconcileCommands(program, terminal);
  addRecoverCommand(program, terminal);
  addTrackingCommands(program, terminal);
  const report = program
    .command('report')
    .description('money by day, brand, game, country and method; faults of pages');
  addMoneyReportCommands(report, terminal);
  addErrorReportCommand(report, terminal);
  addWebhookCommands(program, terminal);
  addKeyCommands(program, terminal);
  return program;
}
