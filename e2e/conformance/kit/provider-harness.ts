// One provider in the world of the suite: starting, paying and asking as the shop would, and
// what was told of each payment.
import { expect } from 'vitest';
import type {
  CreateOutcome,
  CreatePayment,
  Outbound,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
} from '#testing/providers.ts';
import { readPage, walk } from './browser.ts';
import { type Declaration, isNone, type PageVisit } from './declaration.ts';
import { createControlClient, type ControlClient } from './control-client.ts';
import type { ReceivedCallback, ShopPayment } from './shop.ts';
import type { World } from './world.ts';

/** A payment of one case. */
export type Started = ShopPayment & { readonly input: CreatePayment; readonly outcome: CreateOutcome };

export type ReceivedReport = {
  readonly dedupKey: string;
  readonly report: PaymentReport;
  readonly received: ReceivedCallback;
};

export type ProviderHarness = {
  readonly name: string;
  readonly provider: PaymentProvider;
  readonly declaration: Declaration;
  readonly control: ControlClient;
  readonly context: ProviderContext;
  newInput(amount?: CreatePayment['amount']): CreatePayment;
  create(input: CreatePayment, context?: ProviderContext): Promise<CreateOutcome>;
  /** Creates a payment that must be payable by a page. */
  start(input?: CreatePayment): Promise<Started>;
  query(payment: Started, context?: ProviderContext): Promise<PaymentReport>;
  /** The payer presses a button of the provider's page and goes the whole way back. */
  walk(payment: Started, button: 'Pay' | 'Decline' | 'Pay later', note?: string): Promise<string[]>;
  /** Returns the text that the payer reads on the first page. */
  look(payment: Started): Promise<string>;
  /** Takes the money where that is ours to do. */
  capture(payment: Started): Promise<PaymentReport | null>;
  /** Pays, in the way this provider is paid, and takes the money. */
  pay(payment: Started, note?: string): Promise<void>;
  /** Lists the reports that callbacks brought of the payment. */
  reports(payment: Started): ReceivedReport[];
  /** Waits for a callback that says `status`. */
  waitForReport(payment: Started, status: PaymentReport['status']): Promise<ReceivedReport>;
  /** Returns the report of our own capture, of a provider that has one. */
  captured(payment: Started): PaymentReport | undefined;
  /**
   * That the payment is paid, by callback where this provider has callbacks, else by asking; by our
   * capture where nobody can be asked.
   */
  settled(payment: Started): Promise<PaymentReport>;
  tells(status: PaymentReport['status']): boolean;
  /** Callbacks that name the payment anywhere, believed or not; what is sent again for others comes in between. */
  received(payment: Started): ReceivedCallback[];
  /** Returns the errors that the adapter threw where it must not, since the last call. */
  takeFailures(): Error[];
  /** The same adapter with another way out, another setting and no memory. */
  changed(change: { outbound?: (open: Outbound) => Outbound; settings?: Record<string, string> }): ProviderContext;
};

let sequence = 0;

