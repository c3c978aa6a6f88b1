// Gathers outside evidence that a restored database may lack: the lists of games, the lists and files of providers, and
// the money in the inbox that belongs to no order. Reads only.
import { type BillingNo, type GameId, isBillingNo, readAttemptRef } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { DAY_MS, HOUR_MS } from '#kernel/time.ts';
import type { Applied, GameServer } from '#server/modules/games/gameserver.ts';
import type { SettlementLine } from '#server/modules/payments/provider.ts';
import type { PaymentsService } from '#server/modules/payments/service.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type RecoveryFacts, listDeliveredHere, listWaitingMoney } from './recovery-store.ts';
import { openFacts, type SealedBy } from './recovery-text.ts';

/** Goods that went out for an order which is not known here to be delivered. */
export type LostGrant = {
  readonly billingNo: BillingNo;
  readonly gameId: GameId;
  readonly receiptId: string;
  /** A reason instead: the game's word alone does not tell what was ordered. */
  readonly facts: RecoveryFacts | 'no_recovery_text' | 'not_our_recovery_text';
};

/** Money that somebody outside says moved. */
export type MoneyMoved = {
  readonly source: 'list' | 'file' | 'callback';
  readonly provider: string;
  readonly movement: 'payment' | 'refund' | 'chargeback';
  readonly reference: string | null;
  readonly captureRef: string | null;
  readonly amountMinor: number | null;
  readonly currency: Currency | null;
  readonly at: Date;
};

export type GameEvidence = {
  readonly lost: readonly LostGrant[];
  readonly listed: number;
  readonly isOffered: boolean;
};

/** Our choice, as in reconcile-game.ts: clocks differ, and a grant may take its retries. */
const SLACK_MS = HOUR_MS;
/** Our choice: a cursor that never ends is a fault of the game. */
const MAX_PAGES = 10_000;

/** @throws OutboundError when the game cannot be reached or its answer makes no sense */
export async function readGame(
  db: Db,
  game: GameServer,
  input: { gameId: GameId; since: Date } & SealedBy,
  /** Receives the grants that belong to no order (rewards of events), a page at a time. */
  onOthers: (others: readonly Applied[]) => Promise<void> = () => Promise.resolve(),
): Promise<GameEvidence> {
  const since = input.since.getTime() - SLACK_MS;
  const lost: LostGrant[] = [];
  let listed = 0;
  let page = (await game.listApplied?.(since, null)) ?? null;
  if (!page) return { lost, listed, isOffered: false };
  for (let pages = 1; page; pages += 1) {
    const said: readonly Applied[] = [
      ...(page.applied ?? page.keys.map((key) => ({ key, receiptId: null, recovery: null }))),
      ...(page.unblocked ?? []),
    ];
    const orders = said.filter((one): one is Applied & { key: BillingNo } => isBillingNo(one.key));
    listed += orders.length;
    const known = await listDeliveredHere(
      db,
      orders.map((one) => one.key),
    );
    for (const one of orders) if (!known.has(one.key)) lost.push(toLostGrant(one, input));
    await onOthers(said.filter((one) => !isBillingNo(one.key)));
    if (pages >= MAX_PAGES) throw new Error('The list of the game does not end.');
    page = page.next === null ? null : ((await game.listApplied?.(since, page.next)) ?? null);
  }
  return { lost, listed, isOffered: true };
}

function toLostGrant(
  { key, receiptId, recovery }: Applied & { key: BillingNo },
  { gameId, environment, keySecrets }: { gameId: GameId } & SealedBy,
): LostGrant {
  // A receipt need not be in the list; the order's number stands for it then.
  const grant = { billingNo: key, gameId, receiptId: receiptId ?? key };
  if (recovery === null) return { ...grant, facts: 'no_recovery_text' };
  const facts = openFacts<RecoveryFacts>(environment, keySecrets, recovery);
  // A text that is ours but of another order was moved: nothing of it is believed.
  if (!facts || facts.billing_no !== key || facts.game_id !== gameId)
    return { ...grant, facts: 'not_our_recovery_text' };
  return { ...grant, facts };
}

/** Verified callbacks of orders that are not here. */
export async function readInbox(db: Db): Promise<MoneyMoved[]> {
  return (await listWaitingMoney(db)).map((one) => ({
    source: 'callback',
    provider: one.provider,
    movement: one.status === 'refunded' ? 'refund' : one.status === 'chargeback' ? 'chargeback' : 'payment',
    reference: one.reference,
    captureRef: one.capture_ref,
    amountMinor: one.amount_minor,
    currency: one.currency,
    at: one.received_at,
  }));
}

/**
 * Lines of a file, or of a provider's own list, from the day of `since` on: some tell the day alone. What cannot be
 * read is told apart.
 */
export async function readLines(
  lines: AsyncIterable<SettlementLine>,
  input: { provider: string; source: 'list' | 'file'; since: Date },
): Promise<{ moved: MoneyMoved[]; unreadable: number }> {
  const moved: MoneyMoved[] = [];
  const from = Math.floor(input.since.getTime() / DAY_MS) * DAY_MS;
  let unreadable = 0;
  for await (const line of lines) {
    if (line.kind === 'unreadable') unreadable += 1;
    else if (line.at >= from)
      moved.push({
        source: input.source,
        provider: input.provider,
        movement: line.movement,
        reference: line.reference,
        captureRef: line.captureRef,
        amountMinor: line.amount.amountMinor,
        currency: line.amount.currency,
        at: new Date(line.at),
      });
  }
  return { moved, unreadable };
}

export type ProviderLists = {
  readonly moved: readonly MoneyMoved[];
  /** On, and without a list. */
  readonly silent: readonly string[];
  /** Have one, and gave none. */
  readonly failed: readonly { provider: string; reason: string }[];
  readonly unreadable: number;
};

/** Of all providers that can list what was paid. */
export async function readProviderLists(
  payments: Pick<PaymentsService, 'account'>,
  names: readonly string[],
  since: Date,
): Promise<ProviderLists> {
  const moved: MoneyMoved[] = [];
  const silent: string[] = [];
  const failed: { provider: string; reason: string }[] = [];
  let unreadable = 0;
  for (const name of names) {
    const account = payments.account(name);
    if (!account || account.provider.internalTender) continue;
    if (!account.provider.listPaymentsSince) {
      silent.push(name);
      continue;
    }
    const lines = account.provider.listPaymentsSince(account.context, since.getTime());
    try {
      const read = await readLines(lines, { provider: name, source: 'list', since });
      moved.push(...read.moved);
      unreadable += read.unreadable;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      failed.push({ provider: name, reason: error.message });
    }
  }
  return { moved, silent, failed, unreadable };
}

export const orderOf = (one: MoneyMoved) => (one.reference === null ? null : readAttemptRef(one.reference));
