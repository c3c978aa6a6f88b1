// The only file that reads the environment. What each variable means stands in settings/settings-table.ts;
// all faults are told at once.
import type { Environment } from '#kernel/environment.ts';
import { renameSettings } from './deprecations.ts';
import { describeFinding, type Finding } from './settings/finding.ts';
import { readScopedSettings, type ScopedSetting, toVariablePart } from './settings/scoped-settings.ts';
import { type Read, readTextFile, type Setting, type Variables } from './settings/setting.ts';
import { SETTINGS } from './settings/settings-table.ts';

type ProcessSettings = {
  readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer Value> ? Value : never;
};

export type Config = ProcessSettings & {
  /**
   * REFILL_<PROVIDER>_<DEMO|LIVE>_<NAME>, or the same with _FILE naming a file that holds the
   * value; those of `environment`.
   */
  providerSettings(provider: string): Readonly<Record<string, string>>;
  /**
   * REFILL_GAME_<GAME>_<DEMO|LIVE>_URL and _SECRETS (comma list, the first signs), of `environment`.
   * Null: the game cannot be reached.
   */
  gameServer(gameId: string): { url: string; secrets: readonly string[] } | null;
  /** Every setting of a provider, login or game that is set, of both environments: for comparing, never for using. */
  readonly scoped: readonly ScopedSetting[];
  /** Names of all variables that are set, also of those that nobody knows. */
  readonly names: readonly string[];
};

/** Of REFILL_ENVIRONMENT; the fault is one sentence. */
export function readEnvironment(variables: Variables): { environment: Environment } | { fault: string } {
  const [name, read] = readSetting(SETTINGS.environment, variables);
  return 'value' in read ? { environment: read.value } : { fault: describeFinding({ name, ...read }) };
}

/** Reads and checks everything; the faults are whole sentences without any secret value. */
export function readConfig(variables: Variables = process.env): { config: Config } | { faults: string[] } {
  const { config, findings } = inspectConfig(variables);
  return findings.length > 0 ? { faults: findings.map(describeFinding) } : { config };
}

/**
 * The same for a start that lists every fault at once: where a value cannot be used, its default stands in `config`.
 * `warnings`: settings that are read by a name of an earlier version.
 */
export function inspectConfig(given: Variables = process.env): {
  config: Config;
  findings: readonly Finding[];
  warnings: readonly Finding[];
} {
  const { variables, warnings } = renameSettings(given);
  const side = readEnvironment(variables);
  // Without an environment nothing of a provider or game is looked at, and the one that stands in here decides nothing.
  const environment = 'environment' in side ? side.environment : null;
  const { scoped, findings } = readScopedSettings(variables, environment);
  const process = Object.fromEntries(
    Object.entries(SETTINGS as Record<string, Setting<unknown>>).map(([key, setting]) => {
      const [name, read] = readSetting(setting, variables);
      if ('value' in read) return [key, read.value];
      findings.push({ name, ...read });
      const unset = setting.read(null);
      return [key, 'value' in unset ? unset.value : ''];
    }),
  ) as ProcessSettings;

  const byOwner = new Map<string, Record<string, string>>();
  for (const one of scoped)
    if (one.environment === environment) byOwner.set(one.owner, { ...byOwner.get(one.owner), [one.name]: one.value });
  const settingsOf = (owner: string) => byOwner.get(toVariablePart(owner)) ?? {};
  const config: Config = {
    ...process,
    environment: environment ?? 'demo',
    providerSettings: settingsOf,
    gameServer: (gameId) => {
      const { SECRETS, URL } = settingsOf(`game-${gameId}`);
      if (!URL || !SECRETS) return null;
      return {
        url: URL,
        secrets: SECRETS.split(',')
          .map((secret) => secret.trim())
          .filter(Boolean),
      };
    },
    scoped,
    names: Object.keys(variables).filter((name) => variables[name] !== undefined),
  };
  return { config, findings, warnings };
}

/** `message` is one sentence for a person. */
class SettingFault extends Error {
  override readonly name = 'SettingFault';
}

/**
 * DATABASE_URL, or what the file of DATABASE_URL_FILE holds; null when neither is set. Throws
 * SettingFault for what is no address.
 */
export function readDatabaseUrl(variables: Variables): string | null {
  if (!variables['DATABASE_URL'] && !variables['DATABASE_URL_FILE']) return null;
  const [name, read] = readSetting(SETTINGS.databaseUrl, variables);
  if ('value' in read) return read.value;
  throw new SettingFault(describeFinding({ name, ...read }));
}

/** Reads the settings that a command needs for the replica; throws SettingFault for a value that is no address. */
export function readReplicaSettings(variables: Variables): {
  databaseReadUrl: string;
  replicaMaxBehindSeconds: number;
} {
  const read = <Value>(setting: Setting<Value>): Value => {
    const [name, found] = readSetting(setting, variables);
    if ('value' in found) return found.value;
    throw new SettingFault(describeFinding({ name, ...found }));
  };
  return {
    databaseReadUrl: read(SETTINGS.databaseReadUrl),
    replicaMaxBehindSeconds: read(SETTINGS.replicaMaxBehindSeconds),
  };
}

/** @returns the variable that was looked at last, for a fault, beside what came of it */
function readSetting<Value>(setting: Setting<Value>, variables: Variables): [name: string, read: Read<Value>] {
  const path = setting.mayBeFile ? variables[`${setting.name}_FILE`] : undefined;
  if (!path) return [setting.name, setting.read(variables[setting.name] || null)];
  const read = readTextFile(path);
  return [`${setting.name}_FILE`, 'value' in read ? setting.read(read.value) : read];
}
