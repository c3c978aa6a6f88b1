// `refill doctor`: everything that a shop needs, each line ok or what to do. It changes nothing.
import { statfs } from 'node:fs/promises';
import type { Command } from 'commander';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import type { GameProtocol } from '#server/modules/games/protocol-port.ts';
import { inspectConfig } from '#server/platform/config.ts';
import type { Db } from '#server/platform/database/db.ts';
import { PostgresFault } from '#server/platform/database/embedded-postgres-fault.ts';
import { EnvironmentFault } from '#server/platform/database/environment.ts';
import { requireAdapters } from '#server/own-modules/load-modules.ts';
import { findStrayLines, locateShop } from '#server/platform/settings/shop-folder.ts';
import { checkPages, checkSettings, checkShop, leaveOutFaulty } from '#server/serve/preflight.ts';
import { describeFinding, type Finding } from '#server/platform/settings/finding.ts';
import { withDatabase } from '#cli/database.ts';
import { DatabaseFault } from '#cli/database-fault.ts';
import { readCommandEnvironment } from '#cli/environment.ts';
import { drawTable, EXIT, printJson, type Terminal } from '#cli/terminal.ts';
import { checkDatabase } from './database-checks.ts';
import { ill, type Look, well } from './look.ts';
import {
  lookAtBackup,
  lookAtDatabase,
  lookAtEnds,
  lookAtErasures,
  lookAtRecovery,
  lookAtWork,
} from './look-at-database.ts';
import { lookAtRecord } from './look-at-record.ts';
import { lookAtAccounts } from './look-at-accounts.ts';
import { lookAtZones } from './look-at-zones.ts';
import { lookAtWebhooks } from './look-at-webhooks.ts';
import { lookAtGames, lookAtHosts, lookAtProviders, lookAtValkey } from './look-outside.ts';
import { listSettings } from './list-settings.ts';

/** Our choice: a night of logs and a core dump fit. */
const FREE_BYTES = 2 * 1024 ** 3;

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('looks at everything a shop needs and says of each line: ok, or what to do; exit code 1: a fault')
    .option('--settings', 'list every setting instead: set, not set, missing or unknown')
    .option('--json', 'one JSON object instead of lines')
    .action((options: { settings?: boolean; json?: boolean }) =>
      options.settings ? tellSettings(terminal, options) : examine(terminal, options),
    );
}

async function examine(terminal: Terminal, { json }: { json?: boolean }): Promise<void> {
  const looks: Look[] = [];
  const tell = (some: readonly Look[]) => {
    looks.push(...some);
    if (!json) for (const look of some) terminal.out(line(look));
  };
  const { config, findings, warnings: old } = inspect(terminal);
  const parts = {
    config,
    environment: config.environment,
    ...(await requireAdapters(locateShop(terminal.environment))),
    now: Date.now,
  };
  const pages = checkPages(config.role);
  tell(orWell('settings', [...findings, ...checkSettings(parts)], `are ${config.names.length}, each known and usable`));
  const stray = findStrayLines(terminal.environment);
  tell([...old, ...stray].map((warning) => ill('settings', 'warning', warning)));
  tell(orWell('storefront', pages, 'is built'));
  tell([await lookAtDisk()]);
  tell(await lookAtRecord(config));
  tell(await lookAtValkey(config));
  // Without an environment nothing can be compared with the database's, and a live shop has no other database.
  if (!findings.some(({ name }) => /^(?:DATABASE_URL|REFILL_ENVIRONMENT)/.test(name)))
    await reaching(terminal, tell, (db) => examineShop(db, { ...parts, findings }, tell));
  const faults = looks.filter(({ state }) => state === 'fault').length;
  const warnings = looks.filter(({ state }) => state === 'warning').length;
  if (faults > 0) terminal.setExitCode(EXIT.fault);
  if (json) printJson(terminal, { ok: faults === 0, environment: config.environment, looks });
  else
    terminal.out(
      `\n${looks.length} looks: ${looks.length - faults - warnings} ok, ${countOf(warnings, 'warning')}, ` +
        `${countOf(faults, 'fault')}.`,
    );
  if (!json && isOfStart(terminal) && config.environment === 'demo')
    terminal.out(
      'Without DATABASE_URL this is the database of `npm start`, which simulates the games and providers that are not ' +
        'set: warnings of those are for a shop of your own.',
    );
}

type Parts = Parameters<typeof checkShop>[0] & {
  readonly protocols: readonly GameProtocol[];
  /** Faults of the settings, which were told. */
  readonly findings: readonly Finding[];
};

