// `refill plan`, `refill apply` and `refill schemas`: the operator's way from files to a running shop.
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import {
  applyConfiguration,
  type Fault,
  listMissingTexts,
  type Plan,
  planConfiguration,
  writeSchemas,
} from '#server/modules/configuration/service.ts';
import { makeFolders } from '#server/platform/make-folders.ts';
import { describeFinding } from '#server/platform/settings/finding.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { withDatabase } from './database.ts';
import { listPrices, summarisePrices, writePrices } from './price-table.ts';
import { readCheckOptions } from './read-check-options.ts';
import { listSettingFaults } from './setting-faults.ts';
import { explainUnseenSettings, listSaleFacts } from './sale-facts.ts';
import { InputFault, printJson, type Terminal } from './terminal.ts';
import { writeTo } from './written-file.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Exit codes: scripts tell "nothing to do" from "something would change" without reading the text. */
const EXIT = { same: 0, faults: 1, changes: 2 } as const;

type Options = { json?: boolean };
type PlanOptions = Options & { missingTexts?: boolean; prices?: boolean; format: string };
type ApplyOptions = Options & { acceptPriceJumps?: boolean; acceptRemovals?: boolean };

export function addConfigurationCommands(program: Command, terminal: Terminal): void {
  program
    .command('plan')
    .description('show what `apply` would change; exit code 0: nothing, 2: something, 1: the files have faults')
    .option('--json', 'one JSON object instead of lines')
    .option('--missing-texts', 'list only the texts that the languages of the brands lack, also the excused ones')
    .option('--prices', 'list only the prices that change, each product and country')
    .option('--format <format>', 'of --prices: table, csv or json', 'table')
    .action(async (given: PlanOptions) => {
      const { json, missingTexts, prices, format } = given;
      const { environment } = terminal;
      if (!['table', 'csv', 'json'].includes(format))
        throw new InputFault(`--format "${format}": it must be table, csv or json.`);
      refuseOthers(given);
      const root = locateShop(environment);
      if (missingTexts) return tellMissingTexts(terminal, root, json);
      const options = await readCheckOptions(root);
      const plan = await withDatabase({ environment }, (db) => planConfiguration(db, root, options));
      if (!plan.ok) return tellFaults(terminal, plan, json);
      terminal.setExitCode(plan.lines.length > 0 ? EXIT.changes : EXIT.same);
      if (prices && !json) return tellPrices(terminal, plan, format);
      const cannotSell = listSaleFacts(plan.configuration, environment, options.providers);
      const settings = listSettingFaults(environment, options.providers).map(describeFinding);
      if (json)
        printJson(terminal, {
          ok: true,
          changes: plan.lines,
          prices: listPrices(plan.prices),
          warnings: plan.warnings,
          cannot_sell: cannotSell,
          settings,
        });
      else {
        tellWarnings(terminal, plan.warnings);
        for (const sentence of [...settings, ...cannotSell]) terminal.err(`warning: ${sentence}`);
        const unseen = explainUnseenSettings(environment);
        if (unseen !== null) terminal.err(unseen);
        const lines = [...plan.lines, ...summarisePrices(plan.prices)];
        terminal.out(lines.length > 0 ? lines.join('\n') : 'Files and database agree: nothing to apply.');
      }
    });

  program
    .command('apply')
    .description('write the files to the database in one transaction; on a fault nothing is written (exit code 1)')
    .option('--json', 'one JSON object instead of lines')
    .option('--accept-price-jumps', 'also prices that fall by more than half or more than triple')
    .option('--accept-removals', 'also when a brand goes, or a game that has open orders')
    .action(async ({ json, acceptPriceJumps, acceptRemovals }: ApplyOptions) => {
      const { environment } = terminal;
      const root = locateShop(environment);
      const options = await readCheckOptions(root);
      const applied = await withDatabase({ environment }, (db, _url, prepare) =>
        applyConfiguration(db, root, {
          prepare,
          ...options,
          appliedBy: userInfo().username,
          acceptsPriceJumps: acceptPriceJumps === true,
          acceptsRemovals: acceptRemovals === true,
        }),
      );
      if (!applied.ok) return tellFaults(terminal, applied, json);
      const { changed, revision, summary, warnings } = applied;
      if (json) return printJson(terminal, { ok: true, changed, revision, changes: summary, warnings });
      tellWarnings(terminal, warnings);
      if (!changed) return terminal.out(`Files and database agree: revision ${revision} stays.`);
      terminal.out(
        `${summary.join('\n')}\nApplied as revision ${revision}; running shops take it up within two seconds.`,
      );
    });

  program
    .command('schemas')
    .description('write schemas/*.schema.json, by which editors complete and check the files')
    .addOption(new Option('--out <folder>', 'where to write them').default(join(project, 'schemas'), 'schemas/'))
    .action(async ({ out }: { out: string }) => {
      const schemas = [...writeSchemas()];
      await writeTo('--out', out, async () => {
        await makeFolders(out);
        await Promise.all(schemas.map(([name, text]) => writeFile(join(out, name), text)));
      });
      terminal.out(`Wrote ${schemas.map(([name]) => name).join(', ')} to ${resolve(out)}.`);
    });
}

