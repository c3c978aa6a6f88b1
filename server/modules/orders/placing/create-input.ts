// Builds the provider's view of a payment, the same whether it is created or a page of ours for it is written.
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { attemptRef } from '#kernel/ids.ts';
import { type Language, textIn, toBcp47 } from '#kernel/languages.ts';
import type { Money } from '#kernel/money.ts';
import type { CreatePayment } from '#server/modules/payments/provider.ts';
import { readDevice } from '#server/platform/http/device.ts';
import type { Caller } from '#server/platform/http/http.ts';
import type { SoldProduct } from '#server/modules/orders/store.ts';

export type PaymentFacts = {
  readonly billingNo: BillingNo;
  readonly attemptNo: number;
  readonly provider: string;
  readonly amount: Money;
  readonly product: SoldProduct;
  readonly brandName: string;
  readonly playerId: PlayerId;
  readonly username: string;
  /** As an order holds it; GLOBAL where the market has none. */
  readonly country: string;
  readonly language: Language;
  readonly channelId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
};

/** @param caller whose browser is sent to the provider: its origin is where it comes back to */
export function toCreatePayment(
  facts: PaymentFacts,
  caller: Pick<Caller, 'origin' | 'ip' | 'userAgent' | 'site'>,
): CreatePayment {
  const reference = attemptRef(facts.billingNo, facts.attemptNo);
  const back = `${caller.origin}/return/${facts.provider}?ref=${reference}`;
  return {
    reference,
    amount: facts.amount,
    productName: textIn(facts.product.name, facts.language),
    brandName: facts.brandName,
    playerRef: facts.playerId,
    playerName: facts.username,
    country: facts.country === 'GLOBAL' ? '' : facts.country,
    locale: toBcp47(facts.language),
    channelId: facts.channelId,
    returnUrl: back,
    cancelUrl: `${back}&cancelled=1`,
    notifyUrl: `${caller.origin}/callback/${facts.provider}`,
    expiresAt: facts.expiresAt,
    device: { ...readDevice(caller.userAgent), userAgent: caller.userAgent, ip: caller.ip },
  };
}
