// Everything the suite runs in: the simulators of all providers, a shop they call, and a way out for the adapters.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { laterMs } from '#simulators/payments/context.ts';
import { createOutbound, type PaymentProvider, paymentProviders, type ProviderContext } from '#testing/providers.ts';
import { type Shop, startShop } from './shop.ts';

export type World = {
  readonly simulators: Simulators;
  readonly shop: Shop;
  contextOf(name: string): ProviderContext;
  close(): Promise<void>;
};

/**
 * Our choice: the simulators wait up to 20 s to be like the real ones; here 2 s tell the same, and a busy
 * machine still keeps the order.
 */
const HURRY = 10;

const hurriedClock = {
  now: () => Date.now(),
  after(delayMs: number, run: () => void) {
    // A later payment waits for the word of the test, or the case would race with it.
    const timer = setTimeout(run, delayMs === laterMs ? delayMs : delayMs / HURRY);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export async function startWorld(): Promise<World> {
  const contexts = new Map<string, ProviderContext>();
  const contextOf = (name: string): ProviderContext => {
    const context = contexts.get(name);
    if (!context) throw new Error(`no settings for ${name}`);
    return context;
  };
  const shop = await startShop((name) => ({ provider: providerOf(name), context: contextOf(name) }));
  const folder = mkdtempSync(join(tmpdir(), 'refill-conformance-'));
  const options = { port: 0, dataDir: folder, shopUrl: shop.url, durable: false, clock: hurriedClock };
  const simulators = await startSimulators(options);
  const allowedHosts = new Set<string>();
  const outbound = createOutbound({ allowedHosts });
  for (const provider of paymentProviders) {
    const settings = settingsOf(simulators.environment, provider.name);
    // Without a simulator there are no settings, and hosts may not be known; the suite says so in a test of its own.
    if (Object.keys(settings).length > 0)
      for (const host of provider.apiHosts(settings, 'demo')) allowedHosts.add(host);
    contexts.set(provider.name, { environment: 'demo', settings, outbound, now: Date.now, cache: new Map() });
  }
  return {
    simulators,
    shop,
    contextOf,
    async close() {
      await simulators.close();
      await outbound.close();
      await shop.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads the settings that a shop would read from the environment. */
function settingsOf(environment: Record<string, string>, name: string): Record<string, string> {
  const prefix = `REFILL_${name.toUpperCase()}_DEMO_`;
  const entries = Object.entries(environment).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(prefix.length), value]));
}

function providerOf(name: string): PaymentProvider {
  const provider = paymentProviders.find((one) => one.name === name);
  if (!provider) throw new Error(`no adapter is called ${name}`);
  return provider;
}
