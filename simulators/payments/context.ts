// What every payment stand-in is given.

import type { FastifyInstance } from 'fastify';
import type { Clock } from '#simulators/kit/clock.ts';
import type { Credentials } from '#simulators/kit/credentials.ts';
import type { Journal } from '#simulators/kit/journal.ts';
import type { Shop } from '#simulators/kit/shop.ts';

export type Context = {
  app: FastifyInstance;
  journal: Journal;
  shop: Shop;
  clock: Clock;
  credentials: Credentials;
  /** `http://127.0.0.1:<port>`, known once the server listens: for programs. */
  apiOrigin: () => string;
  /** `http://localhost:<port>`: for browsers. */
  pageOrigin: () => string;
};

/** How long "pay later" takes. */
export const laterMs = 15_000;
