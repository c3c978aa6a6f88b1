// The way through pages of ours: what stands on one that leads to a provider, and what the browser
// brings back from the provider's.
import { type AttemptRef, readAttemptRef } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { KnownPayment, PayPage, RawCallback, ReturnReading } from '#server/modules/payments/provider.ts';
import type { PaymentsService } from '#server/modules/payments/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { PlayerCaller } from '#server/platform/http/http.ts';
import type { Log } from '#server/platform/log.ts';
import { type OpenPayment, findOpenPayment, keepApproval, noteLeft } from './attempt-store.ts';
import { toCreatePayment } from '#server/modules/orders/placing/create-input.ts';
import { isPayLink } from '#kernel/pay-link.ts';

export type PageDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly configuration: () => Configuration;
  readonly payments: PaymentsService;
};

/** Null: there is no such payment of this player that could still be paid. */
export async function writePayPage(
  deps: PageDeps,
  caller: PlayerCaller,
  providerName: string,
  reference: string,
): Promise<PayPage | null> {
  const found = await findPayment(deps, providerName, reference);
  if (!found || found.row.player_id !== caller.session.playerId || found.row.brand_key !== caller.site.brandKey)
    return null;
  const { row, account } = found;
  const { provider, context } = account;
  if (!provider.payPage) return null;
  const brandName = deps.configuration().brands.get(row.brand_key)?.file.name ?? '';
  const input = toCreatePayment(
    {
      billingNo: row.billing_no,
      attemptNo: row.attempt_no,
      provider: provider.name,
      amount: money(row.amount_minor, row.currency),
      product: row.product,
      brandName,
      playerId: row.player_id,
      username: row.username,
      country: row.country,
      language: row.language,
      channelId: row.channel_id,
      expiresAt: row.payable_until.getTime(),
    },
    caller,
  );
  const page = await provider.payPage(context, input, row.provider_ref);
  const target = page.kind === 'form' ? page.action : page.kind === 'script' ? page.src : null;
  if (
    target !== null &&
    !isPayLink(target, provider.payHosts(context.settings, context.environment), context.environment)
  ) {
    deps.log.error(
      { billing_no: row.billing_no, provider: provider.name },
      'a pay page points to a host that is not on the list',
    );
    return { kind: 'closed', reason: 'invalid link' };
  }
  return page;
}

/**
 * Reads the return address of a provider's page; an approval is kept before anybody acts on it. A return by `cancelUrl`
 * is noted for the words that the player reads; it says nothing about money, for anybody can write that address.
 * @returns null when nothing can be paid under this reference (any more); `ask`: the provider at once, if
 *   nobody did just now, or not at all
 */
export async function readReturn(
  deps: PageDeps,
  providerName: string,
  reference: string,
  raw: RawCallback,
): Promise<{ answer: ReturnReading['answer']; ask: 'now' | 'usual' | 'no' } | null> {
  const found = await findPayment(deps, providerName, reference);
  if (!found) return null;
  const { row, account } = found;
  const reading = account.provider.readReturn?.(account.context, raw, toKnown(row, reference));
  const approval = reading?.approval ?? null;
  const hasLeft = approval === null && (reading?.hasLeft === true || isCancelUrl(raw));
  if (hasLeft || row.left_at !== null) await noteLeft(deps.db, row, hasLeft);
  if (approval === null) return { answer: reading?.answer, ask: 'usual' };
  // A refreshed page brings the same once more: the first one asks, the others wait for what it finds.
  const isNew = await keepApproval(deps.db, row, approval);
  return { answer: reading?.answer, ask: isNew ? 'now' : 'no' };
}

/** As server/modules/orders/placing/create-input.ts writes it. */
const isCancelUrl = (raw: RawCallback): boolean => raw.query['cancelled'] === '1';

async function findPayment(deps: PageDeps, providerName: string, reference: string) {
  const named = readAttemptRef(reference as AttemptRef);
  const row = named && (await findOpenPayment(deps.db, named.billingNo, named.attemptNo));
  const account = row && row.provider === providerName ? deps.payments.account(row.provider) : null;
  return row && account ? { row, account } : null;
}

function toKnown(row: OpenPayment, reference: string): KnownPayment {
  return {
    reference,
    providerRef: row.provider_ref,
    captureRef: row.capture_ref,
    approval: row.approval,
    amount: money(row.amount_minor, row.currency),
    playerRef: row.player_id,
    channelId: row.channel_id,
    createdAt: row.created_at.getTime(),
  };
}
