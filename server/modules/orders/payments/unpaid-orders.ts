// A player's unpaid orders: closed for them where nothing speaks against it, shown where only they can decide.
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { listUnpaid, type UnpaidRow } from '#server/modules/orders/find-store.ts';
import { findOperatedOrder } from '#server/modules/orders/operator/operate-store.ts';
import { EXPIRY_MARGIN_SECONDS } from './attempt-store.ts';
import { type CloseOptions, type CloseOutcome, closeUnpaidOrder } from './close-order.ts';
import type { SettleDeps } from './settle-payment.ts';
import { EXPIRY_LEASE_SECONDS, EXPIRY_MS } from './sweep.ts';

/** Our choice: the player waits for it, and each try asks a provider up to twice. */
const TRIES = 2;

const EXPIRY = { margin: EXPIRY_MARGIN_SECONDS, round: EXPIRY_LEASE_SECONDS + EXPIRY_MS / 1000 };

export type UnpaidOrders = {
  /** Null: the provider gave no answer, so a payment may still come. */
  close(billingNo: string, options?: CloseOptions): Promise<CloseOutcome | null>;
  /** Closes the oldest order without a sign of payment. True: the player has one unpaid order less. */
  makeRoom(playerId: PlayerId): Promise<boolean>;
  /** The oldest first. @param only this one, where it is unpaid */
  list(playerId: PlayerId, only?: string): Promise<UnpaidRow[]>;
};

export function createUnpaidOrders(
  settle: SettleDeps,
  /** Counts what a player makes us ask providers for. */
  mayAsk: (playerId: PlayerId) => Promise<boolean>,
): UnpaidOrders {
  const { db, log, payments } = settle;

  const list = async (playerId: PlayerId, only?: string) => {
    const rows = await listUnpaid(db, playerId, EXPIRY);
    return only === undefined ? rows : rows.filter((row) => row.billing_no === only);
  };

  const close = async (billingNo: string, options?: CloseOptions) => {
    const order = await findOperatedOrder(db, billingNo);
    if (!order) return null;
    return closeUnpaidOrder(settle, order, options).catch((error: unknown) => {
      log.warn({ err: error, billing_no: billingNo }, 'an order could not be cancelled: its provider gave no answer');
      return null;
    });
  };

  /** Its provider answers, and can close a page or takes no money without our capture. */
  const isCloseable = (row: UnpaidRow) =>
    row.is_quiet &&
    row.open_providers.every((name) => {
      const provider = payments.account(name)?.provider;
      return (provider?.cancel || provider?.capture) && payments.isAvailable(name);
    });

  async function makeRoom(playerId: PlayerId): Promise<boolean> {
    const closeable = (await list(playerId)).filter(isCloseable).slice(0, TRIES);
    if (closeable.length === 0 || !(await mayAsk(playerId))) return false;
    for (const { billing_no: billingNo } of closeable) {
      const closed = await close(billingNo, { keepsApproved: true });
      if (closed === null || closed.kind === 'still_payable') continue;
      logRoom(billingNo, closed);
      return true;
    }
    return false;
  }

  function logRoom(billingNo: BillingNo, { kind }: CloseOutcome): void {
    const fields = { billing_no: billingNo, outcome: kind };
    log.info(fields, 'the oldest unpaid order made room for another one');
  }

  return { close, makeRoom, list };
}
