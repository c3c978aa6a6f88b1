// Settings of a demonstration; whoever starts it with others of their own keeps those. Nothing real lies behind them.

const PEPPER = 'REFILL_CARD_DEMO_PEPPER';
const DEMO_PEPPER = 'demo-pepper-of-cards-that-are-worth-nothing';

export const demoSettings: Readonly<Record<string, string>> = {
  [PEPPER]: DEMO_PEPPER,
  REFILL_WALLET_DEMO_CREDIT_KEY: 'demo-key-of-balances-that-are-worth-nothing',
};

/** Under which the demo cards' passwords are stored. */
export function demoPepper(environment: Readonly<Record<string, string | undefined>>): string {
  return environment[PEPPER] || DEMO_PEPPER;
}
