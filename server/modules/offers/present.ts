// Offers in the wire's own shape, and as the database reads those of files.
import type { Offer } from '#contracts/offers.ts';
import { money, type Money, toDecimal } from '#kernel/money.ts';
import {
  type Display,
  type EventWindow,
  type FileOffer,
  type Game,
  isEndless,
} from '#server/modules/configuration/service.ts';
import { percentOff, runCodeOf } from './rules.ts';
import type { OfferRun, OpenOfferRow } from './store.ts';

/** The same number that the schema gives as the default. */
const TIMES = 1;

export function toRun(game: Game, { file, prices }: FileOffer, window: EventWindow): OfferRun {
  return {
    run: runCodeOf(game.id, window.key),
    times: file.times ?? TIMES,
    game_id: game.id,
    product_id: file.product,
    name: file.name,
    prices: Object.fromEntries([...prices].map(([currency, { amountMinor }]) => [currency, amountMinor])),
    valid_from: new Date(window.startsAt).toISOString(),
    valid_end: new Date(window.endsAt).toISOString(),
    after: file.after ? { products: file.after.products ?? [], minutes: file.after.minutes } : null,
  };
}

/** @param was the price without the offer */
export function toOffer(kind: Offer['kind'], row: OpenOfferRow, was: Money, display: Display): Offer {
  const price = money(row.price_minor, was.currency);
  return {
    code: row.code,
    kind,
    name: display.text(row.name),
    product_id: row.product_id,
    price: toDecimal(price),
    price_minor: price.amountMinor,
    price_shown: display.money(price),
    currency: was.currency,
    was_shown: display.money(was),
    off_percent: percentOff(price.amountMinor, was.amountMinor),
    ends_at: isEndless(row.valid_end.getTime()) ? 0 : row.valid_end.getTime(),
  };
}

/** One a product, the cheapest; personal ones first, then what a purchase opened, then what ends soonest. */
export function bestOffers(offers: readonly Offer[]): Offer[] {
  const ranks: Record<Offer['kind'], number> = { personal: 0, after: 1, timed: 2 };
  const endOf = ({ ends_at: end }: Offer) => end || Number.POSITIVE_INFINITY;
  const best = new Map<string, Offer>();
  for (const offer of offers) {
    const known = best.get(offer.product_id);
    if (!known || offer.price_minor < known.price_minor) best.set(offer.product_id, offer);
  }
  return [...best.values()].toSorted((a, b) => ranks[a.kind] - ranks[b.kind] || endOf(a) - endOf(b));
}
