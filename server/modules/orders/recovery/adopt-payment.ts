// Money that a provider has for an order which a restored database does not know and no game got: nobody outside knows
// what it was for. A person says whose it is and what for; the provider confirms it; then it is an order like any
// other, delivered or paid back.
import { decodeTime } from 'ulid';
import { type BillingNo, type PlayerId, attemptRef } from '#kernel/ids.ts';
import { type Money, toDecimal } from '#kernel/money.ts';
import type { Brand, Game, Product } from '#server/modules/configuration/service.ts';
import type { PaymentsService } from '#server/modules/payments/service.ts';
import { earnedPoints, type Market } from '#server/modules/pricing/service.ts';
import { addAudit, findOperatedOrder, operatorRefund } from '#server/modules/orders/operator/operate-store.ts';
import type { ActOutcome } from '#server/modules/orders/operator/operate.ts';
import { toSoldProduct } from '#server/modules/orders/placing/place-input.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { doubtOf } from './recover.ts';
import { type PaymentFacts, adoptPayment as adopt, wakeWaiting } from './recovery-store.ts';

export type LostPayment = {
  readonly billingNo: BillingNo;
  readonly attemptNo: number;
  readonly provider: string;
  /** The provider's own id; some cannot be asked by our reference. */
  readonly providerRef: string | null;
  readonly amount: Money;
  readonly player: { readonly player_id: PlayerId; readonly suid: string };
  readonly market: Market;
  readonly game: Game;
  readonly product: Product;
  readonly character: { client_id: string; server_id: string; area_id: string; role_id: string };
  readonly isRefund: boolean;
};

type Deps = { readonly db: Db; readonly payments: PaymentsService; readonly by: string };

const impossible = (outcome: string, sentence: string): ActOutcome => ({ kind: 'impossible', outcome, sentence });

export async function adoptLostPayment(deps: Deps, lost: LostPayment): Promise<ActOutcome> {
  const { amount, billingNo, attemptNo, player, provider } = lost;
  const account = deps.payments.account(provider);
  if (!account) return impossible('provider_is_off', `The provider ${provider} is not on here: nobody can be asked.`);
  const reference = attemptRef(billingNo, attemptNo);
  const said = await account.provider
    .query(account.context, {
      reference,
      providerRef: lost.providerRef,
      captureRef: null,
      approval: null,
      amount,
      playerRef: player.player_id,
      channelId: '',
      createdAt: decodeTime(billingNo),
    })
    .catch((error: Error) => error.message);
  const money = `${toDecimal(amount)} ${amount.currency}`;
  const doubt = doubtOf(
    deps,
    { amount_minor: amount.amountMinor, currency: amount.currency, attempt: { provider } },
    said,
  );
  if (doubt || typeof said === 'string')
    return impossible(
      doubt ?? 'provider_not_reached',
      `${provider} does not confirm ${money} for ${reference} (${doubt}).`,
    );
  if (said.status !== 'paid')
    return impossible('went_back', `The money of ${reference} went back already (${said.status}): nothing is owed.`);
  const facts = toFacts(lost, { providerRef: said.providerRef ?? lost.providerRef, captureRef: said.captureRef });
  return transaction(deps.db, async (client): Promise<ActOutcome> => {
    if ((await adopt(client, facts)) === 'known')
      return impossible('known', `Order ${billingNo} is here: see \`refill order show ${billingNo}\`.`);
    const details = { provider, amount: toDecimal(amount), currency: amount.currency, player: player.player_id };
    const act = lost.isRefund ? 'adopt-payment-refund' : 'adopt-payment';
    await addAudit(client, { actor: deps.by, act, billingNo, details });
    await wakeWaiting(client, billingNo);
    if (!lost.isRefund)
      return {
        kind: 'done',
        outcome: 'paid',
        sentence: `Order ${billingNo} is booked, and its goods are on their way.`,
      };
    const order = await findOperatedOrder(client, billingNo);
    if (!order) throw new Error(`the order ${billingNo} was adopted and is not there`);
    const input = { attemptNo, reason: 'lost with a database', by: deps.by, isDone: false };
    const outcome = await operatorRefund(client, order, input);
    if (outcome !== 'due') throw new Error(`the refund of ${billingNo} came to ${outcome}`);
    const sentence = `Order ${billingNo} is booked, and its ${money} will go back: a worker asks the provider within seconds.`;
    return { kind: 'done', outcome: 'refund_due', sentence };
  });
}

function toFacts(lost: LostPayment, said: { providerRef: string | null; captureRef: string | null }): PaymentFacts {
  const { amount, billingNo, character, game, market, player, product, provider } = lost;
  const channel = channelOf(market.brand, provider);
  return {
    player_id: player.player_id,
    suid: player.suid,
    billing_no: billingNo,
    brand_key: market.brand.key,
    game_id: game.id,
    product_id: product.id,
    product: toSoldProduct(game, product, 'en', 'en'),
    ...character,
    amount_minor: amount.amountMinor,
    currency: amount.currency,
    discount_minor: 0,
    points: earnedPoints(market.brand, amount),
    region: market.region,
    country: market.country,
    language: 'en',
    created_at: decodeTime(billingNo) / 1000,
    attempt: {
      attempt_no: lost.attemptNo,
      provider,
      channel_key: channel?.key ?? '',
      channel_name: channel?.file.name ?? { en: provider },
      channel_id: '',
      method: channel?.method ?? '',
      ...(said.providerRef ? { provider_ref: said.providerRef } : {}),
      ...(said.captureRef ? { capture_ref: said.captureRef } : {}),
    },
  };
}

/** Which of its methods was chosen nobody knows any more: the provider's first, for the name in the history. */
const channelOf = (brand: Brand, provider: string) => brand.channels.find((one) => one.file.provider === provider);
