// The shop as it ought to be, in plain objects: orders, payments, deliveries, refunds, limits, stock and
// books. No SQL, no time, no locks;
// what the database does is compared with this after every command.

export type Product = 'plain' | 'limited' | 'stocked';
export const PRODUCTS: readonly Product[] = ['plain', 'limited', 'stocked'];
const CAPS: Readonly<Record<Product, number>> = { plain: Infinity, limited: 2, stocked: 2 };
export const PRICE = 499;
export const POINTS_RATE = { points: 10, per_minor: 100 };
const POINTS = Math.floor((PRICE * POINTS_RATE.points) / POINTS_RATE.per_minor);

export type AttemptState = 'redirected' | 'succeeded' | 'failed' | 'expired' | 'mismatch' | 'overpayment';
export type Attempt = {
  channel: string;
  state: AttemptState;
  owedMinor: number;
  refund: 'due' | 'manual' | 'done' | null;
  isReturned: boolean;
  /** The bank's word was heard, whether or not anything was in the books then. */
  isChargedBack: boolean;
};
export type Order = {
  readonly product: Product;
  state:
    | 'pending'
    | 'paid'
    | 'delivering'
    | 'delivered'
    | 'review'
    | 'refund_due'
    | 'refunded'
    | 'failed'
    | 'expired'
    | 'cancelled';
  readonly attempts: Attempt[];
  delivery: 'queued' | 'unknown' | 'rejected' | 'done' | null;
  isHolding: boolean;
  isDelivered: boolean;
  isRefunded: boolean;
  readonly books: Record<'provider_receivable' | 'goods_owed' | 'revenue' | 'refund_owed' | 'chargeback_loss', number>;
};
export type Report = {
  status: 'paid' | 'declined' | 'failed' | 'expired' | 'refunded' | 'chargeback';
  amountMinor: number;
  isOurs: boolean;
  /** An answer to our own question: it is told again, so it is not kept. */
  isAsked: boolean;
};

const isUnpaid = (order: Order) => order.state === 'pending';
const isClosed = (order: Order) => order.state === 'failed' || order.state === 'expired' || order.state === 'cancelled';
const payingOf = (order: Order) => order.attempts.find((attempt) => attempt.state === 'succeeded');

const openAttempt = (channel: string): Attempt => ({
  channel,
  state: 'redirected',
  owedMinor: 0,
  refund: null,
  isReturned: false,
  isChargedBack: false,
});

/** Reservations that stand: what limits and stock must count. */
export const countHeld = (orders: readonly Order[], product: Product) =>
  orders.filter((order) => order.product === product && order.isHolding).length;

/** The player's ledger must come to this: the points of every delivered order whose money stayed. */
export const countPoints = (orders: readonly Order[]) =>
  orders.filter((order) => order.isDelivered && !payingOf(order)?.isReturned).length * POINTS;

export function place(
  orders: Order[],
  product: Product,
  channel: string,
): 'placed' | 'repeat' | 'limit_reached' | 'sold_out' {
  const open = orders.find((order) => order.product === product && isUnpaid(order));
  const current = open?.attempts.at(-1);
  if (open && current) {
    if ((current.channel === channel && current.state === 'redirected') || open.attempts.length >= 20) return 'repeat';
    open.attempts.push(openAttempt(channel));
    return 'placed';
  }
  if (countHeld(orders, product) >= CAPS[product]) return product === 'limited' ? 'limit_reached' : 'sold_out';
  const books = { provider_receivable: 0, goods_owed: 0, revenue: 0, refund_owed: 0, chargeback_loss: 0 };
  const isHolding = product !== 'plain';
  orders.push({
    product,
    state: 'pending',
    attempts: [openAttempt(channel)],
    delivery: null,
    isHolding,
    isDelivered: false,
    isRefunded: false,
    books,
  });
  return 'placed';
}

