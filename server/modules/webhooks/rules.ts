// When an endpoint is called again. Pure.

/**
 * Our choice, within the advice of Standard Webhooks ("Deliverability and reliability"): quick at first, for a
 * deployment; the last try a day after the first. Seconds after each try.
 */
const RETRY_SECONDS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000] as const;

/** Our choice: a receiver that was down over a long weekend is not given up. */
export const MAX_FAILING_DAYS = 3;

/**
 * @param tries calls made so far, at least 1
 * @param chance 0 to 1: spreads retries over a tenth of the wait
 * @returns seconds to wait, or null when the message is given up
 */
export function retryWebhookInSeconds(tries: number, chance: number): number | null {
  const wait = RETRY_SECONDS[tries - 1];
  return wait === undefined ? null : wait * (1 + chance * 0.1);
}
