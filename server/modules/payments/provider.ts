// The port every payment provider is written against: its stateless verbs and a declaration. No state,
// no database, no order rules.
import type { Environment } from '#kernel/environment.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import type { SettingForm } from '#kernel/setting-form.ts';
import type { CallbackReading, PaymentReport, RawCallback, ReturnReading, SettlementLine } from './report-types.ts';

/** One door: who writes an adapter imports this file alone. */
export type {
  CallbackAnswer,
  CallbackEvent,
  CallbackReading,
  PaymentReport,
  PaymentStatus,
  RawCallback,
  ReturnReading,
  SettlementLine,
  StatementLine,
} from './report-types.ts';

export type { SettingForm };

/** One setting an operator must or may give, read from `REFILL_<PROVIDER>_<DEMO|LIVE>_<NAME>`. */
export type SettingDeclaration = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** Says in one sentence what the setting is and where an operator finds it. */
  readonly about: string;
  /** Of a secret that the operator makes up: a live shop refuses shorter ones. */
  readonly minBytes?: number;
  /**
   * How its value must be written; a start that finds another one refuses. Unless given, `..._BASE` and `..._URL` are
   * addresses, `..._HOSTS` hosts by commas, and everything else any text.
   */
  readonly form?: SettingForm;
  /** An address of the operator's own: a live shop does not hold it against the provider's official hosts. */
  readonly isOwnAddress?: boolean;
};

/** Every verb receives this: settings of one environment, outbound calls, the clock (epoch milliseconds). */
export type ProviderContext = {
  readonly environment: Environment;
  readonly settings: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  readonly now: () => number;
  /** Memory of this process for access tokens and certificates, keyed by the provider; never for payments. */
  readonly cache: Map<string, { value: string; expiresAt: number }>;
};

export type CreatePayment = {
  /** Our reference, what callbacks and queries must echo. */
  readonly reference: string;
  readonly amount: Money;
  readonly productName: string;
  readonly brandName: string;
  /** Stable id of the player, opaque to the provider. */
  readonly playerRef: string;
  readonly playerName: string;
  /** ISO 3166 alpha-2, or empty. */
  readonly country: string;
  /** BCP 47. */
  readonly locale: string;
  /** The provider's own payment method, or empty for its page of methods. */
  readonly channelId: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly notifyUrl: string;
  /** Epoch milliseconds after which the payment should no longer be possible. */
  readonly expiresAt: number;
  readonly device: Device;
};

/**
 * Describes the payer's device as far as the request tells; hints for the provider's page, never a reason for money.
 */
export type Device = {
  readonly isMobile: boolean;
  readonly os: 'ios' | 'android' | 'other';
  /** At most 300 characters. */
  readonly userAgent: string;
  readonly ip: string;
};

/**
 * `redirect`: the player goes to `url`. `page`: to a page of ours, which `payPage` fills when it is opened. `refused`:
 * certain that nothing was made. `unknown`: it may have been made; only a callback or a query ends that doubt.
 */
export type CreateOutcome =
  | { readonly kind: 'redirect'; readonly url: string; readonly providerRef: string }
  | { readonly kind: 'page'; readonly providerRef: string | null }
  | { readonly kind: 'paid'; readonly report: PaymentReport }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A payment we started, as far as we know it. */
export type KnownPayment = {
  readonly reference: string;
  readonly providerRef: string | null;
  readonly captureRef: string | null;
  /** The player brought this back from the provider's page, and `capture` needs it; see `readReturn`. */
  readonly approval: string | null;
  readonly amount: Money;
  /** As in CreatePayment. */
  readonly playerRef: string;
  readonly channelId: string;
  readonly createdAt: number;
};

/**
 * A payment whose money goes back. `amount` is what goes back by this refund: all that is left of the payment once parts
 * of it went back, so never ask for more, nor for "everything".
 */
export type RefundedPayment = KnownPayment & {
  /** The whole amount that was paid; left out: `amount`. */
  readonly paidAmount?: Money;
};

/**
 * A page of ours on the way to the provider. `form`: posts itself to the provider's page. `script`: loads the
 * provider's script, then runs `run`, a constant of the adapter, with `data` as the only variable; nothing of the
 * payment is ever written into code.
 */
export type PayPage =
  | {
      readonly kind: 'form';
      /** https, a host of `payHosts`. */
      readonly action: string;
      readonly fields: Readonly<Record<string, string>>;
      /** The provider's page expects this charset when it is not UTF-8. */
      readonly charset?: 'euc-kr';
    }
  | {
      readonly kind: 'script';
      /** https, hosts of `payHosts`. */
      readonly src: string;
      /**
       * JavaScript, the body of a function of one parameter `data`; may return a promise. A hidden form
       * `#pay` holds `fields`, if any.
       */
      readonly run: string;
      readonly data: unknown;
      readonly fields?: Readonly<Record<string, string>>;
      /** Sources the script itself needs, as the policy writes them ("https://*.example.com"). */
      readonly sources: readonly string[];
    }
  /** It cannot be paid (any more): the page sends the player back, where the truth is polled. */
  | { readonly kind: 'closed'; readonly reason: string };

export type RefundOutcome = {
  readonly status: 'done' | 'pending' | 'failed' | 'unknown';
  readonly refundProviderRef: string | null;
  readonly reason: string | null;
};

