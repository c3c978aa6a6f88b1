// Declares the default export of a shop's own module.
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import type { GameProtocol } from '#server/modules/games/protocol-port.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';

/** Of the ports below. Counts up when a module that was written before would no longer work. */
export const PORTS_VERSION = 1;

export type OwnModule = {
  /** The version of the ports that it was written for. */
  readonly ports: typeof PORTS_VERSION;
  readonly payments?: readonly PaymentProvider[];
  /** Each in place of the product's own adapter of its kind. */
  readonly logins?: readonly LoginProvider[];
  readonly gameProtocols?: readonly GameProtocol[];
};
