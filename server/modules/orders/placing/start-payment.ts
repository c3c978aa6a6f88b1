// Paying, step two: the committed order's payment is created at its provider, and what came of that is written down. No
// transaction is open meanwhile.
import { decodeTime } from 'ulid';
import type { PayResult } from '#contracts/payments.ts';
import { type BillingNo, attemptRef } from '#kernel/ids.ts';
import { brandOf } from '#server/modules/games/service.ts';
import type {
  CreateOutcome,
  CreatePayment,
  PaymentProvider,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
import type { ChosenChannel } from '#server/modules/payments/service.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { Log } from '#server/platform/log.ts';
import { countEvent } from '#server/platform/metrics/metrics.ts';
import { recordExchange } from '#server/platform/outbound/outbound-record.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { readPlacedAttempt } from '#server/modules/orders/payments/attempt-store.ts';
import { toCreatePayment } from './create-input.ts';
import type { PlaceInput } from '#server/modules/orders/store.ts';
import type { PlaceDeps } from './place-deps.ts';

/**
 * @param placed what place_order has committed
 * @returns the order's number, and the address to pay at; empty when whether there is one is not known yet
 */
export async function startPayment(
  deps: Pick<PlaceDeps, 'db' | 'steps' | 'log' | 'configuration'>,
  caller: PlayerCaller,
  place: PlaceInput,
  placed: { billing_no: BillingNo; attempt_no: number; amount_minor: number },
  { account }: ChosenChannel,
): Promise<Answer<PayResult>> {
  const { provider, context } = account;
  const record = recordExchange(context.outbound, provider.personalFields);
  // A number that is not this call's own: an abandoned call is taken up again, or an open order is paid another
  // way. Rare, and worth a look.
  const earlier =
    placed.billing_no === place.billing_no ? null : await readPlacedAttempt(deps.db, place.player_id, placed);
  // Never the time of this very call: a provider knows a repeated call by its equal body.
  const expiresAt =
    placed.attempt_no > 1 && earlier
      ? earlier.payable_until.getTime()
      : decodeTime(placed.billing_no) + provider.payableForSeconds * 1000;
  const input = toCreatePayment(
    {
      billingNo: placed.billing_no,
      attemptNo: placed.attempt_no,
      provider: provider.name,
      amount: { amountMinor: placed.amount_minor, currency: place.currency },
      product: place.sold.product,
      brandName: brandOf(deps.configuration(), caller).file.name,
      playerId: place.player_id,
      username: place.sold.username,
      country: place.sold.country,
      language: caller.language,
      channelId: place.channel_id,
      expiresAt,
    },
    caller,
  );
  const created = await createAtProvider(deps.log, provider, { ...context, outbound: record.outbound }, input);
  const note = (outcome: 'redirected' | 'unknown' | 'refused' | 'bad_link') =>
    countEvent('paymentsStarted', { provider: provider.name, outcome });
  const base = {
    player_id: place.player_id,
    billing_no: placed.billing_no,
    attempt_no: placed.attempt_no,
    provider: provider.name,
    idempotency_key: place.idempotency_key,
  };
  const exchange = { create: record.exchange() };
  const url = payLinkOf(created, account, caller, attemptRef(placed.billing_no, placed.attempt_no));
  if ((created.kind === 'redirect' || created.kind === 'page') && url !== null) {
    note('redirected');
    const answer = { code: 'success' as const, billing_no: placed.billing_no, url };
    await deps.steps.recordCreateResult({
      ...base,
      state: 'redirected',
      provider_ref: created.providerRef,
      url,
      exchange,
      answer,
    });
    return succeed({ billing_no: placed.billing_no, url });
  }
  // The abandoned call may have created the payment, so a refusal of its repetition is no proof.
  const isInDoubt = created.kind === 'unknown' || (created.kind === 'refused' && earlier?.is_resumed === true);
  if (isInDoubt) {
    note('unknown');
    // The order stays: polling and callbacks end the doubt.
    deps.log.warn(
      { billing_no: placed.billing_no, provider: provider.name, reason: created.reason },
      'payment creation outcome unknown; will ask the provider',
    );
    const answer = { code: 'success' as const, billing_no: placed.billing_no, url: '' };
    await deps.steps.recordCreateResult({ ...base, state: 'unknown', provider_ref: null, url: null, exchange, answer });
    return succeed({ billing_no: placed.billing_no, url: '' });
  }
  const isBadLink = created.kind === 'redirect' || created.kind === 'page';
  note(isBadLink ? 'bad_link' : 'refused');
  if (!isBadLink) account.noteRefusal();
  const reason = isBadLink ? 'the pay link points to a host that is not on the list' : created.reason;
  deps.log.error({ billing_no: placed.billing_no, provider: provider.name, reason }, 'payment was not created');
  await deps.steps.recordCreateResult({
    ...base,
    state: 'failed',
    provider_ref: isBadLink ? created.providerRef : null,
    url: null,
    exchange,
    answer: null,
  });
  return refuse(isBadLink ? 'invalidLink' : 'providerUnavailable');
}

type Created = Exclude<CreateOutcome, { kind: 'paid' }>;

/** The provider's answer, every failure sorted into "certainly nothing was made" and "who knows". */
async function createAtProvider(
  log: Log,
  provider: PaymentProvider,
  context: ProviderContext,
  input: CreatePayment,
): Promise<Created> {
  try {
    const outcome = await provider.create(context, input);
    // A payment that is done at once is not believed here: what it came to is asked, as of every payment.
    return outcome.kind === 'paid' ? { kind: 'unknown', reason: 'paid at once' } : outcome;
  } catch (error) {
    const isSafe = error instanceof OutboundError && !error.wasSent;
    if (!(error instanceof OutboundError))
      log.error({ err: error, provider: provider.name }, 'creating a payment failed inside the adapter');
    return { kind: isSafe ? 'refused' : 'unknown', reason: (error as Error).message };
  }
}

/**
 * Returns the address at which the player pays: the provider's page, or ours on the way to it. Null: a link that is not
 * the provider's.
 */
function payLinkOf(
  created: CreateOutcome,
  { provider, context }: ChosenChannel['account'],
  caller: PlayerCaller,
  reference: string,
): string | null {
  if (created.kind === 'page') return `${caller.origin}/pay/${provider.name}/${reference}`;
  const isSafe =
    created.kind === 'redirect' &&
    isPayLink(created.url, provider.payHosts(context.settings, context.environment), context.environment);
  return isSafe ? created.url : null;
}