/**
 * The outcome of a harmless question: it makes nothing, and no money can move. `ok`: answered as only the holder of
 * these credentials is answered, which proves the settings named. `refused`: answered, and the provider does not take
 * us; `lookAt` names settings, the likeliest first, and is empty where none is to blame. `unreachable`: no answer that
 * makes sense. `nothing_to_ask`: the protocol has no such question, or its answer is the same for a stranger.
 */
export type CheckOutcome =
  | { readonly kind: 'ok'; readonly said: string; readonly proven: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string; readonly lookAt: readonly string[] }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'nothing_to_ask'; readonly reason: string };

export type PaymentProvider = {
  /** Folder name, setting prefix and callback path: "paypal". */
  readonly name: string;
  /**
   * Nobody outside is asked: the means lie in this database, and the order is paid in the transaction that places it.
   */
  readonly internalTender?: 'card' | 'wallet';
  readonly settings: readonly SettingDeclaration[];
  /** How the provider wants amounts: decimal text, a JSON number in major units, or integer minor units. */
  readonly amountForm: 'decimal-text' | 'decimal-number' | 'minor-units';
  readonly supportsCurrency: (currency: Currency) => boolean;
  /**
   * The merchant account or project that our credentials belong to, compared with every report; null
   * when there is none to compare.
   */
  readonly accountOf: (settings: Readonly<Record<string, string>>) => string | null;
  /** `URL.host` values our verbs call. */
  readonly apiHosts: (settings: Readonly<Record<string, string>>, environment: Environment) => readonly string[];
  /** `URL.host` values a pay link may point to; a link elsewhere is "invalid". */
  readonly payHosts: (settings: Readonly<Record<string, string>>, environment: Environment) => readonly string[];
  /**
   * Live hosts of the provider (`URL.host`, `*.` in front for every name below) beside those that follow
   * from the other settings when no address is set. A live shop starts with addresses elsewhere only when ALLOW_HOST
   * names them.
   */
  readonly officialHosts?: readonly string[];
  /** How long an unpaid payment may still be paid at the provider, seconds: our expiry waits at least this long. */
  readonly payableForSeconds: number;
  /** Headers of callbacks, in lower case, that prove where one came from; they are kept with it. */
  readonly signedHeaders: readonly string[];
  /**
   * Keys of this provider's messages, as it writes them, that hold a person's data although their name does not say so
   * (`name` of a flat form). They are masked before anything is stored, as the usual ones are anyway: `email`,
   * `payer.name`, `shopperIP`, parts of cards, ...
   */
  readonly personalFields?: readonly string[];
  /**
   * For how long the provider goes on sending a callback that was not acknowledged, seconds from the first to the last,
   * as its public documents say; of several kinds the shortest. 0: it sends once. Left out: nobody says, or it sends
   * none. While the database is away, one that gives up within a day is acknowledged when its callback is on our disk.
   */
  readonly repeatsCallbacksForSeconds?: number;

  create(context: ProviderContext, input: CreatePayment): Promise<CreateOutcome>;
  /** Throws OutboundError when the provider cannot be reached; an answer that makes no sense is `unknown`. */
  query(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport>;
  readCallback(context: ProviderContext, raw: RawCallback): Promise<CallbackReading>;
  /** For `create` that answers `page`. May be asked as often as the player opens it. */
  payPage?(context: ProviderContext, input: CreatePayment, providerRef: string | null): Promise<PayPage>;
  /**
   * The way back from the provider's page, GET or form POST to `returnUrl`; no call of the provider. With an approval
   * the payment is asked about at once:
   * `query` answers `approved` for it until the provider knows better, then `capture` follows.
   */
  readReturn?(context: ProviderContext, raw: RawCallback, payment: KnownPayment): ReturnReading;
  /**
   * Takes the money of an approved payment. Safe to repeat. `unknown` when it may have been taken and cannot be told.
   */
  capture?(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport>;
  /**
   * Makes sure no money can come any more: a final answer, `pending` while it can still be paid or when the call did
   * not arrive, else as `query`.
   */
  cancel?(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport>;
  /**
   * Gives `payment.amount` back, which is less than `paidAmount` after parts went back. `done` only when exactly that
   * went back; `failed`, so that a person does it, where the provider cannot give back a part or does not say how much.
   */
  refund?(context: ProviderContext, payment: RefundedPayment, refundRef: string): Promise<RefundOutcome>;
  /**
   * Asks whether hosts and credentials are right. Throws OutboundError when the provider cannot be reached, and an
   * Error of one sentence for settings that cannot be read.
   */
  check?(context: ProviderContext): Promise<CheckOutcome>;
  /**
   * Payments, refunds and chargebacks of our account since then, as lines of a settlement file (`line` counts them from
   * 1), oldest or newest first. For providers whose interface lists them; each is bound to our credentials.
   * Throws OutboundError when the provider cannot be reached.
   * @param since epoch milliseconds
   */
  listPaymentsSince?(context: ProviderContext, since: number): AsyncIterable<SettlementLine>;
  /** Reads a settlement file as it comes, line by line. Throws with one sentence when it is no such file. */
  readSettlement?(chunks: AsyncIterable<Uint8Array | string>): AsyncIterable<SettlementLine>;
};
