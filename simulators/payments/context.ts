// Declares the input of every payment simulator.

import type { FastifyInstance } from 'fastify';
import type { Clock } from '#simulators/kit/clock.ts';
import type { Credentials } from '#simulators/kit/credentials.ts';
import type { Journal } from '#simulators/kit/journal.ts';
import type { Shop } from '#simulators/kit/shop.ts';

export type Context = {
  /** Folder name, path and control name: "airwallex". */
  name: string;
  app: FastifyInstance;
  journal: Journal;
  shop: Shop;
  clock: Clock;
  credentials: Credentials;
  /**
   * Keeps the credentials that this provider gave the shop when its account was opened: made once, kept over restarts.
   */
  account: <Account>(make: () => Account) => Account;
  /** `http://127.0.0.1:<port>`, known once the server listens: for programs. */
  apiOrigin: () => string;
  /** `http://localhost:<port>`: for browsers. */
  pageOrigin: () => string;
};

/** A simulator that was mounted. */
export type Mounted = {
  close(): void;
  /**
   * Settings of the shop (`REFILL_<NAME>_DEMO_...`) that make it use this simulator; asked once the server listens.
   * `hosts`: `host:port,host:port` of both origins.
   */
  environment?(hosts: string): Record<string, string>;
};

/** How long "pay later" takes. */
export const laterMs = 15_000;
