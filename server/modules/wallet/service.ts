// The stored balance: what a player has, and credits by the operator's own systems. Spending it
// is part of placing an order.
import { type CreditInput as CreditBody, CreditInput, type Balance, type CreditAnswer } from '#contracts/wallet.ts';
import { Value } from 'typebox/value';
import type { BrandKey } from '#kernel/ids.ts';
import { isCurrency, money } from '#kernel/money.ts';
import { type Configuration, displayFor } from '#server/modules/configuration/service.ts';
import { brandOf } from '#server/modules/games/service.ts';
import { type PlayerRef, findPlayersByRef } from '#server/modules/accounts/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, succeed } from '#server/platform/http/answer.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { type SignedCall, isSignedBy } from './signature.ts';
import { isFresh, isNonce } from './signature-rules.ts';
import { creditWallet, readBalances, takeNonce } from './store.ts';

/** `error` is a word for the caller's programmer. */
export type CreditReply =
  | { readonly status: 200; readonly body: CreditAnswer }
  | { readonly status: 400 | 401 | 404 | 409; readonly body: { readonly error: string } };

export type WalletService = {
  balance(caller: PlayerCaller): Promise<Answer<{ list: Balance[] }>>;
  /** Null: credits are off, the address does not exist. */
  credit(site: { brandKey: BrandKey }, call: SignedCall & { readonly signature: string }): Promise<CreditReply | null>;
};

/** @param deps.creditKeys keys that may sign a credit; none: off */
export function createWalletService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  creditKeys: readonly string[];
  now: () => number;
}): WalletService {
  const { db, log } = deps;
  const reply = (status: 400 | 401 | 404 | 409, error: string): CreditReply => ({ status, body: { error } });
  return {
    balance: async (caller) => {
      const { session } = caller;
      const display = displayFor(brandOf(deps.configuration(), caller), caller.language);
      const rows = await readBalances(db, session.playerId);
      return succeed({
        list: rows.map((row) => {
          const total = money(row.paid_minor + row.free_minor, row.currency);
          return { ...row, total_minor: total.amountMinor, total_shown: display.money(total) };
        }),
      });
    },
    credit: async ({ brandKey }, { signature, ...call }) => {
      const keys = deps.creditKeys;
      if (keys.length === 0) return null;
      const isProven = isFresh(call.timestamp, deps.now()) && isNonce(call.nonce) && isSignedBy(keys, call, signature);
      // The nonce is spent by proven calls only, or a stranger could fill the table.
      if (!isProven || !(await takeNonce(db, call.nonce))) {
        noteSecurity(log, 'credit_refused', { brand: brandKey });
        return reply(401, 'signature');
      }
      const body = readBody(call.body);
      if (!body || !isCurrency(body.currency)) return reply(400, 'body');
      const ref = readRef(body);
      if (!ref) return reply(400, 'player');
      const [player, other] = await findPlayersByRef(db, brandKey, [ref]);
      if (!player) return reply(404, 'player');
      if (other) return reply(409, 'player_not_unique');
      const { external_id, currency, amount_minor, kind, reason } = body;
      const done = await creditWallet(db, {
        player_id: player.player_id,
        external_id,
        currency,
        amount_minor,
        kind,
        reason,
        actor: 'credit call',
      });
      if (done.outcome === 'differs') return reply(409, 'external_id');
      log.info({ brand: brandKey, external_id, txn_id: done.txn_id, outcome: done.outcome }, 'a balance was credited');
      return { status: 200, body: { txn_id: done.txn_id, balance_minor: done.balance_minor } };
    },
  };
}

/** Exactly one of the three. */
function readRef(body: CreditBody): PlayerRef | null {
  const given = (['user_id', 'login', 'player_id'] as const).flatMap((by) => {
    const value = body[by];
    return value === undefined ? [] : [{ by, value }];
  });
  return given.length === 1 ? (given[0] ?? null) : null;
}

function readBody(bytes: Uint8Array): CreditBody | null {
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (!Value.Check(CreditInput, body)) return null;
    return Object.values(body).some((value) => typeof value === 'string' && value.includes('\0')) ? null : body;
  } catch {
    return null;
  }
}
