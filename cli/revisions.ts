// `refill revisions` and `refill rollback`: what was applied when and by whom, and the way back to it.
import { readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  listRevisions,
  readRevisionFiles,
  planRollback,
  readRevision,
  rollBack,
  writeFiles,
} from '#server/modules/configuration/service.ts';
import { makeFolders } from '#server/platform/make-folders.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import type { Db } from '#server/platform/database/db.ts';
import { withDatabase } from './database.ts';
import { listPrices, summarisePrices } from './price-table.ts';
import { readCheckOptions } from './read-check-options.ts';
import { drawTable, EXIT, InputFault, printJson, type Terminal } from './terminal.ts';
import { writeTo } from './written-file.ts';

type ListOptions = { limit: string; json?: boolean };
type ShowOptions = { out?: string };
type RollbackOptions = { yes?: boolean; json?: boolean };

export function addRevisionCommands(program: Command, terminal: Terminal): void {
  const revisions = program
    .command('revisions')
    .description('what was applied, the newest first')
    .option('--limit <number>', 'so many', '20')
    .option('--json', 'one JSON object instead of a table')
    .action((options: ListOptions) => tellRevisions(terminal, options));
  revisions
    .command('show <revision>')
    .description('what a revision changed; with --out its files, without comments and sources of pictures')
    .option('--out <folder>', 'write its files there; the folder is new or empty')
    .action((revision: string, options: ShowOptions) =>
      showRevision(terminal, readNumber('The revision', revision), options),
    );
  program
    .command('rollback <revision>')
    .description('give the database the configuration of an earlier revision again, as a new one; shows it first')
    .option('--yes', 'without a question, as in a script')
    .option('--json', 'one JSON object instead of lines; needs --yes')
    .action((revision: string, options: RollbackOptions) =>
      goBack(terminal, readNumber('The revision', revision), options),
    );
}

async function tellRevisions(terminal: Terminal, { limit, json }: ListOptions): Promise<void> {
  const count = readNumber('--limit', limit);
  const rows = await withRevisions(terminal, (db) => listRevisions(db, count));
  if (json) return printJson(terminal, { revisions: rows });
  if (rows.length === 0) return terminal.out('Nothing was applied yet.');
  terminal.out(
    drawTable(
      ['REVISION', 'APPLIED', 'BY', 'FILES', 'CHANGED'],
      rows.map(({ revision, applied_at: at, applied_by: by, is_kept: isKept, summary }) => {
        const [first = '', ...rest] = summary;
        const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
        return [revision, at, by, isKept ? 'kept' : null, `${first}${more}`];
      }),
    ),
  );
}

async function showRevision(terminal: Terminal, revision: number, { out }: ShowOptions): Promise<void> {
  if (out !== undefined) await requireEmpty(out);
  await withRevisions(terminal, async (db) => {
    const found = await readRevisionFiles(db, revision);
    if (out === undefined && found) {
      const { applied_at: at, applied_by: by, summary } = found;
      return terminal.out(`Revision ${revision}, ${at.toISOString()}, by ${by}:\n${summary.join('\n')}`);
    }
    const read = await readRevision(db, revision);
    if (!read.ok) return refuse(terminal, read.reasons);
    const paths = await writeTo('--out', out ?? '', () => writeFiles(out ?? '', read.files));
    terminal.out(
      `${paths.join('\n')}\nThe ${paths.length} files of revision ${revision} are in ${resolve(out ?? '')}.`,
    );
    terminal.out('Pictures and comments are not among them: compare with your folder and take over what you want.');
  });
}

async function goBack(terminal: Terminal, revision: number, { yes, json }: RollbackOptions): Promise<void> {
  const { environment } = terminal;
  if (json && !yes) throw new InputFault('--json asks nothing: give --yes as well.');
  const root = locateShop(environment);
  const options = await readCheckOptions(root);
  await withRevisions(terminal, async (db, prepare) => {
    const plan = await planRollback(db, root, revision, options);
    if (!plan.ok) return json ? refuseJson(terminal, plan.reasons) : refuse(terminal, plan.reasons);
    const { lines, prices } = plan;
    if (lines.length === 0) {
      if (json) return printJson(terminal, { ok: true, changed: false });
      return terminal.out(`The database says the same as revision ${revision}: nothing to roll back.`);
    }
    if (!json) terminal.out([...lines, ...summarisePrices(prices)].join('\n'));
    if (!yes && !(await ask(terminal, revision))) return;
    await prepare();
    const next = await rollBack(db, plan, { revision, appliedBy: userInfo().username });
    if (json)
      return printJson(terminal, {
        ok: true,
        changed: next !== null,
        revision: next,
        changes: lines,
        prices: listPrices(prices),
      });
    terminal.out(
      next === null
        ? 'Somebody applied the same meanwhile: nothing was written.'
        : `Applied as revision ${next}; running shops take it up within two seconds.\n` +
            `Your folder still has what was before: the next apply of it would undo this. \`refill revisions ` +
            `show ${next} --out <folder>\` writes the files of the database.`,
    );
  });
}

/** @throws InputFault for a database without the tables of this version: looking at it makes none */
async function withRevisions<Result>(
  terminal: Terminal,
  work: (db: Db, prepare: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  try {
    return await withDatabase({ environment: terminal.environment }, (db, _url, prepare) => work(db, prepare));
  } catch (error) {
    const { code } = error as { code?: string };
    // PostgreSQL: undefined table, undefined column.
    if (code !== '42P01' && code !== '42703') throw error;
    throw new InputFault('The database has no revisions of this version yet: run `refill apply` first.');
  }
}

async function ask(terminal: Terminal, revision: number): Promise<boolean> {
  if (!terminal.ask) {
    refuse(terminal, ['Nobody is there to ask: look at these lines, then run it again with --yes.']);
    return false;
  }
  if (await terminal.ask(`Go back to revision ${revision}?`)) return true;
  refuse(terminal, ['Nothing was written.']);
  return false;
}

function refuse(terminal: Terminal, reasons: readonly string[]): void {
  terminal.setExitCode(EXIT.impossible);
  terminal.err(reasons.join('\n'));
}

function refuseJson(terminal: Terminal, reasons: readonly string[]): void {
  terminal.setExitCode(EXIT.impossible);
  printJson(terminal, { ok: false, reasons });
}

function readNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InputFault(`${name} is "${text}": it must be a whole number above 0.`);
  return Number(text);
}

/** Files of a revision over those of a shop would be a mixture of both. */
async function requireEmpty(folder: string): Promise<void> {
  await writeTo('--out', folder, () => makeFolders(folder));
  if ((await readdir(folder)).length > 0) throw new InputFault(`${folder} is not empty; name a new folder.`);
}
