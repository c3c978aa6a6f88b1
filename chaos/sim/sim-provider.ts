// A payment provider with a truth of its own: what was asked of it, what money it took, what it gave back.
// Its answers may be late, lost
// or in doubt; the truth never is. `isCapturing` is the kind where the player approves and the shop takes
// the money (PayPal); the other takes it at once and can close an unpaid page (Adyen, Xsolla).
import type { Money } from '#kernel/money.ts';
import { money } from '#kernel/money.ts';
import type {
  CallbackReading,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  PaymentStatus,
} from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import type { Random } from './random.ts';
import type { ProcessInstance, Stepper } from './stepper.ts';

/** A payment as the provider knows it. `takenMinor` is money of ours that it holds or paid out. */
export type Payment = {
  readonly reference: string;
  readonly providerRef: string;
  readonly amount: Money;
  readonly payableUntil: number;
  state: 'open' | 'approved' | 'paid' | 'closed' | 'expired';
  takenMinor: number;
  /** Its reports state this amount; it differs from `amount` when a buyer was charged otherwise. */
  reported: Money;
  merchant: string;
  returnedMinor: number;
  chargedBackMinor: number;
  readonly refunds: Map<string, 'done' | 'pending'>;
  captures: number;
  takenAt: number;
};

export type ProviderTrouble = {
  /** No answer, and nothing happened. */ timeoutBefore: number;
  /** No answer, though it happened. */ timeoutAfter: number;
  /** The connection was refused: certain that nothing happened. */ unreachable: number;
  /** Answered in words that mean nothing. */ nonsense: number;
  /** A refund takes its time, or needs a person. */ slowRefund: number;
  refusedRefund: number;
};

export const NO_PROVIDER_TROUBLE: ProviderTrouble = {
  timeoutBefore: 0,
  timeoutAfter: 0,
  unreachable: 0,
  nonsense: 0,
  slowRefund: 0,
  refusedRefund: 0,
};
export const OUR_MERCHANT = 'refill';
const PAY_HOST = 'pay.provider.test';

export type SimProvider = ReturnType<typeof createSimProvider>;

