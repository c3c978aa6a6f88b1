// The offer of an order: the one that is open for its goods, and whether the player uses it. One for bar, panel, sheet
// and classic page.
import { SECOND_MS } from '#kernel/time.ts';
import { leaveOffer, takeOfferAgain, useOfferChoice } from './choice.ts';
import { offerOf, type OfferPlace, useOffers, useRefreshOffers } from './queries.ts';

/** As with a coupon that was refused: a moment later it is seen what there is. */
const RELOAD_MS = SECOND_MS;

export function useOffer(place: OfferPlace, productId: string) {
  const offer = offerOf(useOffers(place), productId);
  const said = useOfferChoice(offer?.code ?? '');
  const refresh = useRefreshOffers();
  if (!offer) return null;
  return {
    offer,
    isUsed: said === null,
    isOver: said === 'over',
    leave: () => leaveOffer(offer.code, 'left'),
    take: takeOfferAgain,
    refuse: () => {
      leaveOffer(offer.code, 'over');
      setTimeout(refresh, RELOAD_MS);
    },
    refresh,
  };
}
