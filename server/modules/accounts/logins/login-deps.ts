// Declares the dependencies of logins by other identities, and the three helpers that all of them share.
import type { Environment } from '#kernel/environment.ts';
import { createHash } from 'node:crypto';
import type { BrandKey } from '#kernel/ids.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { LoginLimits } from '#server/platform/limits/login-limits.ts';
import type { Log } from '#server/platform/log.ts';
import type { FindCardAccount, IdentityAccounts } from '#server/modules/accounts/identity.ts';
import type { BrandLogins } from './login-port.ts';
import type { OpenLoginProviders } from './open-providers.ts';

export type LoginsDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly configuration: () => Configuration;
  readonly environment: Environment;
  readonly openProviders: OpenLoginProviders;
  /** Of accounts/service.ts: game product id, empty when this brand does not sell the client's game. */
  readonly gpIdOf: (brandKey: BrandKey, clientId: string) => string;
  /** Answers which side keeps this brand's accounts. */
  readonly keepsAccounts: (brandKey: BrandKey) => 'builtin' | 'game';
  readonly gameIdentities: IdentityAccounts;
  /** Resolves to true when this address may begin one more login now. */
  readonly mayBegin: (ip: string) => Promise<boolean>;
  readonly limits: LoginLimits;
  readonly findCardAccount: FindCardAccount;
};

export function loginsOf(deps: LoginsDeps, brandKey: BrandKey): BrandLogins {
  return deps.configuration().brands.get(brandKey)?.file.logins ?? { kinds: [] };
}

/**
 * Beginning of the subjects of a client's game; empty where the shop keeps the accounts, null for a game nobody has.
 */
export function scopeOf(deps: LoginsDeps, brandKey: BrandKey, clientId: string): string | null {
  return deps.keepsAccounts(brandKey) === 'game' ? deps.gameIdentities.scopeOf(clientId) : '';
}

/** The database stores only this hash of a secret that the browser holds. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