export function createSimProvider(deps: {
  name: string;
  isCapturing: boolean;
  payableForSeconds: number;
  /** As a declaration says it; left out: nobody says. */
  repeatsCallbacksForSeconds?: number | undefined;
  stepper: Stepper;
  random: Random;
  trouble: () => ProviderTrouble;
  /** A callback leaves the provider; where and when it arrives is the world's doing. */
  send: (provider: string, dedupKey: string, report: PaymentReport) => void;
}) {
  const { name, stepper, random, isCapturing } = deps;
  const payments = new Map<string, Payment>();

  const report = (payment: Payment, status: PaymentStatus, over: Partial<PaymentReport> = {}): PaymentReport => ({
    status,
    reference: payment.reference,
    providerRef: payment.providerRef,
    captureRef: status === 'paid' ? `C-${payment.reference}` : null,
    amount: payment.reported,
    merchantAccount: payment.merchant,
    reason: null,
    ...over,
  });
  const send = (payment: Payment, status: PaymentStatus, turn = '', over: Partial<PaymentReport> = {}) =>
    deps.send(name, `${payment.reference}-${status}${turn}`, report(payment, status, over));
  const expireIfOver = (payment: Payment) => {
    if (payment.state === 'open' && stepper.now() > payment.payableUntil) payment.state = 'expired';
  };
  const take = (payment: Payment) => {
    payment.state = 'paid';
    payment.captures += 1;
    payment.takenAt = stepper.now();
    payment.takenMinor += payment.merchant === OUR_MERCHANT ? payment.reported.amountMinor : 0;
    stepper.note(`${name} took ${payment.reported.amountMinor} for ${payment.reference}`);
    send(payment, 'paid');
  };
  const statusOf = (payment: Payment): PaymentReport => {
    expireIfOver(payment);
    const said = { open: 'pending', approved: 'approved', paid: 'paid', closed: 'failed', expired: 'expired' } as const;
    // The capturing kind tells of the refund instead of the payment, as PayPal does.
    const isBack = isCapturing && payment.returnedMinor > 0;
    return report(payment, isBack ? 'refunded' : said[payment.state]);
  };

  /** A call of the shop: it arrives, the truth changes, an answer leaves; each may fail. */
  async function call<Answer>(
    instance: ProcessInstance,
    verb: string,
    effect: () => Answer,
    nonsense?: () => Answer,
  ): Promise<Answer> {
    const trouble = deps.trouble();
    const label = `${name}.${verb}`;
    const reach = { instance, kind: 'port', label, latencyMs: random.between(20, 400) } as const;
    const wait = (latencyMs: number) =>
      stepper.step({ instance, kind: 'port', label: `${label} answer`, latencyMs }, async () => undefined);
    if (random.chance(trouble.unreachable)) {
      await stepper.step(reach, async () => undefined);
      throw new OutboundError('network', false, `${name} cannot be reached`);
    }
    const isLostBefore = random.chance(trouble.timeoutBefore);
    const isLostAfter = random.chance(trouble.timeoutAfter);
    const isNonsense = nonsense !== undefined && random.chance(trouble.nonsense);
    const answer = await stepper.step(reach, async () => (isLostBefore ? null : effect()));
    await wait(isLostBefore || isLostAfter ? 10_000 : random.between(5, random.chance(0.1) ? 9000 : 300));
    if (answer === null || isLostAfter) throw new OutboundError('timeout', true, `${name} did not answer`);
    return isNonsense ? nonsense() : answer;
  }

  const find = (known: KnownPayment) => payments.get(known.reference) ?? null;
  const unknown = (known: KnownPayment): PaymentReport => ({ ...pending(known), status: 'unknown' });
  const pending = (known: KnownPayment): PaymentReport => ({
    status: 'pending',
    reference: known.reference,
    providerRef: null,
    captureRef: null,
    amount: null,
    merchantAccount: null,
    reason: null,
  });

  const portOf = (instance: ProcessInstance): PaymentProvider => ({
    name,
    settings: [{ name: 'KEY', isRequired: true, isSecret: true, about: 'Anything.' }],
    amountForm: 'minor-units',
    supportsCurrency: () => true,
    accountOf: () => OUR_MERCHANT,
    apiHosts: () => [],
    payHosts: () => [PAY_HOST],
    payableForSeconds: deps.payableForSeconds,
    ...(deps.repeatsCallbacksForSeconds === undefined
      ? {}
      : { repeatsCallbacksForSeconds: deps.repeatsCallbacksForSeconds }),
    signedHeaders: [],
    create: (_context, input) =>
      call(instance, 'create', () => {
        const known = payments.get(input.reference) ?? {
          reference: input.reference, providerRef: `P-${input.reference}`, amount: input.amount, payableUntil: input.expiresAt, state: 'open', takenMinor: 0,
          reported: input.amount, merchant: OUR_MERCHANT, returnedMinor: 0, chargedBackMinor: 0, refunds: new Map(), captures: 0, takenAt: 0,
        } satisfies Payment;
        payments.set(input.reference, known);
        return { kind: 'redirect' as const, url: `https://${PAY_HOST}/${input.reference}`, providerRef: known.providerRef };
      }),
    query: (_context, known) =>
      call(instance, 'query', () => {
        const payment = find(known);
        // The capturing kind is asked by its own number only, as PayPal is.
        return payment && (known.providerRef || !isCapturing) ? statusOf(payment) : pending(known);
      }, () => unknown(known)),
    readCallback: async (_context, raw) => JSON.parse(raw.body.toString('utf8')) as CallbackReading,
    refund: (_context, known, refundRef) =>
      call(instance, 'refund', () => {
        const payment = find(known);
        const before = payment?.refunds.get(refundRef);
        if (!payment || payment.takenMinor === 0) return { status: 'failed', refundProviderRef: null, reason: 'no money' };
        const isGone = payment.chargedBackMinor > 0 || payment.returnedMinor >= payment.takenMinor;
        if (!before && isGone) return { status: 'failed', refundProviderRef: null, reason: 'nothing is left of it' };
        const { refusedRefund, slowRefund } = deps.trouble();
        if (!before && random.chance(refusedRefund)) return { status: 'failed', refundProviderRef: null, reason: 'too old' };
        if (!before && random.chance(slowRefund)) {
          payment.refunds.set(refundRef, 'pending');
          stepper.later(random.between(60_000, 7_200_000), `refund of ${payment.reference}`, () => completeRefund(payment, refundRef));
        } else if (before !== 'pending') completeRefund(payment, refundRef);
        const isDone = payment.refunds.get(refundRef) === 'done';
        return { status: isDone ? 'done' : 'pending', refundProviderRef: `R-${refundRef}`, reason: null };
      }),
    ...(isCapturing
      ? { capture: (_context, known) => call(instance, 'capture', () => {
          const payment = find(known);
          if (!payment) return pending(known);
          if (payment.state === 'approved') take(payment);
          return statusOf(payment);
        }) }
      : { cancel: (_context, known) => call(instance, 'cancel', () => {
          const payment = find(known);
          if (!payment) return pending(known);
          if (payment.state === 'open') payment.state = 'expired';
          return statusOf(payment);
        }) }),
  }); /* a row a line */ // prettier-ignore

  function completeRefund(payment: Payment, refundRef: string): void {
    if (payment.refunds.get(refundRef) === 'done' || payment.returnedMinor > 0 || payment.chargedBackMinor > 0) return;
    payment.refunds.set(refundRef, 'done');
    payment.returnedMinor += payment.reported.amountMinor;
    stepper.note(`${name} gave back ${payment.reported.amountMinor} of ${payment.reference}`);
    send(payment, 'refunded');
  }

  return {
    name,
    payments,
    portOf,
    /** Acts as a player on the provider's page. False: the page is closed. */
    pay: (reference: string, how: 'pays' | 'pays-less' | 'pays-a-stranger' | 'is-declined' | 'cancels'): boolean => {
      const payment = payments.get(reference);
      if (!payment) return false;
      expireIfOver(payment);
      if (payment.state !== 'open') return false;
      stepper.note(`the player ${how} at ${name}: ${reference}`);
      if (how === 'is-declined') send(payment, 'declined', `-${random.between(1, 9)}`);
      else if (how === 'cancels') {
        payment.state = 'closed';
        send(payment, 'failed');
      } else {
        if (how === 'pays-less') payment.reported = money(payment.amount.amountMinor - 1, payment.amount.currency);
        if (how === 'pays-a-stranger') payment.merchant = 'somebody-else';
        if (isCapturing) {
          payment.state = 'approved';
          send(payment, 'approved');
        } else take(payment);
      }
      return true;
    },
    /** The buyer's bank takes the money back. */
    chargeBack: (payment: Payment): void => {
      if (payment.takenMinor === 0 || payment.returnedMinor > 0 || payment.chargedBackMinor > 0) return;
      payment.chargedBackMinor = payment.takenMinor;
      stepper.note(`${name} charged back ${payment.reference}`);
      send(payment, 'chargeback');
    },
    /** Somebody refunds in the provider's own back office. */
    refundByHand: (payment: Payment): void => {
      if (
        payment.takenMinor > 0 &&
        payment.returnedMinor === 0 &&
        payment.chargedBackMinor === 0 &&
        payment.refunds.size === 0
      )
        completeRefund(payment, 'by-hand');
    },
  };
}