function book(order: Order, debit: keyof Order['books'], credit: keyof Order['books'], minor: number): void {
  order.books[debit] += minor;
  order.books[credit] -= minor;
}

function close(order: Order, state: Order['state']): void {
  order.state = state;
  order.isHolding = false;
}

export function report(orders: readonly Order[], order: Order, attempt: Attempt, said: Report): void {
  if (said.status === 'paid') {
    const isFirst = !isBooked(attempt);
    applyPaid(orders, order, attempt, said);
    // The bank was faster.
    if (isFirst && attempt.isChargedBack) chargeBack(order, attempt);
    return;
  }
  // Another account's word says nothing about this payment.
  if (!said.isOurs) return;
  if (said.status === 'failed' || said.status === 'expired') {
    if (attempt.state !== 'redirected') return;
    attempt.state = said.status;
    if (isUnpaid(order) && order.attempts.at(-1) === attempt) close(order, said.status);
  } else if (said.status === 'refunded') {
    applyReversal(order, attempt);
    bookReturn(order, attempt);
  } else if (said.status === 'chargeback') {
    applyReversal(order, attempt);
    chargeBack(order, attempt);
    if (!said.isAsked) attempt.isChargedBack = true;
  }
}

const isBooked = ({ state, owedMinor }: Attempt) =>
  state === 'succeeded' || state === 'overpayment' || (state === 'mismatch' && owedMinor > 0);

function applyPaid(orders: readonly Order[], order: Order, attempt: Attempt, said: Report): void {
  if (isBooked(attempt)) return;
  if (!said.isOurs || said.amountMinor !== PRICE) {
    attempt.state = 'mismatch';
    attempt.owedMinor = said.isOurs ? said.amountMinor : 0;
    book(order, 'provider_receivable', 'refund_owed', attempt.owedMinor);
    if (isUnpaid(order) || isClosed(order)) order.state = 'review';
  } else if (payingOf(order) || ['paid', 'delivering', 'delivered', 'refunded', 'refund_due'].includes(order.state)) {
    attempt.state = 'overpayment';
    attempt.owedMinor = PRICE;
    book(order, 'provider_receivable', 'refund_owed', PRICE);
    attempt.refund ??= 'due';
  } else {
    const isHeldAgain = isClosed(order) && countHeld(orders, order.product) < CAPS[order.product];
    const isSold = isUnpaid(order) || isHeldAgain;
    attempt.state = 'succeeded';
    book(order, 'provider_receivable', 'goods_owed', PRICE);
    if (isSold) {
      order.isHolding = order.product !== 'plain';
      order.delivery = 'queued';
      order.state = 'paid';
    } else if (order.state !== 'review') {
      order.state = 'refund_due';
      attempt.refund ??= 'due';
    }
  }
}

/** A payment of which we first hear when it is gone again. */
function applyReversal(order: Order, attempt: Attempt): void {
  if (!['redirected', 'failed', 'expired'].includes(attempt.state)) return;
  const isBeside = payingOf(order) !== undefined;
  attempt.state = isBeside ? 'overpayment' : 'succeeded';
  attempt.owedMinor = isBeside ? PRICE : 0;
  book(order, 'provider_receivable', isBeside ? 'refund_owed' : 'goods_owed', PRICE);
  if (!isBeside && (isUnpaid(order) || isClosed(order))) order.state = 'review';
}

function stopDelivery(order: Order): void {
  if (order.delivery === 'queued' || order.delivery === 'unknown') order.delivery = 'rejected';
}

function bookReturn(order: Order, attempt: Attempt): boolean {
  if (attempt.isReturned) return false;
  if (attempt.state === 'succeeded') {
    book(order, order.isDelivered ? 'revenue' : 'goods_owed', 'provider_receivable', PRICE);
    stopDelivery(order);
    order.state = 'refunded';
    order.isRefunded = true;
    if (!order.isDelivered) order.isHolding = false;
  } else if (attempt.owedMinor > 0) {
    book(order, 'refund_owed', 'provider_receivable', attempt.owedMinor);
    closeMismatch(order, attempt);
  } else return false;
  attempt.isReturned = true;
  if (attempt.refund) attempt.refund = 'done';
  return true;
}

