// Declares the dependencies of logins by a link.
import type { BrandKey } from '#kernel/ids.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { FailureLimit } from '#server/platform/limits/address-limits.ts';
import type { Log } from '#server/platform/log.ts';

export type LinkDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly gpIdOf: (brandKey: BrandKey, clientId: string) => string;
  readonly gameOfClient: (clientId: string) => string | null;
  readonly keepsAccounts: (brandKey: BrandKey) => 'builtin' | 'game';
  /** Secrets of the game's contract ; none: the game cannot ask for tickets. */
  readonly gameSecrets: (gameId: string) => readonly string[];
  /** Is true when this game shows its players codes for another device. */
  readonly hasEntryCodes: (gameId: string) => boolean;
  /** Wrong codes, by address and by account. */
  readonly codeGuesses: FailureLimit;
  /** Epoch milliseconds. */
  readonly now: () => number;
};
