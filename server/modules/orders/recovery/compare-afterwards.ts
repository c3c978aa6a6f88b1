// The end of a recovery: both reconciliations over the time that was lost. What still differs is a person's.
import type { GameId } from '#kernel/ids.ts';
import { DAY_MS } from '#kernel/time.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { GamesService } from '#server/modules/games/service.ts';
import { reconcileGame } from '#server/modules/orders/reconcile/reconcile-game.ts';
import { reconcileSettlement } from '#server/modules/orders/reconcile/reconcile.ts';
import type { SettlementLine } from '#server/modules/payments/provider.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { MoneyMoved } from './evidence.ts';

/** `with`: a game, or a provider whose list or file was read. */
export type LeftOver = { readonly with: string; readonly billing_no: string | null; readonly kind: string };

export async function compareAfterwards(
  shop: { db: Db; games: Pick<GamesService, 'gameServer'>; configuration: Pick<Configuration, 'games'> },
  since: Date,
  moved: readonly MoneyMoved[],
): Promise<LeftOver[]> {
  const left: LeftOver[] = [];
  for (const gameId of shop.configuration.games.keys()) {
    const game = shop.games.gameServer(gameId);
    if (!game) continue;
    const found = await reconcileGame(shop.db, game, { gameId: gameId as GameId, since });
    if (found.kind === 'compared')
      left.push(...found.differences.map((one) => ({ with: gameId, billing_no: one.billing_no, kind: one.kind })));
  }
  const outside = moved.filter((one) => one.source !== 'callback');
  for (const provider of new Set(outside.map((one) => one.provider))) {
    const lines = outside.filter((one) => one.provider === provider);
    // A list or file that begins at a moment says nothing of what was before: only what it has is compared.
    for (const date of daysOf(lines)) {
      const found = await reconcileSettlement(shop.db, { provider, date, zone: 'UTC', lines: toLines(lines) });
      for (const one of found.differences)
        if (one.kind !== 'missing_there')
          left.push({ with: provider, billing_no: one.billing_no ?? one.reference, kind: one.kind });
    }
  }
  // A difference is told on each day that knows one side of it.
  return [...new Map(left.map((one) => [`${one.with} ${one.billing_no} ${one.kind}`, one])).values()];
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The days of these lines, each once, and the day after the last: what was adopted stands in the books of today. */
function daysOf(lines: readonly MoneyMoved[]): string[] {
  const days = new Set(lines.map((one) => dayOf(one.at)));
  days.add(dayOf(new Date(Math.max(...lines.map((one) => one.at.getTime())) + DAY_MS)));
  return [...days].toSorted();
}

async function* toLines(moved: readonly MoneyMoved[]): AsyncGenerator<SettlementLine> {
  for (const [index, one] of moved.entries())
    if (one.amountMinor !== null && one.currency !== null)
      yield {
        kind: 'money',
        line: index + 1,
        movement: one.movement,
        reference: one.reference,
        captureRef: one.captureRef,
        amount: { amountMinor: one.amountMinor, currency: one.currency },
        at: one.at.getTime(),
      };
}
