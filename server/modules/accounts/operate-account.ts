// Holds the acts of an operator on an account. Each act ends its sessions in the same transaction; none of them takes
// effect halfway.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import { revokeOtherSessions } from '#server/platform/http/session.ts';
import { eraseDevices } from '#server/platform/limits/login-limits.ts';
import { hashPassword } from './passwords/password.ts';
import { findPlayersByRef } from './player-ref.ts';
import { ensurePlayer, findBuiltinAccount, findPasswordOf, replacePassword, savePassword, subjectOf } from './store.ts';

export type AccountAct = 'password' | 'disable' | 'enable' | 'end-sessions';

/**
 * @param password of the act "password" only
 * @returns false where there is nothing to do: no password here, disabled already, logged in nowhere
 */
export async function operateAccount(
  db: Queryable,
  playerId: PlayerId,
  act: AccountAct,
  password: string | null,
): Promise<boolean> {
  switch (act) {
    case 'end-sessions':
      return (await revokeOtherSessions(db, playerId, null, 'operator')) > 0;
    case 'enable':
      return setDisabled(db, playerId, false);
    case 'disable': {
      const isDone = await setDisabled(db, playerId, true);
      if (isDone) await revokeOtherSessions(db, playerId, null, 'disabled');
      return isDone;
    }
    case 'password': {
      const kept = await findPasswordOf(db, playerId);
      if (!kept || password === null) return false;
      if (!(await replacePassword(db, playerId, kept.hash, await hashPassword(password)))) return false;
      await revokeOtherSessions(db, playerId, null, 'password');
      await eraseDevices(db, `${kept.brandKey}/${kept.subject}`, null);
      return true;
    }
  }
}

async function setDisabled(db: Queryable, playerId: PlayerId, isDisabled: boolean): Promise<boolean> {
  const rows = await query(
    db,
    isDisabled ? 'account_disable' : 'account_enable',
    `update player set disabled_at = ${isDisabled ? 'now()' : 'null'}
      where player_id = $1 and (disabled_at is null) = $2 and erased_at is null returning player_id`,
    [playerId, isDisabled],
  );
  return rows.length > 0;
}

export type AddOutcome =
  | { readonly kind: 'done' | 'name_taken' }
  /** Also of an account that is shut out: a second one would let its player in again. */
  | { readonly kind: 'user_id_taken'; readonly playerId: PlayerId };

/**
 * A new account that the shop keeps. A user id should have one player in a brand: limits, points and coupons are
 * counted by player, and acts of support name one by the user id.
 * @param account.isShared a second player may have the user id: two games may have given it to different persons
 * @param db a transaction: two that add one user id at the same moment wait for each other
 */
export async function addAccount(
  db: Queryable,
  account: { brandKey: BrandKey; username: string; suid: string; password: string; isShared?: boolean },
): Promise<AddOutcome> {
  const { brandKey, username, suid } = account;
  const subject = subjectOf(username);
  if (await findBuiltinAccount(db, brandKey, subject)) return { kind: 'name_taken' };
  await query(db, 'account_add_lock', 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `account_add/${brandKey}/${suid}`,
  ]);
  const [owner] = await findPlayersByRef(db, brandKey, [{ by: 'user_id', value: suid }], true);
  if (owner && !account.isShared) return { kind: 'user_id_taken', playerId: owner.player_id };
  const playerId = await ensurePlayer(db, { brandKey, provider: 'builtin', subject, suid, username });
  if (!playerId) return { kind: 'name_taken' };
  await savePassword(db, playerId, await hashPassword(account.password));
  return { kind: 'done' };
}
