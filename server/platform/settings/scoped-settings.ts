// Settings that belong to one provider, login or game in one environment:
// REFILL_<OWNER>_<DEMO|LIVE>_<NAME>, each also with _FILE.
import type { Environment } from '#kernel/environment.ts';
import type { Finding } from './finding.ts';
import { readTextFile, type Variables } from './setting.ts';

export type ScopedSetting = {
  /** As it was set, without _FILE: "REFILL_PAYPAL_LIVE_CLIENT_ID". */
  readonly variable: string;
  /** "PAYPAL", "LOGIN_APPLE", "GAME_POCKET_PITCH". */
  readonly owner: string;
  readonly environment: Environment;
  readonly name: string;
  readonly value: string;
};

/** Every game may have these settings. Providers and logins declare theirs in their adapters. */
export const GAME_SETTINGS = [
  {
    name: 'URL',
    isSecret: false,
    about: 'Where the game server is called: https in live, and whatever its verbs are appended to.',
  },
  {
    name: 'SECRETS',
    isSecret: true,
    about: 'Secrets of the game contract (`whsec_...`, 24 to 64 bytes in base64), by commas; the first signs.',
  },
] as const;

const SCOPED = /^REFILL_([A-Z0-9]+(?:_[A-Z0-9]+)*?)_(DEMO|LIVE)_([A-Z0-9_]+?)(_FILE)?$/;

export function parseScopedName(variable: string): Omit<ScopedSetting, 'value'> | null {
  const [, owner = '', environment = '', name = '', isFile = ''] = SCOPED.exec(variable) ?? [];
  if (owner === '') return null;
  return {
    variable: isFile ? variable.slice(0, -'_FILE'.length) : variable,
    owner,
    environment: environment === 'LIVE' ? 'live' : 'demo',
    name,
  };
}

/** `pocket-pitch` -> `POCKET_PITCH`: how a name of ours stands in a variable. */
export function toVariablePart(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** The variable of a setting: REFILL_ADYEN_LIVE_API_KEY. @param owner "adyen", "login-apple", "game-starlane" */
export function variableOf(owner: string, environment: Environment, name: string): string {
  return `REFILL_${toVariablePart(owner)}_${environment.toUpperCase()}_${name}`;
}

/**
 * All that are set, of both environments: a live shop has to notice a secret that is a demo one's as well. A
 * file of the other environment that cannot be read is nobody's business here; one of this environment is a finding.
 */
export function readScopedSettings(
  variables: Variables,
  environment: Environment | null,
): { scoped: ScopedSetting[]; findings: Finding[] } {
  const scoped: ScopedSetting[] = [];
  const findings: Finding[] = [];
  for (const [variable, raw] of Object.entries(variables)) {
    const parsed = raw ? parseScopedName(variable) : null;
    if (!raw || !parsed) continue;
    const read = parsed.variable === variable ? { value: raw } : readTextFile(raw);
    if ('value' in read) scoped.push({ ...parsed, value: read.value });
    else if (parsed.environment === environment) findings.push({ name: variable, ...read });
  }
  return { scoped, findings };
}
