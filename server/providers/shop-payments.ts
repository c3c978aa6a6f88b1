// All that an order can be paid with: the adapters of providers outside, and what lies in the shop's own database.
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { card } from './payments/card/provider.ts';
import { paymentProviders } from './payments/registry.ts';
import { wallet } from './payments/wallet/provider.ts';

export const shopProviders: readonly PaymentProvider[] = [...paymentProviders, card, wallet];
