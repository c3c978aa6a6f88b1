// One call of a game that hands goods over, paid for or not, and what its answer means for the row that is the job.
// Shared by the deliveries of orders and the rewards of events.
import type { Environment } from '#kernel/environment.ts';
import type { BillingNo, ReplenishId } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import type { GameServer, GrantOutcome, GrantRequest } from '#server/modules/games/gameserver.ts';
import { retryInSeconds } from '#server/modules/orders/rules.ts';

/** Throws for settings that make no sense: the row then waits as if the game were down. */
export type FindGameServer = (gameId: string) => GameServer | null;

/** Makes the text that the game keeps of an order or a reward for the shop; null: none goes along. */
export type SealFacts = (facts: object) => string | null;

export type GrantDeps = {
  readonly environment: Environment;
  readonly gameServer: FindGameServer;
  readonly sealFacts?: SealFacts | undefined;
};

/** The columns that say who receives what: the same in both tables. */
export type Receiver = {
  readonly game_id: string;
  readonly client_id: string;
  readonly suid: string;
  readonly server_id: string;
  readonly area_id: string;
  readonly role_id: string;
  readonly product_id: string;
};

/**
 * Never rejects: what cannot be reached is `unknown`.
 * @param goods.key the idempotency key; `paid` null: nobody paid for it
 */
export function grant(
  { environment, gameServer }: GrantDeps,
  to: Receiver,
  goods: { key: string; gifts: GrantRequest['gifts']; paid: Money | null; recovery?: string | null },
): Promise<GrantOutcome> {
  return ask(gameServer, to.game_id, (game) =>
    game.grant({
      billingNo: goods.key,
      clientId: to.client_id,
      userId: to.suid,
      serverId: to.server_id,
      areaId: to.area_id,
      roleId: to.role_id,
      productId: to.product_id,
      gifts: goods.gifts,
      paid: goods.paid,
      isSandbox: environment === 'demo',
      recovery: goods.recovery ?? null,
    }),
  );
}

/** The same of an account whose make-up payment is paid. */
export function unblock(
  { gameServer }: GrantDeps,
  to: Pick<Receiver, 'game_id' | 'client_id' | 'suid'>,
  { key, replenishId, recovery }: { key: BillingNo; replenishId: ReplenishId; recovery: string | null },
): Promise<GrantOutcome> {
  return ask(gameServer, to.game_id, (game) =>
    game.unblock({ billingNo: key, replenishId, clientId: to.client_id, userId: to.suid, recovery }),
  );
}

async function ask(
  gameServer: FindGameServer,
  gameId: string,
  call: (game: GameServer) => Promise<GrantOutcome>,
): Promise<GrantOutcome> {
  try {
    const game = gameServer(gameId);
    if (!game) return { kind: 'unknown', reason: `no address is set for the game ${gameId}` };
    return await call(game);
  } catch (error) {
    return { kind: 'unknown', reason: (error as Error).message };
  }
}

/**
 * Converts an answer to the row that is written; `retry_in_seconds` null with unknown: given up. @param tries with this
 * one
 * @param jitter 0 to 1
 */
export function readOutcome(outcome: GrantOutcome, tries: number, jitter: number) {
  return {
    kind: outcome.kind,
    receipt_id: outcome.kind === 'done' ? outcome.receiptId : null,
    reason: outcome.kind === 'done' ? null : outcome.reason.slice(0, 300),
    retry_in_seconds: outcome.kind === 'unknown' ? retryInSeconds(tries, jitter) : null,
  };
}
