// Notices in a running shop that a provider no longer accepts our credentials: a revoked key, a closed account. The
// provider's own `check` decides, since many providers refuse a wrong key with the status 200 and a code of their own.
import type { Log } from '#server/platform/log.ts';
import { setGauge } from '#server/platform/metrics/metrics.ts';
import { isDenial } from '#server/platform/outbound/outbound-measure.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import { askProvider } from './check.ts';
import type { PaymentProvider, ProviderContext } from './provider.ts';

/** Our choice: an operator hears of it within two minutes, and a refusing provider is asked no more often than this. */
const CHECK_EVERY_MS = 60_000;

export type CredentialsWatch = {
  /** The same way out; an answer of 401 or 403 starts a check. */
  readonly outbound: Outbound;
  /** The provider refused something with any status: it is asked whether our credentials are why. */
  noteRefusal(): void;
  isDenied(): boolean;
};

/**
 * @param context `outbound` is used for checks, and wrapped for everything else
 * @param again runs the next check while the provider refuses us; it must not keep the process alive
 */
export function watchCredentials(
  provider: PaymentProvider,
  context: ProviderContext,
  log: Log,
  again: (check: () => void, afterMs: number) => void = (check, afterMs) => setTimeout(check, afterMs).unref(),
): CredentialsWatch {
  let denied = false;
  let isChecking = false;
  let lastCheckAt = -Infinity;
  // Of the last call: decides where the protocol has no question that proves the credentials.
  let wasDenied = false;
  const set = (value: boolean, facts: object = {}) => {
    setGauge('providerDenied', { provider: provider.name }, value ? 1 : 0);
    if (value === denied) return;
    denied = value;
    if (value)
      log.error({ alert: 'credentials', provider: provider.name, ...facts }, 'the provider refuses our credentials');
    else log.info({ provider: provider.name }, 'the provider accepts our credentials again');
  };
  set(false);
  const check = async () => {
    isChecking = true;
    lastCheckAt = context.now();
    try {
      const outcome = await askProvider(provider, context);
      if (outcome.kind === 'ok') set(false);
      else if (outcome.kind === 'refused') set(true, { reason: outcome.reason, settings: outcome.lookAt });
      else if (outcome.kind === 'nothing_to_ask') set(wasDenied, { reason: 'it answered 401 or 403' });
    } catch (error) {
      log.error({ err: error, provider: provider.name }, 'the credentials of a provider could not be checked');
    } finally {
      isChecking = false;
      if (denied) again(noteRefusal, CHECK_EVERY_MS);
    }
  };
  const noteRefusal = () => {
    if (isChecking || context.now() - lastCheckAt < CHECK_EVERY_MS) return;
    void check();
  };
  return {
    outbound: async (url, call) => {
      const answer = await context.outbound(url, call);
      wasDenied = isDenial(answer.status);
      if (wasDenied) noteRefusal();
      return answer;
    },
    noteRefusal,
    isDenied: () => denied,
  };
}
