// `refill plan`, `refill apply` and `refill schemas`: the operator's way from files to a running shop.
import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import {
  applyConfiguration,
  type Fault,
  listMissingTexts,
  planConfiguration,
  writeSchemas,
} from '#server/modules/configuration/service.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { withDatabase } from './database.ts';
import type { Terminal } from './terminal.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Exit codes: scripts tell "nothing to do" from "something would change" without reading the text. */
const EXIT = { same: 0, faults: 1, changes: 2 } as const;

type Options = { json?: boolean };
type PlanOptions = Options & { missingTexts?: boolean };

export function addConfigurationCommands(program: Command, terminal: Terminal): void {
  program
    .command('plan')
    .description('show what `apply` would change; exit code 0: nothing, 2: something, 1: the files have faults')
    .option('--json', 'one JSON object instead of lines')
    .option('--missing-texts', 'list only the texts that the languages of the brands lack, also the excused ones')
    .action(async ({ json, missingTexts }: PlanOptions) => {
      const { environment } = terminal;
      const root = locateShop(environment);
      if (missingTexts) return tellMissingTexts(root, json);
      const plan = await withDatabase({ isMigrating: false, environment }, (db) =>
        planConfiguration(db, root, { providers: shopProviders }),
      );
      if (!plan.ok) return tellFaults(plan, json);
      if (json) print({ ok: true, changes: plan.lines, warnings: plan.warnings });
      else {
        tellWarnings(plan.warnings);
        console.log(plan.lines.length > 0 ? plan.lines.join('\n') : 'Files and database agree: nothing to apply.');
      }
      process.exitCode = plan.lines.length > 0 ? EXIT.changes : EXIT.same;
    });

  program
    .command('apply')
    .description('write the files to the database in one transaction; on a fault nothing is written (exit code 1)')
    .option('--json', 'one JSON object instead of lines')
    .action(async ({ json }: Options) => {
      const { environment } = terminal;
      const applied = await withDatabase({ isMigrating: true, environment }, (db) =>
        applyConfiguration(db, locateShop(environment), { appliedBy: userInfo().username, providers: shopProviders }),
      );
      if (!applied.ok) return tellFaults(applied, json);
      const { changed, revision, summary, warnings } = applied;
      if (json) return print({ ok: true, changed, revision, changes: summary, warnings });
      tellWarnings(warnings);
      if (!changed) return console.log(`Files and database agree: revision ${revision} stays.`);
      console.log(
        `${summary.join('\n')}\nApplied as revision ${revision}; running shops take it up within two seconds.`,
      );
    });

  program
    .command('schemas')
    .description('write schemas/*.schema.json, by which editors complete and check the files')
    .option('--out <folder>', 'where to write them', join(project, 'schemas'))
    .action(async ({ out }: { out: string }) => {
      await mkdir(out, { recursive: true });
      const schemas = [...writeSchemas()];
      await Promise.all(schemas.map(([name, text]) => writeFile(join(out, name), text)));
      console.log(`Wrote ${schemas.map(([name]) => name).join(', ')} to ${resolve(out)}.`);
    });
}

async function tellMissingTexts(root: string, json?: boolean): Promise<void> {
  const missing = await listMissingTexts(root);
  if (!missing.ok) return tellFaults(missing, json);
  process.exitCode = missing.texts.length > 0 ? EXIT.changes : EXIT.same;
  if (json) return print({ ok: true, texts: missing.texts });
  for (const { file, line, path, language, english } of missing.texts)
    console.log(`${file}:${line}: ${path}.${language}: ${JSON.stringify(english)}`);
  for (const [file, texts] of Map.groupBy(missing.texts, (text) => text.file)) {
    const counts = [...Map.groupBy(texts, (text) => text.language)].map(([key, { length }]) => `${key} ${length}`);
    console.log(`${file}: ${counts.join(', ')}`);
  }
  if (missing.texts.length === 0) console.log('No text is missing.');
}

function tellFaults(refused: { faults: readonly Fault[]; warnings: readonly Fault[] }, json?: boolean): void {
  process.exitCode = EXIT.faults;
  if (json) return print({ ok: false, faults: refused.faults, warnings: refused.warnings });
  tellWarnings(refused.warnings);
  const count = refused.faults.length;
  console.error(refused.faults.map((fault) => fault.sentence).join('\n'));
  console.error(`${count} fault${count === 1 ? '' : 's'}: nothing was written.`);
}

function tellWarnings(warnings: readonly Fault[]): void {
  for (const warning of warnings) console.error(`warning: ${warning.sentence}`);
}

function print(answer: object): void {
  console.log(JSON.stringify(answer, null, 2));
}
