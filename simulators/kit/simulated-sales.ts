// Handles a sale of a simulator with a hosted page: pays, declines, settles later, closes, refunds. No wire: that is
// each provider's own.

import type { Clock } from './clock.ts';
import type { Choice } from './control.ts';
import { deliverOutcome } from './deliver.ts';
import { type FaultBook, isSentinel, type Sentinel } from './faults.ts';
import type { Journal, Table } from './journal.ts';
import type { Amount } from './money.ts';
import type { CallbackDraft, Outbox } from './outbox.ts';

export type Refund = { ref: string; id: string; amount: Amount; at: number };

export type Sale = {
  /** The provider's id of the order. */
  id: string;
  /** The shop's own number of it. */
  reference: string;
  /** Asked for. */
  amount: Amount;
  /** Really paid, which a fault may make differ. */
  paid?: Amount;
  status: 'open' | 'pending' | 'paid' | 'declined' | 'closed' | 'charged_back';
  /** The provider's id of the last try at paying. */
  paymentId?: string;
  refunds: Refund[];
  faults: Sentinel[];
  description: string;
  returnUrl?: string;
  cancelUrl?: string;
  createdAt: number;
  /** Milliseconds since the epoch; not payable from then on. */
  endsAt: number;
  settlesAt?: number;
  paidAt?: number;
  /** Only this provider keeps these. */
  details: Record<string, string>;
};

/** The callbacks of a provider. Those left out are not told by it. */
export type SaleCallbacks = {
  paid(sale: Sale): CallbackDraft;
  declined(sale: Sale): CallbackDraft;
  pending?(sale: Sale): CallbackDraft;
  closed?(sale: Sale): CallbackDraft;
  refunded?(sale: Sale, refund: Refund): CallbackDraft;
  chargedBack?(sale: Sale): CallbackDraft;
  /** One more signed callback of a kind that a test names; undefined when the provider has no such kind. */
  emitted?(sale: Sale, kind: string): CallbackDraft | undefined;
};

export type SimulatedSales = ReturnType<typeof createSimulatedSales>;

/** How long a question about a sale with the word `timeout` hangs. */
const hangsForMs = 20_000;

/**
 * @param laterMs how long "pay later" takes
 * @param newId makes the provider's ids, of payments and refunds
 * @param isFinal whether a declined sale is over; else the same page can be paid again
 */
