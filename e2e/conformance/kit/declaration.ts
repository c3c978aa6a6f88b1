// Declares a provider for the conformance suite, as data: how it pays, what it signs, and a sentence for everything it
// cannot have.
import type { CallbackAnswer, CreatePayment, PaymentReport, PayPage } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';

/** Why there is none: one sentence, told in the name of each test that falls away by it. */
export type None = { readonly none: string };

/** Places the signature of a callback. `body` is the name of a key or form field, however deep. */
export type SignaturePlace = { readonly in: 'header' | 'query' | 'body'; readonly name: string };

export type Callbacks = {
  /** Statuses that callbacks tell. What is not here is only learned by asking. */
  readonly tells: readonly PaymentReport['status'][];
  /** The answer to a callback that says "paid", byte for byte. */
  readonly acknowledgement: CallbackAnswer;
  readonly signature: SignaturePlace | None;
};

export type Declaration = {
  /** Test file of the adapter that holds published vectors, or why nothing is published. */
  readonly vectors: { readonly file: string; readonly source: string } | None;
  /** Most cases pay with this; the amount is one that a player of the market would pay. */
  readonly payment: { readonly amount: CreatePayment['amount'] } & Partial<CreatePayment>;
  /** Further amounts that must arrive to the last minor unit, one for each form of amount. */
  readonly amounts: readonly CreatePayment['amount'][];
  /**
   * Says how a payment becomes known. `callback`: the provider's server calls us. `return`: only the player's browser
   * does, with an approval, so paying means walking through the page. `question`: nobody does; we ask.
   */
  readonly knownBy: 'callback' | 'return' | 'question';
  readonly callbacks: Callbacks | None;
  /** Why `create` needs no call of the provider; left out where it makes one. */
  readonly createCalls?: None;
  /** Of 408, 409, 425 and 429 those by which the provider's public documents say that nothing was made by a create. */
  readonly certainStatuses?: readonly { readonly status: number; readonly source: string }[];
  /** Why there is nothing to ask; left out where `query` asks. */
  readonly queryCalls?: None;
  /**
   * Why a refund that was carried out, asked again, cannot be told from a part that went back otherwise; then it may
   * answer `failed`, and manual review follows.
   */
  readonly refundAgain?: None;
  /** Why refunds of the provider's back office are not told of a payment; parts are asked for by our own call then. */
  readonly backOffice?: None;
  /** Settings that make us a stranger to the provider. */
  readonly wrongSettings?: Readonly<Record<string, string>>;
  /** Kind for `emit` of the control calls: a signed callback with a status nobody knows. */
  readonly unknownKind?: string;
  /** Part of the provider's answer to a query that means "paid", and what to put there: a word nobody knows. */
  readonly unknownWord?: readonly [paid: string | RegExp, unknown: string];
  /** Cases that fall away, each with the reason. */
  readonly absent?: Partial<Record<CaseName, string>>;
  /** Fields the page asks the payer for, by input name: card numbers, PINs, telephone numbers. */
  readonly typed?: Readonly<Record<string, string>>;
  /** Acts as the provider's script in a browser: returns where the payer ends up. */
  readonly openScript?: (page: Extract<PayPage, { kind: 'script' }>) => PageVisit;
};

/** One request of the payer's browser. */
export type PageVisit = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly fields?: Readonly<Record<string, string>>;
};

export function isNone(value: object): value is None {
  return 'none' in value;
}
