// One sentence about a database that a command cannot work on: what is wrong, and the setting that mends it.
import type { Db } from '#server/platform/database/db.ts';
import { isDatabaseDown } from '#server/platform/database/db.ts';
import { describeFinding, type Finding } from '#server/platform/settings/finding.ts';

/** A fault that is told as its sentence, or in its parts as `finding`; `cause` is what the database said. */
export class DatabaseFault extends Error {
  readonly finding: Finding;

  constructor(finding: Finding, cause: unknown) {
    super(describeFinding(finding), { cause });
    this.finding = finding;
  }
}

/**
 * @source PostgreSQL appendix A: 28 invalid authorization, 3D000 no such database, 42501 privilege, 42P01 table,
 *   42704 type, 42883 function
 */
const NO_ACCESS = /^28/;
const NO_DATABASE = '3D000';
const NO_PRIVILEGE = '42501';
const NOTHING_OF_REFILL = /^42(?:P01|704|883)$/;

/**
 * @param where.url of the database; where.isNamed: by DATABASE_URL, else it is the one of the data folder
 * @returns null for a fault that says enough, or that is none of the database's
 */
export async function explainDatabase(
  error: unknown,
  where: { readonly url: string; readonly isNamed: boolean; readonly folder: string },
  db: Db | null,
): Promise<DatabaseFault | null> {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const said = message || code;
  const host = where.isNamed && URL.canParse(where.url) ? ` at ${new URL(where.url).host}` : '';
  const fault = (name: string, reason: string, remedy: string) => new DatabaseFault({ name, reason, remedy }, error);
  const database = `The database${host}`;
  if (NO_ACCESS.test(code))
    return fault(database, `refuses the account of DATABASE_URL (${said})`, 'mend its name or password');
  if (code === NO_DATABASE)
    return fault('DATABASE_URL', `leads to no database${host} (${said})`, 'create it, or mend the name in it');
  if (code === NO_PRIVILEGE)
    return fault(
      'The account of DATABASE_URL',
      `may not do this (${said})`,
      'name the account that owns the tables, refill_owner in deploy/postgres/roles.sql',
    );
  if (NOTHING_OF_REFILL.test(code) && db && (await isEmpty(db)))
    return where.isNamed
      ? fault(database, 'has no tables of Refill', 'run apply first, or mend DATABASE_URL')
      : fault(
          `The database of the folder ${where.folder}`,
          'has no tables yet',
          'run apply or npm start first, or name another database (--shop, REFILL_DATA, DATABASE_URL)',
        );
  if (where.isNamed && isDatabaseDown(error))
    return fault(database, `cannot be reached (${said})`, 'start it, or mend DATABASE_URL');
  return null;
}

async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await db
    .query<{ is_empty: boolean }>(`select to_regclass('schema_migration') is null as is_empty`)
    .catch(() => ({ rows: [] }));
  return rows[0]?.is_empty === true;
}
