// The port of payment providers, what they say: of one payment, by callback, at the return address, in a settlement
// file.
import type { Money } from '#kernel/money.ts';

/**
 * `pending`: a documented unfinished state, or nobody could be asked.
 * `unknown`: an answer that could not be understood, or a word that the adapter's table does not have; an answer that
 * never came is a throw instead.
 * `approved`: the player agreed, the money waits for our capture. `paid`: the money is ours, and how much is told.
 * `paid_unreadable`: the provider has, or had, money for this reference, in a shape that could not be read (no amount,
 * an unknown currency, missing fields).
 * `declined`: this try was refused, the same page can be paid again.
 * `failed` and `expired` are final answers: no money will come for this reference any more.
 * An attempt whose last answer was `unknown` or `paid_unreadable` is never expired; `paid_unreadable` goes to
 * manual review with the raw answer.
 */
export type PaymentStatus =
  | 'pending'
  | 'unknown'
  | 'approved'
  | 'paid'
  | 'paid_unreadable'
  | 'declined'
  | 'failed'
  | 'expired'
  | 'refunded'
  | 'refund_failed'
  | 'chargeback';

/** A provider reports one payment, by callback, query or capture. Null where it does not say. */
export type PaymentReport = {
  readonly status: PaymentStatus;
  readonly reference: string | null;
  readonly providerRef: string | null;
  /** A refund needs this reference: capture id, transaction id, PSP reference. */
  readonly captureRef: string | null;
  readonly amount: Money | null;
  /**
   * Of a `refunded` callback whose documents leave open what its amount is, so that no wrong part is booked. `part`: it
   * names no refund, so two parts of one amount look alike. `whole`: the amount may be the payment's, and a part the
   * same. Such an amount is booked where we asked for exactly it; else a person decides.
   */
  readonly amountDoubt?: 'part' | 'whole';
  /**
   * Of an answer to a question: each refund of the payment that succeeded, under the key that its callback has or would
   * have. Left out where the provider lists none, or one of them could not be read.
   */
  readonly refunds?: readonly { readonly dedupKey: string; readonly amount: Money }[];
  /**
   * The merchant account or project the money went to; null when the provider's answer is
   * bound to our credentials anyway.
   */
  readonly merchantAccount: string | null;
  /** A word or a short sentence, without personal data. */
  readonly reason: string | null;
  /** With `unknown` and `paid_unreadable`: the answer itself, secrets masked, at most 4,000 characters. */
  readonly raw?: string;
};

export type RawCallback = {
  readonly method: string;
  /** As it was called, without query: some providers sign it. */
  readonly path: string;
  /** The path after `/callback/<provider>/`, for providers with several addresses; else empty. */
  readonly topic: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The exact bytes that were signed. */
  readonly body: Buffer;
  readonly ip: string;
};

/** Byte-exact acknowledgement. */
export type CallbackAnswer = { readonly status: number; readonly contentType: string; readonly body: string };

/**
 * `events`: verified, to be stored and applied before `answer` is sent. `ignored`: verified and of no interest.
 * `question`: the provider asks whether a player exists. `statement`: it asks what we have delivered: by time (epoch
 * milliseconds, `to` excluded), or by captureRef, whole or up to its first colon.
 * `invalid`: not proven to be from the provider; nothing is believed.
 * `unavailable`: it could not be checked now (a certificate could not be fetched): answered 503 so
 * that the provider sends again.
 */
export type CallbackReading =
  | { readonly kind: 'events'; readonly events: readonly CallbackEvent[]; readonly answer: CallbackAnswer }
  | { readonly kind: 'ignored'; readonly reason: string; readonly answer: CallbackAnswer }
  | { readonly kind: 'question'; readonly playerRef: string; readonly yes: CallbackAnswer; readonly no: CallbackAnswer }
  | {
      readonly kind: 'statement';
      readonly wanted: { readonly from: number; readonly to: number } | { readonly captureRef: string };
      readonly answer: (lines: readonly StatementLine[]) => CallbackAnswer;
    }
  | { readonly kind: 'invalid'; readonly reason: string; readonly answer: CallbackAnswer }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type CallbackEvent = { readonly dedupKey: string; readonly report: PaymentReport };

/** A delivered payment, for a provider that compares its books with ours by asking. */
export type StatementLine = {
  readonly reference: string;
  readonly providerRef: string | null;
  readonly captureRef: string | null;
  readonly amount: Money;
  readonly playerRef: string;
  /** Epoch milliseconds. */
  readonly paidAt: number;
};

/**
 * Reads the request that the player's browser (or the provider's server) made to the return address. Nothing of it is
 * believed but `approval`, which only `capture` can turn into money, in an answer of the provider. `answer` instead of
 * the redirect to the result, where the provider's server asks for one.
 */
export type ReturnReading = {
  readonly approval: string | null;
  readonly answer?: CallbackAnswer;
  /** The provider says that the player left its page without paying. Only of ways back that are not `cancelUrl`. */
  readonly hasLeft?: boolean;
};

/**
 * One line of a provider's settlement file. `money`: a movement; `amount` in minor units, positive in the
 * movement's own direction, negative where the line takes such a movement back. Lines that are no movement of a payment
 * (fees, payouts) are left out.
 */
export type SettlementLine =
  | {
      readonly kind: 'money';
      /** Line of the file, from 1. */
      readonly line: number;
      readonly movement: 'payment' | 'refund' | 'chargeback';
      /** Our reference, when the file has it. */
      readonly reference: string | null;
      /** The provider's id of the payment, as captureRef of a report. */
      readonly captureRef: string | null;
      readonly amount: Money;
      /** The provider's fee, below zero where it gave some back; left out where the file does not say. */
      readonly fee?: Money | undefined;
      /** Epoch milliseconds. */
      readonly at: number;
    }
  | { readonly kind: 'unreadable'; readonly line: number; readonly reason: string };
