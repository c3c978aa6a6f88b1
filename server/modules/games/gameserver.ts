// The port a game is reached through: who a player is, where they play, and handing over goods. The wire is in
// docs/game-server-contract.md.
import type { Money } from '#kernel/money.ts';

export type GameServerInfo = {
  readonly id: string;
  readonly name: string;
  readonly areaId: string;
  readonly isOpen: boolean;
};
export type GameArea = { readonly id: string; readonly name: string };
export type GameRole = {
  readonly id: string;
  readonly name: string;
  readonly level: number;
  readonly serverId: string;
  readonly areaId: string;
};

/** Names the character that receives the goods. `areaId` is empty when the game has no areas. */
export type Recipient = {
  readonly clientId: string;
  readonly userId: string;
  readonly serverId: string;
  readonly areaId: string;
  readonly roleId: string;
};

export type GrantRequest = Recipient & {
  /** Idempotency key for ever: an order's number, or a reward's. */
  readonly billingNo: string;
  readonly productId: string;
  readonly gifts: readonly { id: string; name: string; count: number }[];
  /** Null for goods that nobody paid for: rewards. */
  readonly paid: Money | null;
  readonly isSandbox: boolean;
  /** A sealed text that the game stores and gives back (`Applied`); null: none goes along. */
  readonly recovery?: string | null;
};

export type UnblockRequest = {
  readonly billingNo: string;
  /** Idempotency key for ever. */
  readonly replenishId: string;
  readonly clientId: string;
  readonly userId: string;
  /** As in GrantRequest. */
  readonly recovery?: string | null;
};

/** The game's record of one grant, or of one unblock, that it carried out. */
export type Applied = {
  readonly key: string;
  readonly receiptId: string | null;
  /** The text that came with the call; null: the game does not keep it, or none came. */
  readonly recovery: string | null;
};

/**
 * A page of `listApplied`. `applied` and `unblocked`, which games of a protocol before leave out, say more of `keys`.
 */
export type AppliedPage = {
  readonly keys: readonly string[];
  readonly next: string | null;
  readonly applied?: readonly Applied[];
  /** Orders of make-up payments, which are not among `keys`. */
  readonly unblocked?: readonly Applied[];
};

/** `unknown`: no clear answer came, the goods may or may not be there; the same key must be sent again. */
export type GrantOutcome =
  | { readonly kind: 'done'; readonly receiptId: string }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export type CheckOutcome = { kind: 'ok' } | { kind: 'declined'; reason: string } | { kind: 'unknown'; reason: string };
export type AuthenticateOutcome =
  | { kind: 'ok'; userId: string; username: string }
  | { kind: 'wrong_credentials' }
  | { kind: 'unknown'; reason: string };

export type IdentifyOutcome =
  | { kind: 'ok'; userId: string; username: string }
  | { kind: 'no_account' }
  | { kind: 'unknown'; reason: string };

/** `url`: where the player confirms who they are. `refused`: the game says no for good reason. */
export type RealNameAnswer =
  | { kind: 'verified' }
  | { kind: 'unfinished'; url: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'unknown'; reason: string };

/** One game's server. Reads throw OutboundError when it cannot be reached. */
export type GameServer = {
  authenticate(clientId: string, username: string, password: string): Promise<AuthenticateOutcome>;
  /** Whose account an identity of another company is ("google", "apple" ...). Null: the game does not offer this. */
  identify?(clientId: string, provider: string, subject: string): Promise<IdentifyOutcome | null>;
  listServers(clientId: string, areaId: string): Promise<{ areas: GameArea[]; servers: GameServerInfo[] }>;
  listRoles(query: { clientId: string; userId: string; serverId?: string; areaId?: string }): Promise<GameRole[]>;
  checkGrant(recipient: Recipient, productId: string): Promise<CheckOutcome>;
  grant(request: GrantRequest): Promise<GrantOutcome>;
  /** @param replenishId of a make-up payment: the account is to be blocked again */
  revoke(billingNo: string, reason: string, replenishId?: string): Promise<GrantOutcome>;
  /** Unblocks an account whose make-up payment is paid; done also for one that is not blocked. */
  unblock(request: UnblockRequest): Promise<GrantOutcome>;
  /** Asks the game for the player's real-name status. Null: the game does not offer this. */
  checkRealName?(query: { clientId: string; userId: string; returnUrl: string }): Promise<RealNameAnswer | null>;
  /**
   * Keys of grants that the game carried out at or after `since` (epoch milliseconds), a page at a time;
   * `next` is handed back for more.
   * Null: the game does not offer this.
   */
  listApplied?(since: number, cursor: string | null): Promise<AppliedPage | null>;
};
