// Brings a restored database up to what the outside knows (decision 61). The plan is the act itself, undone at its end:
// what it shows is what will be done. Each order is taken in by one transaction, so that it can be broken off anywhere
// and run again.
import { money } from '#kernel/money.ts';
import { type BillingNo, attemptRef } from '#kernel/ids.ts';
import type { PaymentReport } from '#server/modules/payments/provider.ts';
import type { PaymentsService } from '#server/modules/payments/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { type SettleDeps, isOurMerchant } from '#server/modules/orders/payments/settle-payment.ts';
import { receiveReport } from '#server/modules/orders/payments/report-store.ts';
import { type Db, type Queryable, preview, transaction } from '#server/platform/database/db.ts';
import type { LostGrant } from './evidence.ts';
import { type Adoption, type Decision, type RecoveryFacts, adoptOrder, wakeWaiting } from './recovery-store.ts';

export type RecoveredOrder = {
  readonly billing_no: BillingNo;
  readonly game: string;
  /** Null where nobody knows: the game gave no text back. */
  readonly tender: string | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  /** The provider's answer when it was asked for the order; null: no provider was paid. */
  readonly provider_says: string | null;
  /** `adopted`, `known`, or why a person decides. */
  readonly outcome: string;
  readonly decisions: readonly Decision[];
};

export type RecoverDeps = {
  readonly db: Db;
  readonly payments: PaymentsService;
  readonly settle: SettleDeps;
  readonly by: string;
  /** False: everything is undone again. */
  readonly isActing: boolean;
};

/** The oldest first, for what was used twice belongs to whoever had it first. */
export async function recoverOrders(
  deps: RecoverDeps,
  lost: readonly LostGrant[],
  onProgress: (count: number) => void = () => undefined,
): Promise<RecoveredOrder[]> {
  const sorted = lost.toSorted((a, b) => (a.billingNo < b.billingNo ? -1 : 1));
  const asked = await askProviders(deps, sorted, onProgress);
  const recovered: RecoveredOrder[] = [];
  // A plan plays the orders of a player together: the second sees what the first one left of their balance.
  for (const group of deps.isActing ? sorted.map((one) => [one]) : groupByPlayer(sorted)) {
    recovered.push(...(await takeIn(deps, group, asked)));
    onProgress(recovered.length);
  }
  return recovered.toSorted((a, b) => (a.billing_no < b.billing_no ? -1 : 1));
}

function groupByPlayer(lost: readonly LostGrant[]): LostGrant[][] {
  const players = Map.groupBy(lost, ({ facts, billingNo }) =>
    typeof facts === 'string' ? billingNo : facts.player_id,
  );
  return [...players.values()];
}

async function takeIn(
  deps: RecoverDeps,
  group: readonly LostGrant[],
  asked: ReadonlyMap<string, PaymentReport | string>,
): Promise<RecoveredOrder[]> {
  const run = deps.isActing ? transaction : preview;
  return run(deps.db, async (client) => {
    const recovered: RecoveredOrder[] = [];
    for (const grant of group) recovered.push(await takeInOne(deps, client, grant, asked.get(grant.billingNo) ?? null));
    return recovered;
  });
}

async function takeInOne(
  deps: RecoverDeps,
  client: Queryable,
  { billingNo, gameId, receiptId, facts }: LostGrant,
  said: PaymentReport | string | null,
): Promise<RecoveredOrder> {
  const row = { billing_no: billingNo, game: gameId, decisions: [] };
  if (typeof facts === 'string')
    return { ...row, tender: null, amount_minor: null, currency: null, provider_says: null, outcome: facts };
  const paid = {
    ...row,
    tender: facts.attempt.provider,
    amount_minor: facts.amount_minor,
    currency: facts.currency,
    provider_says: said === null || typeof said === 'string' ? said : said.status,
  };
  const doubt = doubtOf(deps, facts, said);
  if (doubt) return { ...paid, outcome: doubt };
  const adoption = await adoptOrder(client, facts, receiptId);
  if (adoption.outcome === 'adopted') await auditAdoption(deps, client, facts, adoption);
  if (typeof said === 'object' && said !== null && said.status !== 'paid' && adoption.outcome === 'adopted')
    await bookReturned(client, facts, said);
  return { ...paid, outcome: adoption.outcome, decisions: adoption.decisions };
}

