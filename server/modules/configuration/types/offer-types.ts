// Offers of a game as modules read them, and the run that is open by the calendar of a brand. Pure.
import type { OfferEntry } from '#contracts/game-file.ts';
import type { Currency, Money } from '#kernel/money.ts';
import { type EventWindow, windowsAt } from './game-events-types.ts';

export type FileOffer = {
  readonly id: string;
  readonly file: OfferEntry;
  readonly prices: ReadonlyMap<Currency, Money>;
};

type Amounts = Partial<Record<Currency, string>>;

export function buildOffer(
  file: OfferEntry,
  readAmounts: (amounts: Amounts) => ReadonlyMap<Currency, Money>,
): FileOffer {
  return { id: file.id, file, prices: readAmounts(file.prices) };
}

/** The run of an offer that is open at `now`; an offer ends with its window, there is nothing to receive later. */
export function runOf({ id, file }: FileOffer, timeZone: string, now: number): EventWindow | null {
  return windowsAt({ id, file: { ...file, receiveDays: 0 } }, timeZone, now)[0] ?? null;
}
