// The published interface of modules that a shop brings itself: `refill/ports`. Types alone, and the number of the
// version, which counts up when a module written before would no longer work; until then fields are only added.
// How a module is written, with a sample of each kind: docs/own-modules.md.
export type {
  CallbackReading,
  CheckOutcome,
  CreateOutcome,
  CreatePayment,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  PaymentStatus,
  PayPage,
  ProviderContext,
  RawCallback,
  RefundOutcome,
  RefundedPayment,
  SettingDeclaration,
  SettingForm,
  SettlementLine,
} from '#server/modules/payments/provider.ts';
export type {
  BeginLogin,
  BeginOutcome,
  FinishLogin,
  FinishOutcome,
  LoginContext,
  LoginProvider,
  OpenLogin,
} from '#server/modules/accounts/logins/login-port.ts';
export type {
  Applied,
  AppliedPage,
  GameServer,
  GrantOutcome,
  GrantRequest,
  Recipient,
} from '#server/modules/games/gameserver.ts';
export type { GameProtocol, GameProtocolContext } from '#server/modules/games/protocol-port.ts';
export type { Outbound } from '#server/platform/outbound/outbound.ts';
export type { Currency, Money } from '#kernel/money.ts';
export { type OwnModule, PORTS_VERSION } from '#server/own-modules/module-types.ts';