export function createProviderHarness(
  world: World,
  provider: PaymentProvider,
  declaration: Declaration,
): ProviderHarness {
  const { name } = provider;
  const { shop, simulators } = world;
  const context = world.contextOf(name);
  const control = createControlClient(simulators.url, name);
  const captures = new WeakMap<Started, PaymentReport>();

  function newInput(amount = declaration.payment.amount): CreatePayment {
    sequence += 1;
    const id = `01JGZZZZZZZZZZZZZZZZZZ${String(sequence).padStart(4, '0')}`;
    return {
      reference: `${id}-1`,
      productName: '60 Embers',
      brandName: 'Watt',
      playerRef: `player-${sequence}`,
      playerName: 'Ann',
      country: 'US',
      locale: 'en',
      channelId: '',
      returnUrl: `${shop.url}/return/${name}/${id}`,
      cancelUrl: `${shop.url}/cancel/${name}/${id}`,
      notifyUrl: `${shop.url}/callback/${name}`,
      expiresAt: Date.now() + 3_600_000,
      device: { isMobile: false, os: 'other', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', ip: '203.0.113.7' },
      ...declaration.payment,
      amount,
    };
  }

  async function start(input = newInput()): Promise<Started> {
    const outcome = await provider.create(context, input);
    expect(['redirect', 'page'], `${JSON.stringify(outcome)}`).toContain(outcome.kind);
    const providerRef = outcome.kind === 'redirect' || outcome.kind === 'page' ? outcome.providerRef : null;
    const { reference, amount, playerRef, channelId } = input;
    const known = {
      reference,
      providerRef,
      captureRef: null,
      approval: null,
      amount,
      playerRef,
      channelId,
      createdAt: Date.now(),
    };
    const payment: Started = { known, returns: 0, input, outcome };
    shop.payments.set(input.returnUrl.slice(input.returnUrl.lastIndexOf('/') + 1), payment);
    return payment;
  }

  async function pageOf({ outcome, input }: Started): Promise<PageVisit> {
    if (outcome.kind === 'redirect') return { url: outcome.url };
    const providerRef = outcome.kind === 'page' ? outcome.providerRef : null;
    const page = await provider.payPage?.(context, input, providerRef);
    if (page?.kind === 'form') return { url: page.action, method: 'POST', fields: page.fields };
    if (page?.kind !== 'script') throw new Error(`${name} has no pay page: ${page?.reason ?? 'no payPage verb'}`);
    if (!declaration.openScript) throw new Error(`the declaration of ${name} does not say what its script opens`);
    return declaration.openScript(page);
  }

  const harness: ProviderHarness = {
    name,
    provider,
    declaration,
    control,
    context,
    newInput,
    create: (input, given = context) => provider.create(given, input),
    start,
    query: (payment, given = context) => provider.query(given, payment.known),
    async walk(payment, button, note = '') {
      const isHome = (url: string) => url.startsWith(shop.url);
      return walk(await pageOf(payment), { button, note, typed: declaration.typed ?? {}, isHome });
    },
    look: async (payment) => readPage(await pageOf(payment)),
    async capture(payment) {
      const { capture } = provider;
      if (!capture) return null;
      if (harness.tells('approved')) await until('a callback that says approved', () => find(payment, 'approved'));
      else expect((await harness.query(payment)).status, 'what query says before the capture').toBe('approved');
      const report = await capture(context, payment.known);
      captures.set(payment, report);
      if (report.captureRef) payment.known = { ...payment.known, captureRef: report.captureRef };
      return report;
    },
    async pay(payment, note = '') {
      if (declaration.knownBy === 'return') await harness.walk(payment, 'Pay', note);
      else expect(await control.pay(payment.input.reference, { note })).toMatchObject({ status: 200 });
      await harness.capture(payment);
    },
    captured: (payment) => captures.get(payment),
    reports: (payment) =>
      allReceived().flatMap((received) =>
        received.reading.kind === 'events'
          ? received.reading.events
              .filter(({ report }) => isAbout(report, payment))
              .map((event) => ({ ...event, received }))
          : [],
      ),
    async waitForReport(payment, status) {
      const found = await until(`a callback that says ${status}`, () => find(payment, status));
      const { captureRef } = found.report;
      if (status === 'paid' && captureRef) payment.known = { ...payment.known, captureRef };
      return found;
    },
    async settled(payment) {
      if (harness.tells('paid')) return (await harness.waitForReport(payment, 'paid')).report;
      const report = (declaration.queryCalls && harness.captured(payment)) || (await harness.query(payment));
      expect(report.status, `${JSON.stringify(report)}`).toBe('paid');
      if (report.captureRef) payment.known = { ...payment.known, captureRef: report.captureRef };
      return report;
    },
    tells: (status) => !isNone(declaration.callbacks) && declaration.callbacks.tells.includes(status),
    received: (payment) => shop.received.filter((one) => one.name === name && isMention(one, payment)),
    takeFailures: () => shop.failures.get(name)?.splice(0) ?? [],
    changed: ({ outbound, settings }) => ({
      ...context,
      cache: new Map(),
      ...(outbound ? { outbound: outbound(context.outbound) } : {}),
      settings: { ...context.settings, ...settings },
    }),
  };
  const allReceived = () => shop.received.filter((one) => one.name === name);
  const find = (payment: Started, status: PaymentReport['status']) =>
    harness.reports(payment).find(({ report }) => report.status === status);
  return harness;
}

/** A report about this payment, also under the reference that the simulator made wrong on purpose. */
function isAbout(report: PaymentReport, { known, input }: Started): boolean {
  if (report.reference !== null) return report.reference.startsWith(input.reference);
  return report.providerRef !== null && report.providerRef === known.providerRef;
}

function isMention({ raw }: ReceivedCallback, { known, input }: Started): boolean {
  const text = `${raw.body.toString('utf8')} ${Object.values(raw.query).join(' ')}`;
  return text.includes(input.reference) || (known.providerRef !== null && text.includes(known.providerRef));
}

/** Waits until there is something; at most 8 s, most come within 50 ms. */
export async function until<T>(
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = Date.now() + 8000;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
