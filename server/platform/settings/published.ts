// Lists the values that anybody can read in this project: the secrets and accounts of a demonstration, and the examples
// of its documents. A demonstration takes them from here, so that a live shop that meets one of them knows it.

/** Accounts that a demonstration makes in every brand that keeps its passwords itself. */
export const DEMO_LOGINS = ['kestrel', 'sparrow'] as const;

/** Their password, and that of every account of a simulated game. */
export const DEMO_PASSWORD = 'refill-demo';

/** Settings of a demonstration. Nothing real lies behind them. */
export const DEMO_SETTINGS = {
  REFILL_CARD_DEMO_PEPPER: 'demo-pepper-of-cards-that-are-worth-nothing',
  REFILL_WALLET_DEMO_CREDIT_KEY: 'demo-key-of-balances-that-are-worth-nothing',
} as const;

/** Secrets that keep nobody out. */
export const PUBLISHED_SECRETS: ReadonlySet<string> = new Set([
  ...Object.values(DEMO_SETTINGS),
  DEMO_PASSWORD,
  // The example of docs/game-server-contract.md, and of the specification of Standard Webhooks before it.
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
]);
