// The operator's own service for real names, opened by its settings.
import type { RealNameChecker } from './modules/realname/realname-port.ts';
import type { Outbound } from './platform/outbound/outbound.ts';
import { createOperatorRealNames } from './providers/realname/operator.ts';

/** The operator's service, where there is one; else nobody is asked, and nobody verified. */
export function openOperatorRealNames(
  { URL: url, SECRETS: secrets }: Readonly<Record<string, string>>,
  { allowedHosts, ...reach }: { allowedHosts: Set<string>; outbound: Outbound; now: () => number },
): RealNameChecker {
  if (!url || !secrets) {
    return {
      sourceOf: () => null,
      check: async () => ({ kind: 'unknown', reason: 'REFILL_REALNAME_..._URL is not set' }),
    };
  }
  allowedHosts.add(new URL(url).host);
  const list = secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean);
  return createOperatorRealNames({ url, secrets: list, ...reach });
}
