// Which environment a command works on: what REFILL_ENVIRONMENT says. The database of `npm start` is a
// demonstration's and needs no word.
import type { Environment } from '#kernel/environment.ts';
import { type Config, readConfig, readEnvironment } from '#server/platform/config.ts';
import { InputFault } from './terminal.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws InputFault when an operator's own database is named without saying which environment it is. */
export function readCommandEnvironment(variables: Variables): Environment {
  const isOwnDatabase = Boolean(variables.DATABASE_URL || variables.DATABASE_URL_FILE);
  if (!variables.REFILL_ENVIRONMENT && !isOwnDatabase) return 'demo';
  const read = readEnvironment(variables);
  if ('fault' in read) throw new InputFault(read.fault);
  return read.environment;
}

/**
 * The whole configuration as a server would read it. Throws InputFault for variables that cannot be read.
 * @param databaseUrl of the database the command opened; any address will do where it opens none
 */
export function readCommandConfig(variables: Variables, databaseUrl: string): Config {
  const environment = readCommandEnvironment(variables);
  const read = readConfig({ ...variables, DATABASE_URL: databaseUrl, REFILL_ENVIRONMENT: environment });
  if ('faults' in read) throw new InputFault(read.faults.join(' '));
  return read.config;
}