/** A list in place of another, or a form in place of another, is taken for the one that was asked for. */
function refuseOthers({ json, missingTexts, prices, format }: PlanOptions): void {
  if (missingTexts && prices) throw new InputFault('--missing-texts and --prices: choose one of them.');
  if (format === 'table') return;
  if (!prices) throw new InputFault(`--format "${format}": it is a form of --prices.`);
  if (json) throw new InputFault(`--json and --format "${format}": choose one of them.`);
}

function tellPrices(terminal: Terminal, { prices, warnings }: Plan, format: string): void {
  if (format === 'json') return printJson(terminal, { ok: true, prices: listPrices(prices) });
  tellWarnings(terminal, warnings);
  terminal.out(prices.length === 0 && format === 'table' ? 'No price changes.' : writePrices(prices, format));
}

async function tellMissingTexts(terminal: Terminal, root: string, json?: boolean): Promise<void> {
  const missing = await listMissingTexts(root);
  if (!missing.ok) return tellFaults(terminal, missing, json);
  terminal.setExitCode(missing.texts.length > 0 ? EXIT.changes : EXIT.same);
  if (json) {
    const texts = missing.texts.map(({ brands, english, file, language, line, path }) => ({
      file, line, path, language, english, brands,
    })); // prettier-ignore
    return printJson(terminal, { ok: true, texts });
  }
  for (const { file, line, path, language, english } of missing.texts)
    terminal.out(`${file}:${line}: ${path}.${language}: ${JSON.stringify(english)}`);
  for (const [file, texts] of Map.groupBy(missing.texts, (text) => text.file)) {
    const counts = [...Map.groupBy(texts, (text) => text.language)].map(([key, { length }]) => `${key} ${length}`);
    terminal.out(`${file}: ${counts.join(', ')}`);
  }
  if (missing.texts.length === 0) terminal.out('No text is missing.');
}

function tellFaults(
  terminal: Terminal,
  refused: { faults: readonly Fault[]; warnings: readonly Fault[] },
  json?: boolean,
): void {
  terminal.setExitCode(EXIT.faults);
  if (json) return printJson(terminal, { ok: false, faults: refused.faults, warnings: refused.warnings });
  tellWarnings(terminal, refused.warnings);
  const count = refused.faults.length;
  terminal.err(refused.faults.map((fault) => fault.sentence).join('\n'));
  terminal.err(`${count} fault${count === 1 ? '' : 's'}: nothing was written.`);
}

function tellWarnings(terminal: Terminal, warnings: readonly Fault[]): void {
  for (const warning of warnings) terminal.err(`warning: ${warning.sentence}`);
}
