// Which brand a request is for, from the Host header through an allow-list. Nothing but the Host decides it.
import type { Environment } from '#kernel/environment.ts';
import type { BrandKey, GameId } from '#kernel/ids.ts';
import { isLoopbackHost } from '#kernel/pay-link.ts';
import type { Language } from '#kernel/languages.ts';

/** The few facts of a brand that the transport itself needs. */
export type Site = {
  readonly brandKey: BrandKey;
  readonly languages: readonly Language[];
  /** The specification's GET with name and password is taken. */
  readonly legacyGet: boolean;
  /** A call may name its session in its address. */
  readonly legacyQueryToken: boolean;
  /**
   * Maps a client id to its game where each game keeps accounts of its own; null for a client that the brand does not
   * sell. Absent: one account is good at every game of the brand.
   */
  readonly gameOfAccounts?: (clientId: string) => GameId | null;
  /** Key of super mode that the browser holds: its user is a beta user and sees what is marked beta. */
  readonly betaId?: string;
  /** Only on a backup host: hosts of the brand whose pages may read what it answers. */
  readonly pageHosts?: readonly string[];
};

/** Host header without port, lower case; null when it is no host name at all. */
export function readHost(header: string | undefined): string | null {
  const match = /^([a-z0-9.-]{1,253})(?::\d{1,5})?$/.exec((header ?? '').toLowerCase());
  return match ? (match[1] ?? null) : null;
}

/** The host a request is for: of its Host header alone. What a proxy says of it in other headers is never read. */
export function hostOf(request: { readonly headers: { readonly host?: string | undefined } }): string | null {
  return readHost(request.headers.host);
}

/**
 * The address of a brand's page and of what providers are told, out of configured names: a request chooses
 * among the hosts of the brand and adds nothing, no port and no scheme.
 * @param host of the configuration
 * @param port that this process serves the demo on
 */
export function originOf(host: string, port: number): string {
  if (!isLoopbackHost(host)) return `https://${host}`;
  return port === 80 ? `http://${host}` : `http://${host}:${port}`;
}

/**
 * Reads the environment from a host: the demo when it contains "demo". A process answers on the hosts of its own
 * environment only.
 * @source specification section 1
 */
export function environmentOfHost(host: string): Environment {
  return host.includes('demo') ? 'demo' : 'live';
}
