// The option --sharing: whether steps of several orders may share a transaction, as REFILL_SHARED_TRANSACTIONS says it
// to a server.
import type { ChaosContext } from './chaos-test.ts';

/** @returns undefined when the command line leaves it to the test: then it runs both ways */
export function sharingOf({ options }: Pick<ChaosContext, 'options'>): boolean | undefined {
  return options['sharing'] === undefined ? undefined : options['sharing'] === 'on';
}