export function createSimulatedSales(input: {
  journal: Journal;
  clock: Clock;
  outbox: Outbox;
  callbacks: SaleCallbacks;
  faults: FaultBook;
  laterMs: number;
  newId: (kind: 'payment' | 'refund') => string;
  isFinal?: (sale: Sale) => boolean;
}) {
  const { journal, clock, outbox, callbacks, newId } = input;
  const sales: Table<Sale> = journal.table('sales');
  const byReference = new Map<string, string>();
  for (const sale of sales.values()) byReference.set(sale.reference, sale.id);
  const failedOnce = new Set<string>();

  const save = (sale: Sale) => {
    sales.put(sale.id, sale);
    byReference.set(sale.reference, sale.id);
  };
  const find = (key: string) => sales.get(key) ?? sales.get(byReference.get(key) ?? '');
  const isUnpaid = (sale: Sale) =>
    sale.status === 'open' || (sale.status === 'declined' && !(input.isFinal?.(sale) ?? false));
  const isOver = (sale: Sale) => sale.endsAt <= clock.now();
  const isOpen = (sale: Sale) => isUnpaid(sale) && !isOver(sale);

  async function complete(sale: Sale): Promise<void> {
    sale.status = 'paid';
    sale.paidAt = clock.now();
    delete sale.settlesAt;
    save(sale);
    await deliverOutcome(outbox, sale.faults, {
      success: [callbacks.paid(sale)],
      // A try that was refused, before the one that succeeded.
      stale: () => [callbacks.declined({ ...sale, paymentId: newId('payment'), status: 'declined' })],
    });
  }
  async function settle(sale: Sale): Promise<boolean> {
    if (sale.status !== 'pending') return false;
    await complete(sale);
    return true;
  }
  const settleAt = (sale: Sale, dueAt: number) =>
    clock.after(Math.max(0, dueAt - clock.now()), () => void settle(sale));
  for (const sale of sales.values()) if (sale.settlesAt !== undefined) settleAt(sale, sale.settlesAt);

  async function decide(sale: Sale, { decision, note }: Pick<Choice, 'decision' | 'note'>): Promise<boolean> {
    if (!isOpen(sale)) return false;
    sale.paymentId = newId('payment');
    if (decision === 'decline') {
      sale.status = 'declined';
      save(sale);
      await outbox.send(callbacks.declined(sale));
      return true;
    }
    sale.faults = [...sale.faults, ...note];
    sale.paid = paidAmount(sale.amount, sale.faults);
    if (decision === 'pay') {
      await complete(sale);
      return true;
    }
    sale.status = 'pending';
    sale.settlesAt = clock.now() + input.laterMs;
    save(sale);
    settleAt(sale, sale.settlesAt);
    if (callbacks.pending) await outbox.send(callbacks.pending(sale));
    return true;
  }

  return {
    table: sales,
    save,
    find,
    isOpen,
    /** Unpaid, and its time is over. */
    isExpired: (sale: Sale) => isUnpaid(sale) && isOver(sale),
    decide,
    settle,
    /** Keeps a new sale under the fault of the call that made it; `early` pays it before the call is answered. */
    async open(sale: Sale, fault: string | undefined): Promise<void> {
      if (fault && isSentinel(fault) && fault !== 'timeout' && fault !== 'error500') sale.faults.push(fault);
      save(sale);
      if (sale.faults.includes('early')) await decide(sale, { decision: 'pay', note: [] });
    },
    /** Returns true when it is closed now; a paid one is not. */
    close(sale: Sale): boolean {
      if (!isUnpaid(sale) && sale.status !== 'closed') return false;
      if (sale.status !== 'closed') {
        sale.status = 'closed';
        save(sale);
        if (callbacks.closed) void outbox.send(callbacks.closed(sale));
      }
      return true;
    },
    refund,
    /** Applies the payer's words to a question about this sale. */
    questionFault(sale: Sale | undefined, operation: string): string | undefined {
      const queued = input.faults.take(operation);
      if (queued !== undefined || !sale) return queued;
      if (sale.faults.includes('timeout') && clock.now() - (sale.paidAt ?? 0) < hangsForMs) return 'hang';
      if (!sale.faults.includes('error500') || failedOnce.has(sale.id)) return undefined;
      failedOnce.add(sale.id);
      return 'error500';
    },
    /** The verbs of the control calls. */
    controls: {
      list: () => [...sales.values()],
      find,
      pay: (key: string, choice: Choice) => on(key, (sale) => decide(sale, choice)),
      settle: (key: string) => on(key, settle),
      ...(callbacks.chargedBack ? { chargeback: (key: string) => on(key, chargeBack) } : {}),
      ...(callbacks.refunded
        ? { refund: (key: string, minor?: number) => on(key, (sale) => refundByHand(sale, minor)) }
        : {}),
      emit: (key: string, kind: string) =>
        on(key, async (sale) => {
          const draft = callbacks.emitted?.(sale, kind);
          if (draft) await outbox.send(draft);
          return draft !== undefined;
        }),
    },
  };

  async function chargeBack(sale: Sale): Promise<boolean> {
    if (sale.status !== 'paid' || !callbacks.chargedBack) return false;
    sale.status = 'charged_back';
    save(sale);
    await outbox.send(callbacks.chargedBack(sale));
    return true;
  }
  /**
   * The refund, the same one for the same `ref`; undefined when there is not enough money left.
   * Told by callback a moment later.
   */
  function refund(sale: Sale, ref: string, amount: Amount): Refund | undefined {
    const known = sale.refunds.find((one) => one.ref === ref);
    if (known) return known;
    const paid = sale.paid;
    const givenMinor = sale.refunds.reduce((sum, one) => sum + one.amount.amountMinor, 0);
    if (sale.status !== 'paid' || !paid || amount.currency !== paid.currency) return undefined;
    if (amount.amountMinor <= 0 || amount.amountMinor + givenMinor > paid.amountMinor) return undefined;
    const made: Refund = { ref, id: newId('refund'), amount, at: clock.now() };
    sale.refunds.push(made);
    save(sale);
    if (callbacks.refunded) void outbox.send(callbacks.refunded(sale, made), refundCallbackMs);
    return made;
  }

  async function refundByHand(sale: Sale, amountMinor?: number): Promise<boolean> {
    const givenMinor = sale.refunds.reduce((sum, one) => sum + one.amount.amountMinor, 0);
    const left = sale.paid && { ...sale.paid, amountMinor: amountMinor ?? sale.paid.amountMinor - givenMinor };
    return left !== undefined && refund(sale, `by-hand-${sale.refunds.length}`, left) !== undefined;
  }

  async function on(key: string, run: (sale: Sale) => Promise<boolean>): Promise<Sale | undefined> {
    const sale = find(key);
    return sale && (await run(sale)) ? sale : undefined;
  }
}

/** A refund is told this long after its call was answered. Our choice; real ones take seconds to days. */
const refundCallbackMs = 300;

function paidAmount(asked: Amount, faults: readonly Sentinel[]): Amount {
  if (faults.includes('wrong-amount')) return { ...asked, amountMinor: asked.amountMinor - 1 };
  if (faults.includes('wrong-currency')) return { ...asked, currency: asked.currency === 'EUR' ? 'USD' : 'EUR' };
  return asked;
}