function closeMismatch(order: Order, attempt: Attempt): void {
  if (attempt.state === 'mismatch' && !payingOf(order) && (order.state === 'review' || order.state === 'refund_due'))
    close(order, 'refunded');
}

function chargeBack(order: Order, attempt: Attempt): void {
  if (attempt.isReturned) return;
  if (attempt.state === 'succeeded') {
    book(order, 'chargeback_loss', 'provider_receivable', PRICE);
    stopDelivery(order);
    if (order.state === 'paid' || order.state === 'delivering') order.state = 'review';
    else if (order.state === 'refund_due') {
      close(order, 'refunded');
      order.isRefunded = true;
    }
  } else if (attempt.owedMinor > 0) {
    book(order, 'refund_owed', 'provider_receivable', attempt.owedMinor);
    closeMismatch(order, attempt);
  } else return;
  attempt.isReturned = true;
  if (attempt.refund) attempt.refund = 'done';
}

/** The game answers every call that is due with the same word. */
export function deliver(orders: readonly Order[], kind: 'done' | 'declined' | 'unknown'): void {
  for (const order of orders) {
    if (order.delivery !== 'queued' && order.delivery !== 'unknown') continue;
    if (order.state === 'paid') order.state = 'delivering';
    if (kind === 'unknown') order.delivery = 'unknown';
    else if (kind === 'declined') {
      order.delivery = 'rejected';
      if (order.state === 'delivering') order.state = 'review';
    } else {
      order.delivery = 'done';
      order.isDelivered = true;
      if (order.state === 'delivering' || order.state === 'review') order.state = 'delivered';
      if (!order.isRefunded) book(order, 'goods_owed', 'revenue', PRICE);
    }
  }
}

/** A person asks for the money of one attempt to go back. */
export function askRefund(order: Order, attempt: Attempt): void {
  if (attempt.isReturned || attempt.refund || (attempt.state !== 'succeeded' && attempt.owedMinor === 0)) return;
  attempt.refund = 'due';
  if (order.state === 'review' && attempt.state !== 'overpayment') order.state = 'refund_due';
  if (attempt.state !== 'succeeded') return;
  stopDelivery(order);
  if (order.state === 'paid' || order.state === 'delivering') order.state = 'refund_due';
}

export function answerRefunds(orders: readonly Order[], kind: 'done' | 'unknown' | 'manual'): void {
  for (const order of orders) {
    for (const attempt of order.attempts) {
      if (attempt.refund !== 'due') continue;
      if (kind === 'done') bookReturn(order, attempt);
      else if (kind === 'manual') attempt.refund = 'manual';
    }
  }
}

/** A person decides that the goods shall go out. */
export function redeliver(orders: readonly Order[], order: Order): void {
  const paying = payingOf(order);
  if (!['paid', 'delivering', 'review'].includes(order.state) || !paying || paying.refund || paying.isReturned) return;
  if (order.delivery === null) {
    if (!order.isHolding && order.product !== 'plain') {
      if (countHeld(orders, order.product) >= CAPS[order.product]) return;
      order.isHolding = true;
    }
    order.state = 'delivering';
  } else if (order.delivery === 'done') return;
  order.delivery = 'queued';
  if (order.state === 'review') order.state = 'delivering';
}

/** Called off by a person, once the provider said that no money can come. */
export function cancel(order: Order): void {
  const isEmpty = order.state === 'review' && !order.isDelivered && order.books.provider_receivable <= 0;
  if (!isUnpaid(order) && !isEmpty) return;
  for (const attempt of order.attempts) if (attempt.state === 'redirected') attempt.state = 'failed';
  close(order, 'cancelled');
}
