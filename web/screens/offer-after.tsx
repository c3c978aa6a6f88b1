// The offer that a purchase has opened, in its result: features do not know each other, so the screens put it there.
import { type ReactNode, useEffect } from 'react';
import type { Goods } from '#contracts/catalogue.ts';
import { OfferCard } from '#web/features/offers/OfferCard.tsx';
import { type OfferPlace, useOffers, useRefreshOffers } from '#web/features/offers/queries.ts';

type OfferAfterProps = { place: OfferPlace; goods: readonly Goods[]; onTake: (goods: Goods) => void };

/** @param otherwise shown where no offer is open */
function OfferAfter({ place, goods, onTake, otherwise }: OfferAfterProps & { otherwise: ReactNode }) {
  const offers = useOffers(place);
  const refresh = useRefreshOffers();
  // The delivery that this is shown for is what opened it.
  useEffect(refresh, [refresh]);
  const offer = offers.find(({ kind }) => kind !== 'timed');
  const sold = offer && goods.find(({ value }) => value === offer.product_id);
  return offer && sold ? <OfferCard offer={offer} goods={sold} isSecond onTake={() => onTake(sold)} /> : otherwise;
}

/** For the results of the orders: taking the offer closes a popup. */
export function afterSaleOf({ onTake, ...given }: OfferAfterProps) {
  return (otherwise: ReactNode, close: () => void = () => undefined) => (
    <OfferAfter {...given} otherwise={otherwise} onTake={(goods) => (close(), onTake(goods))} />
  );
}
