// Declares the input of every identity simulator.

import type { FastifyInstance } from 'fastify';
import type { Clock } from '#simulators/kit/clock.ts';
import type { FaultBook } from '#simulators/kit/faults.ts';

export type IdentityContext = {
  /** Path below `/identity` and control name below `/control/login`: "google". */
  name: string;
  app: FastifyInstance;
  clock: Clock;
  faults: FaultBook;
  /** The address of the shop; see `kit/shop.ts`. */
  shopUrl: string;
  /**
   * Keeps the credentials that this provider gave the shop when its app was registered, or has for itself: made once,
   * kept over restarts. `part` is "app", "keys" ...
   */
  account: <Account>(part: string, make: () => Account) => Account;
  /** `http://127.0.0.1:<port>/identity/<name>`, known once the server listens: for programs. */
  apiBase: () => string;
  /** The same at `http://localhost:<port>`: for browsers. */
  pageBase: () => string;
};

export type MountedIdentity = {
  /** Settings of the shop, without their prefix, that make it use this simulator; asked once the server listens. */
  settings(): Record<string, string>;
};

/**
 * Shops that a simulator knows without registration: those on this machine.
 * The real ones compare with what the operator registered, letter by letter.
 */
export function isKnownShop(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { hostname, pathname, protocol } = new URL(redirectUri);
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return /^https?:$/.test(protocol) && isHere && pathname.startsWith('/util/login/callback/');
}
