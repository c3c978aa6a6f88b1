// What the payments ask the server: the channels for one product in one place.
import { useQuery } from '@tanstack/react-query';
import { paymentRoutes } from '#contracts/payments.ts';
import { isCurrency } from '#kernel/money.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/query.ts';
import { currentPlatform } from './device.ts';
import { useChosenChannel } from './chosen-channel.ts';
import { findOption, listRegions } from './rules.ts';

/** What the channels depend on. `price` is a decimal text in `currency`; an empty `productId` asks for nothing. */
export type ChannelPlace = {
  clientId: string;
  region: string;
  country: string;
  productId: string;
  price: string;
  currency: string;
};

/** Regions with the channels that take this price, ready to be shown. */
export function useChannels(place: ChannelPlace) {
  const language = useLanguage();
  const { clientId, region, country, productId, price, currency } = place;
  const platform = currentPlatform();
  return useQuery({
    queryKey: ['channels', clientId, region, country, productId, language],
    queryFn: ({ signal }) => {
      const fields = { client_id: clientId, product_id: productId, platform };
      const where = { ...(region && { domain_area: region }), ...(country && { country }) };
      return read(paymentRoutes.channels, { ...fields, ...where }, signal);
    },
    enabled: clientId !== '' && productId !== '',
    // The list knows every country; this price is the chosen one's, and what is offered everywhere.
    select: ({ list, country: own }) =>
      isCurrency(currency)
        ? listRegions({ [own]: list[own] ?? [], GLOBAL: list['GLOBAL'] ?? [] }, own, { price, currency, platform })
        : [],
    meta: { isQuiet: true },
  });
}

/** Name of the way to pay that is chosen, as bar and popup show it; empty while none is, or while it does not fit. */
export function useChosenName(place: ChannelPlace): string {
  const chosen = useChosenChannel();
  const found = findOption(useChannels(place).data ?? [], chosen);
  return found?.sub?.name ?? found?.option.name ?? '';
}
