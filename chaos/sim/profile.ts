// How bad a seed's world is. Every seed draws its own, so that some worlds are calm except for one thing and
// some are bad in all of them.
import type { Random } from './random.ts';
import { type GameTrouble, NO_GAME_TROUBLE } from './sim-game.ts';
import { NO_PROVIDER_TROUBLE, type ProviderTrouble } from './sim-provider.ts';

export type Profile = {
  /** Chance of a kill before or after any one step. */ crash: number;
  /** Chance that a statement's connection breaks, before or after it happened. */ connectionLoss: number;
  callbackLoss: number;
  callbackRepeat: number;
  /** Answers of the shop that never reach the player. */ answerLoss: number;
  provider: ProviderTrouble;
  game: GameTrouble;
  /** Chance that a buyer's bank, or somebody in the back office, takes the money back. */ chargeback: number;
  refundByHand: number;
  paysWrongly: number;
  /** Everybody buys and pays in the same moment: steps of many orders share their transactions. */ isRush: boolean;
  /** Clocks of the processes may stand wrong by this much; the database's is the only one that counts. */ clockSkewMs: number;
};

export const CALM: Profile = {
  crash: 0,
  connectionLoss: 0,
  callbackLoss: 0,
  callbackRepeat: 0,
  answerLoss: 0,
  provider: NO_PROVIDER_TROUBLE,
  game: NO_GAME_TROUBLE,
  chargeback: 0,
  refundByHand: 0,
  paysWrongly: 0,
  isRush: false,
  clockSkewMs: 0,
};

export function drawProfile(random: Random): Profile {
  // Two worlds of three have no trouble of one kind.
  const some = (most: number) => (random.chance(0.35) ? random.next() * most : 0);
  return {
    crash: random.chance(0.6) ? random.next() * 0.03 : 0,
    connectionLoss: some(0.03),
    callbackLoss: random.chance(0.1) ? 1 : some(0.6),
    callbackRepeat: some(0.6),
    answerLoss: some(0.2),
    provider: {
      timeoutBefore: some(0.3),
      timeoutAfter: some(0.4),
      unreachable: some(0.2),
      nonsense: some(0.3),
      slowRefund: some(0.8),
      refusedRefund: some(0.4),
    },
    game: {
      cut: some(0.3),
      appliedButUnknown: some(0.6),
      declines: some(0.3),
      declinesGrants: some(0.3),
      isDown: random.chance(0.15),
    },
    chargeback: some(0.3),
    refundByHand: some(0.3),
    paysWrongly: some(0.4),
    isRush: random.chance(0.4),
    clockSkewMs: random.chance(0.3) ? random.between(-600_000, 600_000) : 0,
  };
}
