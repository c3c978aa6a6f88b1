// Addresses of an outside party that have a right value: the official one in production,
// another one for a simulator only.
import type { Environment } from '#kernel/environment.ts';
import { isLoopbackHost } from '#kernel/pay-link.ts';
import type { SettingForm } from '#kernel/setting-form.ts';

/**
 * The official address, or the operator's setting in its place.
 * On the live side a setting must be https and of a host in `hosts`; on the sandbox side it may also
 * be plain http of this machine.
 * Throws one sentence when it is anything else.
 */
export function readEndpoint(
  given: string | undefined,
  wanted: {
    name: string;
    environment: Environment;
    official: string;
    hosts: readonly string[];
  },
): string {
  if (!given) return wanted.official;
  if (!URL.canParse(given)) throw new Error(`${wanted.name} is no address`);
  const url = new URL(given);
  const isOfficial = url.protocol === 'https:' && wanted.hosts.includes(url.host);
  const isSimulator = wanted.environment === 'demo' && (url.protocol === 'https:' || isLoopbackHost(url.hostname));
  if (url.username || (!isOfficial && !isSimulator)) {
    throw new Error(`${wanted.name} must be https at ${wanted.hosts.join(' or ')}, not ${url.origin}`);
  }
  return given;
}

/** Declarations of the settings that `readEndpoint` looks at. @param official the address of each */
export function declareEndpoints(official: Readonly<Record<string, string>>) {
  return Object.entries(official).map(([name, address]) => ({
    name,
    isRequired: false,
    isSecret: false,
    about: `Another address than ${address}: for a simulator, in demo only.`,
  }));
}

/**
 * A secret that differs by app id: `SECRETS` holds `id=secret` entries, separated by commas or lines;
 * `SECRET` is everybody else's.
 * @returns null when this app has none
 */
export function readSecretOf(appId: string, secret: string | undefined, secrets: string | undefined): string | null {
  for (const entry of (secrets ?? '').split(/[\n,]/)) {
    const cut = entry.indexOf('=');
    if (cut > 0 && entry.slice(0, cut).trim() === appId) return entry.slice(cut + 1).trim() || null;
  }
  return secret || null;
}

/** How `readSecretOf` reads them: another entry would be left out, and the one secret of all apps taken for its app. */
export const SECRETS_BY_APP = {
  kind: 'other',
  one: 'id=secret by commas or lines, each id once',
  fits: (text: string): boolean => {
    const entries = text.split(/[\n,]/).filter((entry) => entry.trim() !== '');
    const ids = entries.flatMap((entry) => /^\s*([^=\s]+)\s*=\s*\S/.exec(entry)?.[1] ?? []);
    return entries.length > 0 && ids.length === entries.length && new Set(ids).size === ids.length;
  },
} as const satisfies SettingForm;
