// Rewards that a game handed over and a restored database does not know: taken into the books, so that nobody receives
// them twice (decision 61). After the orders, which they were given for.
import type { GameId } from '#kernel/ids.ts';
import type { Applied } from '#server/modules/games/gameserver.ts';
import { addAudit, openFacts, type SealedBy } from '#server/modules/orders/service.ts';
import { type Db, preview, transaction } from '#server/platform/database/db.ts';
import { type Adoption, type RewardFacts, adoptReward, listRewardsDone } from './store.ts';

export type RecoveredReward = {
  readonly reward_no: string;
  readonly game: GameId;
  /** Null where nobody knows: the game gave no text back. */
  readonly issue_key: string | null;
  /** `adopted`, `known`, or why a person decides. */
  readonly outcome: string;
  readonly decisions: Adoption['decisions'];
};

export type LostReward = {
  readonly rewardNo: string;
  readonly gameId: GameId;
  readonly receiptId: string;
  readonly facts: RewardFacts | 'no_recovery_text' | 'not_our_recovery_text';
};

const REWARD_NO = /^RW-[0-9A-HJKMNP-TV-Z]{26}$/;

/** Of what a game says it carried out, the rewards that are not known here to be handed over. */
export async function findLostRewards(
  db: Db,
  applied: readonly Applied[],
  { gameId, environment, keySecrets }: { gameId: GameId } & SealedBy,
): Promise<LostReward[]> {
  const rewards = applied.filter((one) => REWARD_NO.test(one.key));
  const known = await listRewardsDone(
    db,
    rewards.map((one) => one.key),
  );
  return rewards
    .filter((one) => !known.has(one.key))
    .map(({ key, receiptId, recovery }) => {
      const reward = { rewardNo: key, gameId, receiptId: receiptId ?? key };
      if (recovery === null) return { ...reward, facts: 'no_recovery_text' };
      const facts = openFacts<RewardFacts>(environment, keySecrets, recovery);
      // A text of another reward was moved: nothing of it is believed.
      const isOurs = facts?.reward_no === key && facts.game_id === gameId;
      return { ...reward, facts: isOurs ? facts : 'not_our_recovery_text' };
    });
}

/** The oldest first. @param isActing false: everything is undone again */
export async function recoverRewards(
  { db, by, isActing }: { db: Db; by: string; isActing: boolean },
  lost: readonly LostReward[],
): Promise<RecoveredReward[]> {
  const recovered: RecoveredReward[] = [];
  for (const { rewardNo, gameId, receiptId, facts } of lost.toSorted((a, b) => (a.rewardNo < b.rewardNo ? -1 : 1))) {
    const row = { reward_no: rewardNo, game: gameId };
    if (typeof facts === 'string') {
      recovered.push({ ...row, issue_key: null, outcome: facts, decisions: [] });
      continue;
    }
    const run = isActing ? transaction : preview;
    recovered.push(
      await run(db, async (client) => {
        const { outcome, decisions } = await adoptReward(client, facts, receiptId);
        const details = { reward_no: rewardNo, game: gameId, issue_key: facts.issue_key, decisions };
        if (outcome === 'adopted') await addAudit(client, { actor: by, act: 'adopt-reward', billingNo: null, details });
        return { ...row, issue_key: facts.issue_key, outcome, decisions };
      }),
    );
  }
  return recovered;
}
