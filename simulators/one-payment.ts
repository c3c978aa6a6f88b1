// One payment simulator by itself, speaking with the secrets of a shop that pays at a real sandbox: what it signs is
// what the sandbox would have signed, for providers whose messages are signed with a secret that the shop has too.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { installBodyParsers } from './kit/bodies.ts';
import { systemClock } from './kit/clock.ts';
import { openAccount, openCredentials } from './kit/credentials.ts';
import { openJournal } from './kit/journal.ts';
import { createShop } from './kit/shop.ts';
import { paymentMounts } from './payments/all.ts';
import { firstAccounts, hostsOf } from './payments/first-accounts.ts';

/** Their messages carry a signature by a key that nobody else has: certificates, and keys of their own. */
const SIGNED_BY_OWN_KEY = new Set(['alipay', 'ebanx', 'payermax', 'paypal']);

export const canSpeakFor = (name: string): boolean => name in paymentMounts && !SIGNED_BY_OWN_KEY.has(name);

type OnePayment = {
  /** For programs: `/control/<name>` follows. */
  readonly url: string;
  /** Settings that make an adapter use it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/**
 * @param options.dataDir journals and accounts; the same again goes on where it was
 * @param options.changed values that stand in place of others in its accounts: secrets of a sandbox
 */
export async function startOnePayment(options: {
  name: string;
  dataDir: string;
  shopUrl: string;
  changed?: ReadonlyMap<string, string>;
}): Promise<OnePayment> {
  const { name, dataDir, changed = new Map<string, string>() } = options;
  const mount = paymentMounts[name];
  if (!mount) throw new Error(`there is no simulator of ${name}`);
  const credentials = changeValues(await openCredentials(dataDir, []), changed);
  const shop = createShop(options.shopUrl);
  const app = Fastify({ logger: false, forceCloseConnections: true });
  installBodyParsers(app);
  let port = 0;
  const apiOrigin = () => `http://127.0.0.1:${port}`;
  const pageOrigin = () => `http://localhost:${port}`;
  const journal = openJournal(join(dataDir, `${name}.jsonl`), true);
  const mounted = mount({
    name,
    app,
    journal,
    shop,
    clock: systemClock,
    credentials,
    account: (make) => changeValues(openAccount(dataDir, name, make), changed),
    apiOrigin,
    pageOrigin,
  });
  await app.listen({ port, host: '127.0.0.1' });
  const address = app.server.address();
  if (typeof address === 'object' && address) port = address.port;
  return {
    url: apiOrigin(),
    environment: {
      ...firstAccounts(credentials, apiOrigin(), pageOrigin()),
      ...mounted.environment?.(hostsOf(pageOrigin(), apiOrigin())),
    },
    async close() {
      mounted.close();
      await app.close();
      await shop.close();
      journal.close();
    },
  };
}

/** In what the simulator remembers: it made an id of its own, and the shop knows the sandbox's. */
export function renamePayment(dataDir: string, name: string, own: string, known: string): void {
  const path = join(dataDir, `${name}.jsonl`);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(JSON.stringify(own), JSON.stringify(known)));
}

function changeValues<Value>(value: Value, changed: ReadonlyMap<string, string>): Value {
  const change = (one: unknown): unknown => {
    if (typeof one === 'string') return changed.get(one) ?? one;
    if (typeof one === 'number') return Number(changed.get(String(one)) ?? one);
    if (Array.isArray(one)) return one.map(change);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, change(part)]));
  };
  return change(value) as Value;
}
