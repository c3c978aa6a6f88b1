// The port of a game protocol: how a game is spoken to that does not keep docs/game-server-contract.md.
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import type { GameServer } from './gameserver.ts';

export type GameProtocolContext = {
  /** REFILL_GAME_<GAME>_..._URL; its host is the only one that `outbound` reaches. */
  readonly baseUrl: string;
  /** REFILL_GAME_<GAME>_..._SECRETS; the first signs. */
  readonly secrets: readonly string[];
  readonly outbound: Outbound;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export type GameProtocol = {
  /** Matches `protocol` in a game.yaml. */
  readonly name: string;
  /** Throws one sentence when an address or a secret cannot be used. */
  open(context: GameProtocolContext): GameServer;
};
