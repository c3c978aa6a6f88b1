// Modules of a shop's own: payment providers, logins and game protocols that its modules.yaml names by package or path.
// They run with the rights of the shop, as the product's own code does; nothing here is a fence.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import { type Fault, readListFile } from '#server/modules/configuration/service.ts';
import type { GameProtocol } from '#server/modules/games/protocol-port.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { standardProtocol } from '#server/providers/gameserver/standard.ts';
import { loginProviders } from '#server/providers/identity/registry.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { readUtf8 } from '#server/platform/utf8.ts';
import { asModule, findModuleFault } from './check-module.ts';

const FILE = 'modules.yaml';
/** Our choice: reading a package takes a tenth of a second; who waits at the top of a module longer hangs. */
const LONGEST_MS = 10_000;

/** The product's own adapters, and those of the shop. */
export type Adapters = {
  readonly providers: readonly PaymentProvider[];
  readonly logins: readonly LoginProvider[];
  readonly protocols: readonly GameProtocol[];
};

export const OWN_ADAPTERS: Adapters = {
  providers: shopProviders,
  logins: loginProviders,
  protocols: [standardProtocol],
};

/** `message` holds a sentence a line. */
class ModuleFault extends Error {
  override readonly name = 'ModuleFault';
}

/** @throws ModuleFault when a module of the shop cannot be taken; `refill plan` tells the same */
export async function requireAdapters(folder: string): Promise<Adapters> {
  const { adapters, faults } = await loadAdapters(folder);
  if (faults.length > 0) throw new ModuleFault(faults.map(({ sentence }) => sentence).join('\n'));
  return adapters;
}

/**
 * @param folder of the shop; without a modules.yaml it has none of its own
 * @returns every fault with its place; a module that has one is left out
 */
export async function loadAdapters(folder: string): Promise<{ adapters: Adapters; faults: readonly Fault[] }> {
  const text = await readUtf8(join(folder, FILE)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { adapters: OWN_ADAPTERS, faults: [] };
  const read = readListFile(FILE, text, 'modules');
  const faults: Fault[] = [...read.faults];
  let adapters = OWN_ADAPTERS;
  for (const { name, faultOf } of read.entries) {
    const loaded = await load(folder, name);
    const reason = 'reason' in loaded ? loaded.reason : findModuleFault(loaded.exported);
    const added = reason === null && 'exported' in loaded ? add(adapters, loaded.exported) : null;
    if (reason !== null) faults.push(faultOf(`${name} ${reason}`));
    else if (typeof added === 'string') faults.push(faultOf(`${name} ${added}`));
    else if (added) adapters = added;
  }
  return { adapters, faults };
}

type Loaded = { readonly exported: unknown } | { readonly reason: string };

async function load(folder: string, name: string): Promise<Loaded> {
  const path = locate(folder, name);
  if ('reason' in path) return path;
  try {
    const loading = import(pathToFileURL(path.path).href) as Promise<{ default?: unknown }>;
    const isLate = Symbol('late');
    const loaded = await Promise.race([loading, sleep(LONGEST_MS, isLate, { ref: false })]);
    if (typeof loaded === 'symbol')
      return {
        reason: `does not finish loading within ${LONGEST_MS / 1000} seconds; let it wait for nothing at its top`,
      };
    return { exported: loaded.default };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { reason: `throws while it is loaded: ${message.split('\n')[0]}; mend it, or take it out of ${FILE}` };
  }
}

function locate(folder: string, name: string): { path: string } | { reason: string } {
  if (/^\.\.?\//.test(name)) {
    const path = resolve(folder, name);
    return existsSync(path)
      ? { path }
      : { reason: `is not there; name a file from the folder of the shop, e.g. ./modules/pay.ts` };
  }
  try {
    return { path: createRequire(join(folder, 'package.json')).resolve(name) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      return { reason: 'offers nothing to load; its package.json must say "exports": "./<file>.js"' };
    return { reason: 'is no package of this shop; run npm install <package> in its folder, or name a file by ./' };
  }
}

/** @returns why not and what to do, where a name is taken */
function add(adapters: Adapters, exported: unknown): Adapters | string {
  const { gameProtocols = [], logins = [], payments = [] } = asModule(exported);
  const payment = payments.find(({ name }) => adapters.providers.some((one) => one.name === name));
  if (payment) return `brings the payment provider "${payment.name}", and there is one of that name; rename it`;
  const protocol = gameProtocols.find(({ name }) => adapters.protocols.some((one) => one.name === name));
  if (protocol) return `brings the game protocol "${protocol.name}", and there is one of that name; rename it`;
  const kinds = new Set(logins.map(({ kind }) => kind));
  return {
    providers: [...adapters.providers, ...payments],
    logins: [...adapters.logins.filter(({ kind }) => !kinds.has(kind)), ...logins],
    protocols: [...adapters.protocols, ...gameProtocols],
  };
}
