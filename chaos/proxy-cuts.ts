// Test 17: the game has given the goods, and its answer is cut at every single byte. The same key is sent
// again, the goods are given once.
import { withCleanup } from '#bench/kit/cleanup.ts';
import { buyForSure } from './kit/buy.ts';
import { type Borrowed, type Finding, toFinding } from './kit/finding.ts';
import { type Player, makePlayers } from './kit/players.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { judge, readGame } from './kit/verdict.ts';
import type { Proxy } from './proxy.ts';

/** @param load.every 1 cuts at every byte of the answer, 25 at every 25th */
export function cutAnswers(load: { every: number }, borrowed: Borrowed): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer, { isForgetful: true, ...borrowed });
    // A player, a game and a wire each, so that a cut can only meet the grant it is meant for.
    const lanes = await Promise.all(
      Object.entries(shop.links.games).map(async ([gameId, link]) => {
        const [player] = await makePlayers(shop, 1, { providers: ['adyen'], gameId });
        if (!player) throw new Error(`nobody plays ${gameId}`);
        return { player, link };
      }),
    );
    const bought: string[] = [];
    const lengths = new Set<number>();
    for (const { player, link } of lanes) {
      let before = 0;
      bought.push(await buyForSure(shop, player, () => (before = link.answered())));
      lengths.add(link.answered() - before);
    }
    const length = Math.max(...lengths);
    const offsets = Array.from({ length }, (_, index) => index).filter(
      (offset) => offset % load.every === 0 || offset === length - 1,
    );
    const cut = offsets.values();
    await Promise.all(
      lanes.map(async ({ player, link }) => {
        for (const offset of cut) bought.push(await buyCutAt(shop, player, link, offset));
      }),
    );
    const { repeated } = await readGame(shop);
    const faults =
      repeated === offsets.length ? [] : [`${offsets.length} answers were cut, ${repeated} keys were sent again`];
    return toFinding(
      await judge(shop, bought),
      bought.length,
      `answers of ${[...lengths].join(' or ')} bytes cut at ${offsets.length} places, ${repeated} keys sent ` +
        'again, each applied once',
      faults,
    );
  });
}

async function buyCutAt(shop: ChaosShop, player: Player, link: Proxy, bytes: number): Promise<string> {
  return buyForSure(shop, player, () => {
    link.setFault({ kind: 'cut-answer', bytes, times: 1 });
    // The next call has to make a connection, and that one is cut.
    link.breakAll();
  });
}