async function examineShop(db: Db, parts: Parts, tell: (looks: readonly Look[]) => void): Promise<void> {
  const { config, environment, providers } = parts;
  const database = await lookAtDatabase(db, config);
  tell(database);
  if (database.some(({ name, state }) => name === 'tables' && state === 'fault')) return;
  // A demonstration is made anew.
  if (environment === 'live') tell([await lookAtBackup(db), lookAtRecovery(config)]);
  tell(await checkDatabase(db, environment));
  const { faults, warnings } = await checkShop(parts, db);
  tell(faults.map((fault) => ill('settings', 'fault', fault)));
  tell(leaveOutFaulty(warnings, parts.findings).map((warning) => ill('settings', 'warning', warning)));
  const configuration = await loadConfiguration(db);
  tell([await lookAtZones(db, configuration, Date.now()), await lookAtAccounts(db)]);
  tell(await lookAtGames(config, configuration, parts.protocols));
  tell(await lookAtProviders(config, providers));
  // Names under .localhost are a demonstration's: no browser but this machine's reaches them.
  const hosts = [...configuration.brands.values()].flatMap((brand) => brand.liveHosts);
  if (environment === 'live') tell(await lookAtHosts(hosts));
  tell(await lookAtWork(db, environment));
  tell([await lookAtEnds(db), await lookAtErasures(db)]);
  tell(await lookAtWebhooks(db, config.keySecrets));
}

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A database that is not there is a line like any other. */
async function reaching(
  { environment }: Terminal,
  tell: (looks: readonly Look[]) => void,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  let isReached = false;
  try {
    await withDatabase({ environment }, (db) => {
      isReached = true;
      return work(db);
    });
  } catch (error) {
    if (isReached && !(error instanceof DatabaseFault)) throw error;
    tell([ill('database', 'fault', describeUnreached(error))]);
  }
}

/** A sentence that is finished already stays whole: its own remedy is the right one. */
function describeUnreached(error: unknown): Finding {
  if (error instanceof DatabaseFault) return error.finding;
  const { message, code } = error as NodeJS.ErrnoException;
  const name = 'The database';
  if (error instanceof EnvironmentFault || error instanceof PostgresFault)
    return { name, reason: 'cannot be used', remedy: message.replace(/\.$/, '') };
  return { name, reason: `cannot be opened (${message || code})`, remedy: 'mend DATABASE_URL or REFILL_DATA' };
}

/** The database of `npm start`: nobody named another. */
const isOfStart = ({ environment }: Terminal): boolean =>
  !environment['DATABASE_URL'] && !environment['DATABASE_URL_FILE'];

/** As a server would read it; a demonstration's database needs no word. */
function inspect(terminal: Terminal): ReturnType<typeof inspectConfig> {
  const variables = terminal.environment;
  if (!isOfStart(terminal)) return inspectConfig(variables);
  const environment = readCommandEnvironment(variables);
  if (environment === 'live') return inspectConfig(variables);
  return inspectConfig({
    ...variables,
    DATABASE_URL: 'postgres://127.0.0.1/embedded',
    REFILL_ENVIRONMENT: environment,
  });
}

function orWell(area: Look['area'], faults: readonly Finding[], said: string): Look[] {
  const unique = [...new Map(faults.map((fault) => [describeFinding(fault), fault])).values()];
  return unique.length === 0 ? [well(area, `the ${area}`, said)] : unique.map((fault) => ill(area, 'fault', fault));
}

async function lookAtDisk(): Promise<Look> {
  const { bavail, bsize } = await statfs('.');
  const free = bavail * bsize;
  const reason = `has ${(free / 1024 ** 3).toFixed(1)} GB free`;
  if (free >= FREE_BYTES) return well('machine', 'the disk', reason);
  return ill('machine', 'warning', { name: 'the disk', reason, remedy: 'make room: logs and a database need it' });
}

async function tellSettings(terminal: Terminal, { json }: { json?: boolean }): Promise<void> {
  const { config } = inspect(terminal);
  const { logins, providers } = await requireAdapters(locateShop(terminal.environment));
  const stray = findStrayLines(terminal.environment).map(({ name, reason, remedy }) => ({
    name,
    state: 'unknown',
    about: `${reason}: ${remedy}`,
  }));
  const settings = [...stray, ...listSettings(config, providers, logins)];
  if (json) return printJson(terminal, { settings });
  terminal.out(
    drawTable(
      ['SETTING', 'STATE', 'ABOUT'],
      settings.map(({ name, state, about }) => [name, state, about]),
    ),
  );
}

const WORDS = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const;

function line({ area, name, state, said, remedy }: Look): string {
  const end = remedy === null ? '.' : `: ${remedy}${remedy.endsWith('?') ? '' : '.'}`;
  return `${WORDS[state]}  ${area.padEnd(10)}  ${name} ${said}${end}`;
}
