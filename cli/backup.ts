// `refill backup` and `refill restore`: a copy of the database as a file, and the way back.
import { resolve } from 'node:path';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { BackupFault } from '#server/platform/database/backup/backup-format.ts';
import { readBackup } from '#server/platform/database/backup/read-backup.ts';
import { dropOldBackups, writeBackup } from '#server/platform/database/backup/write-backup.ts';
import { type BackupRecord, recordBackup } from '#server/platform/database/backup-record.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { isSpread } from '#server/platform/database/schema/spread.ts';
import { readDatabaseUrl } from '#server/platform/config.ts';
import { openCommandDb, withDatabase } from './database.ts';
import { readCommandEnvironment } from './environment.ts';
import { EXIT, InputFault, printJson, type Terminal } from './terminal.ts';
import { writeTo } from './written-file.ts';

type BackupOptions = {
  to?: string;
  keep?: number;
  elsewhere?: string;
  bytes?: number;
  by: string;
  json?: boolean;
};

export function addBackupCommands(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('write a copy of the database, as it is at one moment, into a folder, while the shop runs')
    .option('--to <folder>', 'where the file goes: another disk than the database')
    .option('--keep <count>', 'delete the oldest of this folder until so many are left', toCount('--keep'))
    .option('--elsewhere <words>', 'write no file; note a copy of the cluster by other means, e.g. pgBackRest')
    .option('--bytes <count>', 'how large the copy of --elsewhere is', toCount('--bytes'))
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of lines')
    .action((options: Omit<BackupOptions, 'by'> & { by?: string }) =>
      backUp(terminal, { ...options, by: options.by ?? userInfo().username }),
    );

  program
    .command('restore <file>')
    .description('bring a backup into an empty database, and look at the books; exit code 1 when they are wrong')
    .option('--json', 'one JSON object instead of lines')
    .action((file: string, options: { json?: boolean }) => restore(terminal, file, options));
}

const toCount = (option: string) => (text: string) => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InputFault(`${option} is "${text}": it must be a whole number from 1 on.`);
};

async function backUp(terminal: Terminal, options: BackupOptions): Promise<void> {
  const { to, elsewhere, bytes, json } = options;
  if ((to === undefined) === (elsewhere === undefined))
    throw new InputFault('Say where the copy goes (--to <folder>), or that it was taken by other means (--elsewhere).');
  if ((bytes === undefined) !== (elsewhere === undefined))
    throw new InputFault('--elsewhere needs the size of the copy: --bytes. A file of --to is measured by itself.');
  const { environment: variables } = terminal;
  await withDatabase({ environment: variables }, async (db) => {
    // A database without tables is told of before a folder is made: its copy would be an empty one.
    await db.query('select from schema_migration limit 1');
    if (to !== undefined) return writeCopy(terminal, db, to, options);
    const { rows } = await db.query<{ now: Date }>('select now() as now');
    await record(
      db,
      options.by,
      { takenAt: rows[0]?.now ?? new Date(), kind: 'base', bytes: bytes ?? 0 },
      { elsewhere },
    );
    return json ? printJson(terminal, { ok: true, elsewhere }) : terminal.out('Noted.');
  });
}

async function writeCopy(terminal: Terminal, db: Db, to: string, { by, json, keep }: BackupOptions): Promise<void> {
  const environment = readCommandEnvironment(terminal.environment);
  const folder = resolve(to);
  const { file, takenAt, bytes, sha256, rows } = await writeTo('--to', to, () =>
    writeBackup(db, environment, folder).catch(explain),
  );
  await record(db, by, { takenAt, kind: 'dump', bytes }, { file, sha256 });
  const dropped = keep === undefined ? [] : await dropOldBackups(folder, environment, keep);
  if (await isSpread(db))
    terminal.err(
      'This database is spread over machines, and what was sold meanwhile may be half in the copy: copy every node ' +
        'with its own tool at one restore point (docs/distributed.md).',
    );
  if (json) return printJson(terminal, { ok: true, file, taken_at: takenAt, bytes, sha256, rows, dropped });
  terminal.out(`${file}\n${rows} rows as of ${takenAt.toISOString()}, ${bytes} bytes, sha256 ${sha256}.`);
  if (dropped.length > 0) terminal.out(`Deleted: ${dropped.join(', ')}.`);
}

/** For who looks at its age, and in the audit for who asks where it is. */
function record(db: Db, actor: string, backup: BackupRecord, more: object): Promise<void> {
  const details = { ...more, taken_at: backup.takenAt.toISOString(), bytes: backup.bytes };
  return transaction(db, async (client) => {
    await recordBackup(client, backup);
    await addAudit(client, { actor, act: 'backup', billingNo: null, details });
  });
}

async function restore(terminal: Terminal, file: string, { json }: { json?: boolean }): Promise<void> {
  const { environment: variables } = terminal;
  const url = readDatabaseUrl(variables);
  // Never into the database of `npm start` by mistake.
  if (url === null) throw new InputFault('Name the new, empty database: DATABASE_URL.');
  const environment = readCommandEnvironment(variables);
  const restored = await readBackup(url, environment, resolve(file)).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined || error.path === undefined) return explain(error);
    throw new InputFault(`${file} cannot be read (${error.code}): name a file that \`refill backup\` wrote.`);
  });
  const db = openCommandDb(url, { answerMs: LONGEST_MS });
  try {
    const broken = (await checkInvariants(db)).filter(({ breaches }) => breaches > 0);
    if (broken.length > 0) terminal.setExitCode(EXIT.fault);
    const names = broken.map(({ invariant }) => invariant);
    const { takenAt, rows, migrations, hasChecksum } = restored;
    if (json)
      return printJson(terminal, { ok: broken.length === 0, taken_at: takenAt, rows, migrations, invariants: names });
    terminal.out(`Restored: ${rows} rows as of ${takenAt}${hasChecksum ? '' : '; there was no checksum to compare'}.`);
    terminal.out(
      broken.length === 0
        ? 'The books hold. Next: `refill apply`, then what docs/production.md says of the hours that are missing.'
        : `The books are broken: ${names.join(', ')}. See \`refill invariants\`.`,
    );
  } finally {
    await db.end();
  }
}

/** The invariants read whole tables. */
const LONGEST_MS = 30 * 60_000;

/** Turns a fault that a person can mend into a sentence; all others stay as they are. */
function explain(error: unknown): never {
  if (error instanceof BackupFault) throw new InputFault(error.message);
  throw error;
}