/** Money that left again since is in the provider's answer as well. */
const RETURNED: ReadonlySet<string> = new Set(['refunded', 'chargeback']);

/** Our own text says that it was paid; where an outside provider is asked, it has to say so as well. Null: it is. */
export function doubtOf(
  deps: Pick<RecoverDeps, 'payments'>,
  facts: Pick<RecoveryFacts, 'amount_minor' | 'currency'> & { readonly attempt: { readonly provider: string } },
  said: PaymentReport | string | null,
): string | null {
  const account = deps.payments.account(facts.attempt.provider);
  if (account?.provider.internalTender) return null;
  if (!account) return 'provider_is_off';
  if (said === null || typeof said === 'string') return 'provider_not_reached';
  if (!isOurMerchant(account, said)) return 'foreign_merchant';
  if (said.status !== 'paid' && !RETURNED.has(said.status)) return `provider_says_${said.status}`;
  const isEqual =
    said.amount === null
      ? RETURNED.has(said.status)
      : said.amount.amountMinor === facts.amount_minor && said.amount.currency === facts.currency;
  return isEqual ? null : 'provider_says_another_amount';
}

async function auditAdoption(
  { by }: RecoverDeps,
  client: Queryable,
  facts: RecoveryFacts,
  { decisions }: Adoption,
): Promise<void> {
  const { billing_no: billingNo, game_id: game, attempt } = facts;
  await addAudit(client, {
    actor: by,
    act: 'adopt',
    billingNo,
    details: { game, provider: attempt.provider, decisions },
  });
  for (const { second, ...decision } of decisions)
    if (second)
      await addAudit(client, {
        actor: by,
        act: 'lose-to-adopted',
        billingNo: second,
        details: { ...decision, first: billingNo },
      });
  await wakeWaiting(client, billingNo);
}

async function bookReturned(client: Queryable, facts: RecoveryFacts, report: PaymentReport): Promise<void> {
  await receiveReport(client, {
    provider: facts.attempt.provider,
    report: { ...report, amount: report.amount ?? money(facts.amount_minor, facts.currency) },
    billingNo: facts.billing_no,
    attemptNo: facts.attempt.attempt_no,
    isOurMerchant: true,
    callback: null,
    mustNotify: false,
  });
}

/** Our choice: providers allow some calls a second; the circuit breaker of each is asked as ever. */
const ASKED_AT_ONCE = 4;

/** Asks providers for the payments of these orders; the answer is a sentence where they could not be asked. */
async function askProviders(
  { payments }: RecoverDeps,
  lost: readonly LostGrant[],
  onProgress: (count: number) => void,
): Promise<Map<string, PaymentReport | string>> {
  const answers = new Map<string, PaymentReport | string>();
  const waiting = lost.flatMap(({ facts }) => (typeof facts === 'string' ? [] : [facts]));
  const ask = async (): Promise<void> => {
    for (let facts = waiting.shift(); facts; facts = waiting.shift()) {
      const account = payments.account(facts.attempt.provider);
      if (!account || account.provider.internalTender) continue;
      const { attempt, billing_no: billingNo } = facts;
      const known = {
        reference: attemptRef(billingNo, attempt.attempt_no),
        providerRef: attempt.provider_ref ?? null,
        captureRef: attempt.capture_ref ?? null,
        approval: null,
        amount: money(facts.amount_minor, facts.currency),
        playerRef: facts.player_id,
        channelId: attempt.channel_id,
        createdAt: facts.created_at * 1000,
      };
      const answer = await account.provider.query(account.context, known).catch((error: Error) => error.message);
      answers.set(billingNo, answer);
      onProgress(answers.size);
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
  return answers;
}
