// `refill provider callback`: one message of a provider about one order, made and signed by its simulator and posted to
// the running shop, with both sides shown.
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptRef, type BillingNo, isBillingNo } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type ShownOrder, showOrder } from '#server/modules/orders/operator/operate-show.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import type { Db } from '#server/platform/database/db.ts';
import { maskSecrets } from '#server/platform/log.ts';
import { withDatabase } from '#cli/database.ts';
import { readCommandEnvironment } from '#cli/environment.ts';
import { portOfShop } from '#cli/run-file.ts';
import { drawTable, EXIT, InputFault, printJson, type Terminal } from '#cli/terminal.ts';
import type { Exchange } from '#simulators/kit/outbox.ts';
import { sendEvent } from './callback-event.ts';
import { findSimulator, type FoundSimulator, type SimulatedPayment } from './callback-simulator.ts';
import { findProvider, readSettings } from './provider-settings.ts';

export type CallbackOptions = { order: string; attempt?: string; url?: string; json?: boolean };

/** Our choice: a delivery to a game that answers. */
const SETTLE_MS = 3_000;

export async function sendCallback(
  terminal: Terminal,
  name: string,
  event: string,
  options: CallbackOptions,
): Promise<void> {
  if (readCommandEnvironment(terminal.environment) === 'live')
    throw new InputFault('This environment is live: a made-up message of a provider never goes to a live shop.');
  const provider = await findProvider(terminal, name);
  const billingNo = options.order.trim().toUpperCase();
  if (!isBillingNo(billingNo))
    throw new InputFault(`"${options.order}" is no order number: it has 26 letters and digits.`);
  await withDatabase({ environment: terminal.environment }, async (db) => {
    const before = await showOrder(db, billingNo);
    if (!before) throw new InputFault(`There is no order ${billingNo}.`);
    const attempt = findAttempt(before, name, options.attempt);
    const shopUrl = options.url ?? findShop(terminal, String(before.order['brand_key']));
    if (!URL.canParse(shopUrl)) throw new InputFault(`--url is "${shopUrl}": it must be a whole address, http://...`);
    const payment = describePayment(before, attempt, billingNo, shopUrl);
    const simulator = await findSimulator(terminal, provider, shopUrl, payment);
    try {
      const sent = await sendEvent(simulator.control, name, event, payment.reference);
      const after = await waitForShop(db, billingNo, before);
      tell(terminal, { provider, event, simulator, sent, before, after, options });
    } finally {
      await simulator.close();
    }
  });
}

type Attempt = Readonly<Record<string, unknown>>;

function findAttempt({ attempts, order }: ShownOrder, name: string, asked: string | undefined): Attempt {
  const own = attempts.filter(({ provider }) => provider === name);
  const number = String(order['billing_no']);
  if (own.length === 0)
    throw new InputFault(
      attempts.length === 0
        ? `Order ${number} has no payment at a provider.`
        : `Order ${number} is paid by ${[...new Set(attempts.map(({ provider }) => provider))].join(', ')}, not ` +
            `by ${name}.`,
    );
  const found = asked === undefined ? own.at(-1) : own.find((one) => String(one['attempt_no']) === asked);
  if (!found) throw new InputFault(`Order ${number} has no payment ${asked} at ${name}.`);
  return found;
}

/** The address of the shop of this data folder. */
const findShop = (terminal: Terminal, brandKey: string): string =>
  `http://${brandKey.toLowerCase()}.demo.localhost:${portOfShop(terminal)}`;

function describePayment(shown: ShownOrder, attempt: Attempt, billingNo: BillingNo, shopUrl: string): SimulatedPayment {
  const { order } = shown;
  const text = (row: Attempt, key: string) => (row[key] === null || row[key] === undefined ? '' : String(row[key]));
  const reference = attemptRef(billingNo, Number(attempt['attempt_no']));
  const name = text(attempt, 'provider');
  const back = `${shopUrl}/return/${name}?ref=${reference}`;
  return {
    reference,
    providerRef: text(attempt, 'provider_ref') || null,
    input: {
      reference,
      amount: { amountMinor: Number(attempt['amount_minor']), currency: text(attempt, 'currency') as Currency },
      productName: text(order, 'product_id'),
      brandName: text(order, 'brand_key'),
      playerRef: text(order, 'player_id'),
      playerName: text(order, 'username'),
      country: text(order, 'country') === 'GLOBAL' ? '' : text(order, 'country'),
      locale: 'en',
      channelId: text(attempt, 'channel_id'),
      returnUrl: back,
      cancelUrl: `${back}&cancelled=1`,
      notifyUrl: `${shopUrl}/callback/${name}`,
      expiresAt: Date.now() + 3_600_000,
      device: { isMobile: false, os: 'other', userAgent: 'refill provider callback', ip: '127.0.0.1' },
    },
  };
}

