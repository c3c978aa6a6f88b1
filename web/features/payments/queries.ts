// Asks the server for the channels for one product in one place.
import { useQuery } from '@tanstack/react-query';
import { paymentRoutes } from '#contracts/payments.ts';
import { isCurrency } from '#kernel/money.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';
import { currentPlatform } from '#web/platform/device.ts';
import { listRegions } from './rules.ts';

/** The channels depend on these. `price` is a decimal text in `currency`; an empty `productId` asks for nothing. */
export type ChannelPlace = {
  clientId: string;
  region: string;
  country: string;
  productId: string;
  price: string;
  currency: string;
  /** A make-up payment in place of goods; `productId` is its number as well. */
  replenishId?: string;
};

/** Channels that take this price by region, and the methods that they are routes of. */
export function useChannels(place: ChannelPlace) {
  const language = useLanguage();
  const { clientId, region, country, productId, price, currency, replenishId } = place;
  const platform = currentPlatform();
  return useQuery({
    queryKey: ['channels', clientId, region, country, productId, language],
    queryFn: ({ signal }) => {
      const fields = { client_id: clientId, product_id: productId, platform };
      const where = { ...(region && { domain_area: region }), ...(country && { country }) };
      const instead = replenishId ? { replenish_id: replenishId } : {};
      return read(paymentRoutes.channels, { ...fields, ...where, ...instead }, signal);
    },
    enabled: clientId !== '' && productId !== '',
    // The list knows every country; this price is the chosen one's, and what is offered everywhere.
    select: ({ list, methods, country: own }) => ({
      country: own,
      methods,
      regions: isCurrency(currency)
        ? listRegions({ [own]: list[own] ?? [], GLOBAL: list['GLOBAL'] ?? [] }, own, { price, currency, platform })
        : [],
    }),
    meta: { isQuiet: true },
  });
}
