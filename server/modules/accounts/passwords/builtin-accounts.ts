// Accounts whose passwords the shop itself keeps: the account store of brands with `accounts: builtin`.
import type { Db } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import type { AccountStore } from '#server/modules/accounts/identity.ts';
import { checkPassword, hashPasswordNow } from './password.ts';
import { findBuiltinAccount, replacePassword, subjectOf } from '#server/modules/accounts/store.ts';

export function createBuiltinStore(db: Db, log: Log): AccountStore {
  return {
    provider: 'builtin',
    verifyPassword: async ({ brandKey, username, password, isKnownDevice }) => {
      const subject = subjectOf(username);
      const account = await findBuiltinAccount(db, brandKey, subject);
      const result = await checkPassword(account?.hash ?? null, password, isKnownDevice);
      if (result === 'busy') return { kind: 'busy' };
      if (result === 'differs' || !account) return { kind: 'wrong_credentials' };
      if (result === 'outdated') {
        // The next login is soon enough when no hashing slot is free now.
        const anew = await hashPasswordNow(password);
        if (anew && (await replacePassword(db, account.playerId, account.hash, anew)))
          noteSecurity(log, 'password_rehashed', { brand: brandKey, player: account.playerId });
      }
      return { kind: 'ok', suid: account.suid, subject, username: account.username };
    },
  };
}