/** The answer comes once the message is booked; what follows (the delivery) is waited for a little. */
async function waitForShop(db: Db, billingNo: string, before: ShownOrder): Promise<ShownOrder> {
  const until = Date.now() + SETTLE_MS;
  for (;;) {
    const shown = (await showOrder(db, billingNo)) ?? before;
    if (!['paid', 'delivering'].includes(String(shown.order['state'])) || Date.now() > until) return shown;
    await sleep(100);
  }
}

type Sent = {
  provider: PaymentProvider;
  event: string;
  simulator: FoundSimulator;
  sent: readonly Exchange[];
  before: ShownOrder;
  after: ShownOrder;
  options: CallbackOptions;
};

function tell(terminal: Terminal, { provider, event, simulator, sent, before, after, options }: Sent): void {
  const mask = createMask(terminal, provider);
  const isTaken = ({ answer }: Exchange) => typeof answer !== 'string' && answer.status >= 200 && answer.status <= 299;
  const isWell = sent.length > 0 && sent.every(isTaken);
  if (sent.length === 0) terminal.setExitCode(EXIT.impossible);
  else if (!isWell) terminal.setExitCode(EXIT.fault);
  const known = new Set(before.callbacks.map((row) => `${String(row['provider'])} ${String(row['dedup_key'])}`));
  const records = after.callbacks.filter((row) => !known.has(`${String(row['provider'])} ${String(row['dedup_key'])}`));
  const [was, is] = [stateIn(before), stateIn(after)];
  const masked = sent.map((one) => maskExchange(one, mask));
  if (options.json)
    return printJson(terminal, {
      ok: isWell,
      provider: provider.name,
      event,
      signed_by: simulator.signsAs,
      sent: masked,
      before: was,
      after: is,
      records,
    });
  terminal.out(`${provider.name}, ${event}: signed by ${simulator.signsAs}.\n`);
  if (masked.length === 0) terminal.out(`${provider.name} sends nothing about that; the shop asks by itself.\n`);
  for (const { method, path, headers, body, answer } of masked) {
    const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`);
    terminal.out([`${method} ${path}`, ...lines, '', pretty(body), ''].join('\n'));
    terminal.out(typeof answer === 'string' ? `no answer: ${answer}\n` : `${answer.status}\n${pretty(answer.text)}\n`);
  }
  const rows = Object.keys(was).map((key) => [key, was[key], was[key] === is[key] ? 'the same' : is[key]]);
  terminal.out(drawTable(['ORDER', 'BEFORE', 'AFTER'], rows));
  if (records.length > 0) {
    const cells = records.map((row) => [row['state'], row['outcome'], row['dedup_key']]);
    terminal.out(`\n${drawTable(['CALLBACK', 'OUTCOME', 'KEY'], cells)}`);
  } else if (sent.length > 0)
    terminal.out('\nNo record of a new callback: it was known already, of no interest, or not believed.');
}

function maskExchange({ at: _at, ...one }: Exchange, mask: (text: string) => string): Omit<Exchange, 'at'> {
  const { headers, body, answer } = one;
  return {
    ...one,
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, maskHeader(key, value, mask)])),
    body: mask(body),
    answer: typeof answer === 'string' ? mask(answer) : { ...answer, text: mask(answer.text) },
  };
}

/** Its name tells that a value is secret. */
function maskHeader(key: string, value: string, mask: (text: string) => string): string {
  const masked = mask(`"${key}":"${value}"`);
  return masked.endsWith(':***') ? '***' : masked.slice(key.length + 4, -1);
}

function stateIn({ order, attempts, delivery }: ShownOrder): Record<string, string> {
  const review = order['review_reason'] ? `: ${String(order['review_reason'])}` : '';
  return {
    state: `${String(order['state'])}${review}`,
    payments: attempts.map((row) => `#${String(row['attempt_no'])} ${String(row['state'])}`).join(', '),
    delivery: delivery ? String(delivery['state']) : 'none',
  };
}

/** Masks the provider's secrets, so that none of them reaches a screen. */
function createMask(terminal: Terminal, provider: PaymentProvider): (text: string) => string {
  const settings = readSettings(terminal).settingsOf(provider.name);
  const secrets = provider.settings
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ name }) => (settings[name] ?? '').split(','))
    .filter((value) => value.length >= 6);
  return (text) => maskSecrets(secrets.reduce((done, secret) => done.replaceAll(secret, '***'), text));
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
