// The shop of this run as every test sees it. Handed from the set-up to the workers through the environment.

/** `cards`: what the launcher has printed; only of a shop that was started here. */
export type RunningShop = {
  port: number;
  databaseUrl: string;
  simulatorsUrl: string;
  cards?: { number: string; password: string; note: string }[];
};

const VARIABLE = 'REFILL_E2E_SHOP';

export function announceShop(shop: RunningShop): void {
  process.env[VARIABLE] = JSON.stringify(shop);
}

/** Returns true when another process has started a shop and set its address. */
export function isShopRunning(): boolean {
  return Boolean(process.env[VARIABLE]);
}

/** @throws Error outside of a run that global-setup.ts has begun */
export function runningShop(): RunningShop {
  const text = process.env[VARIABLE];
  if (!text) throw new Error('No shop is running: start the flows with npm run e2e.');
  return JSON.parse(text) as RunningShop;
}

/**
 * Page of a brand's demo shop, e.g. "http://watt.demo.localhost:8080/my". Chromium leads every
 * *.localhost to this machine.
 */
export function addressOf(brand: string, path = '/'): string {
  return `http://${brand.toLowerCase()}.demo.localhost:${runningShop().port}${path}`;
}
