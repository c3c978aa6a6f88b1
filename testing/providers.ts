// Door for the tests in e2e/, which may not import the server itself: the adapters to the outside and the way out they are given.
export { createStandardGameServer } from '#server/providers/gameserver/standard.ts';
export { findPaymentProvider, paymentProviders } from '#server/providers/payments/registry.ts';
export { createOutbound } from '#server/platform/outbound.ts';
export type {
  CallbackReading,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
