// A start that failed after everything was looked at: its error as a sentence, and an end that waits for nobody.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#server/platform/config.ts';
import { isDatabaseDown } from '#server/platform/database/db.ts';
import type { Finding } from '#server/platform/settings/finding.ts';

type StartError = NodeJS.ErrnoException & { readonly port?: number; readonly hostname?: string };

/** A sentence for what an operator can mend; anything else is a bug, and its stack is what finds it. */
export function explainStart(error: unknown, config: Config): Finding {
  const { address, code, hostname, message, port, stack, syscall } = error as StartError & { address?: string };
  const isOperators = port !== undefined && port === config.operatorPort;
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    const remedy =
      config.port === config.operatorPort && config.role !== 'worker'
        ? 'PORT and REFILL_OPERATOR_PORT are the same, choose another for one of them'
        : 'stop what listens there, or choose another';
    return { name: isOperators ? 'REFILL_OPERATOR_PORT' : 'PORT', reason: `${port ?? config.port} is in use`, remedy };
  }
  if (syscall === 'listen' && code === 'EACCES')
    return {
      name: isOperators ? 'REFILL_OPERATOR_PORT' : 'PORT',
      reason: `${port ?? config.port} may not be opened by this user`,
      remedy: 'choose one above 1023',
    };
  if ((syscall === 'listen' && code === 'EADDRNOTAVAIL') || (syscall === 'getaddrinfo' && code === 'ENOTFOUND')) {
    const host = address ?? hostname ?? config.host;
    const name = host === config.operatorHost && host !== config.host ? 'REFILL_OPERATOR_HOST' : 'REFILL_HOST';
    return { name, reason: `is "${host}"`, remedy: 'it must be an address of this machine' };
  }
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
