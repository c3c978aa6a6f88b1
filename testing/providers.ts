// Door for the tests in e2e/, which may not import the server itself: the adapters to the outside
// and the way out they are given.
export { type Currency, parseDecimal, toDecimal } from '#kernel/money.ts';
export { createStandardGameServer } from '#server/providers/gameserver/standard.ts';
export { createOperatorRealNames, readAnswer as readRealNameAnswer } from '#server/providers/realname/operator.ts';
export { findPaymentProvider, paymentProviders } from '#server/providers/payments/registry.ts';
export { readWholeCallback, toWholeCallback } from '#server/modules/orders/payments/stored-callback.ts';
export { type Checked, checkProvider } from '#server/modules/payments/check.ts';
export { createOutbound, type Outbound, OutboundError } from '#server/platform/outbound/outbound.ts';
export type {
  CallbackAnswer,
  CallbackReading,
  CreateOutcome,
  CreatePayment,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  PayPage,
  ProviderContext,
  RawCallback,
} from '#server/modules/payments/provider.ts';
