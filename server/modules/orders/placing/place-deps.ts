// Declares the dependencies of placing an order.
import type { BillingInfo } from '#contracts/orders.ts';
import type { UnpaidOrders } from '#server/modules/orders/payments/unpaid-orders.ts';
import type { CodesService } from '#server/modules/codes/service.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { GamesService } from '#server/modules/games/service.ts';
import type { GiftCardsService } from '#server/modules/giftcards/service.ts';
import type { OffersService } from '#server/modules/offers/service.ts';
import type { PaymentsService } from '#server/modules/payments/service.ts';
import type { Steps } from '#server/modules/orders/steps/steps.ts';
import type { GameId, ReplenishId } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import type { PlayerCaller } from '#server/platform/http/http.ts';
import type { Texts } from '#server/platform/texts.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';

export type PlaceDeps = {
  readonly db: Db;
  readonly steps: Steps;
  readonly log: Log;
  readonly configuration: () => Configuration;
  readonly games: GamesService;
  readonly payments: PaymentsService;
  readonly giftCards: GiftCardsService;
  readonly offers: Pick<OffersService, 'prepare'>;
  readonly codes: Pick<CodesService, 'terms'>;
  /** Called when an order was just paid. */
  readonly onPaid: () => void;
  /** Is true when other processes must hear of it as well. */
  readonly mustNotify: boolean;
  readonly unpaid: Pick<UnpaidOrders, 'close' | 'makeRoom'>;
  /** Unpaid orders as their player sees them, the oldest first. @param only this one, where it is unpaid */
  readonly showUnpaid: (caller: PlayerCaller, only?: string) => Promise<BillingInfo[]>;
  /** Finds the amount of a make-up payment, or says whether it is another account's or gone. */
  readonly findPayable: (
    caller: PlayerCaller,
    input: { replenish_id: string; client_id: string },
  ) => Promise<{ kind: 'ok'; amount: Money; gameId: GameId; id: ReplenishId } | { kind: 'gone' | 'foreign' }>;
  /** The shop's own texts, for what it sells itself. */
  readonly texts: Texts;
  readonly now: () => number;
  /** Makes order numbers; left out, the system's own randomness. */
  readonly random?: (() => number) | undefined;
  readonly limits: { maxPerMinute: number; maxOpen: number };
};
