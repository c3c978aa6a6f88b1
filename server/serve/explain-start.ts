// A start that failed after everything was looked at: its error as a sentence, and an end that waits for nobody.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#server/platform/config.ts';
import { isDatabaseDown } from '#server/platform/database/db.ts';
import type { Finding } from '#server/platform/settings/finding.ts';

type StartError = NodeJS.ErrnoException & {
  readonly port?: number;
  readonly hostname?: string;
  readonly address?: string;
};

/** The names by which an operator sets where something listens. */
type ListenNames = { readonly port: string; readonly host: string };

/**
 * Says why nothing can listen there; null for an error of another kind.
 * @param asked where it was to listen, for errors that do not say it
 */
export function explainListening(
  error: unknown,
  names: ListenNames,
  asked: { readonly port: number; readonly host: string },
): Finding | null {
  const { address, code, hostname, port, syscall } = error as StartError;
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return {
      name: names.port,
      reason: `${port ?? asked.port} is in use`,
      remedy: 'stop what listens there, or choose another',
    };
  if (syscall === 'listen' && code === 'EACCES')
    return {
      name: names.port,
      reason: `${port ?? asked.port} may not be opened by this user`,
      remedy: 'choose one above 1023',
    };
  if ((syscall === 'listen' && code === 'EADDRNOTAVAIL') || (syscall === 'getaddrinfo' && code === 'ENOTFOUND'))
    return {
      name: names.host,
      reason: `is "${address ?? hostname ?? asked.host}"`,
      remedy: 'it must be an address of this machine',
    };
  return null;
}

/** A sentence for what an operator can mend; anything else is a bug, and its stack is what finds it. */
export function explainStart(error: unknown, config: Config): Finding {
  const { address, hostname, message, port, stack } = error as StartError;
  const host = address ?? hostname ?? config.host;
  const names = {
    port: port !== undefined && port === config.operatorPort ? 'REFILL_OPERATOR_PORT' : 'PORT',
    host: host === config.operatorHost && host !== config.host ? 'REFILL_OPERATOR_HOST' : 'REFILL_HOST',
  };
  const listening = explainListening(error, names, config);
  if (listening?.reason.endsWith('is in use') && config.port === config.operatorPort && config.role !== 'worker')
    return {
      ...listening,
      remedy: 'PORT and REFILL_OPERATOR_PORT are the same, choose another for one of them',
    };
  if (listening) return listening;
  if (isDatabaseDown(error))
    return {
      name: 'DATABASE_URL',
      reason: `leads to a database that went away (${message})`,
      remedy: 'start it again',
    };
  return { name: 'the start', reason: 'failed', remedy: stack ?? message };
}

/** Our choice: a collector or a database that does not answer must not keep a failed start from ending. */
const FAILED_START_MS = 2000;

/** Ends what a failed start has opened, and gives up after a while: the process ends anyway, and its fault is printed. */
export async function leaveBehind(ends: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.race([Promise.allSettled(ends.map((end) => end())), sleep(FAILED_START_MS)]);
}
