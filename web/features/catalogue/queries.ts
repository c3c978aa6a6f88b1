// What the catalogue asks the server. The first answer of the landing page came inside the HTML.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { catalogueRoutes } from '#contracts/catalogue.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';

/** Where one buys: game, payment region, and the chosen country or an empty text for the assumed one. */
export type Place = { clientId: string; region: string; country: string };

/** Place as the server reads it; an empty text means "not said". */
function placeFields({ clientId, region, country }: Place) {
  return { client_id: clientId, ...(region && { domain_area: region }), ...(country && { country }) };
}

/**
 * Goods with the prices of the place. Shows the last ones while another country loads, so that the page stands still.
 */
export function useGoods(place: Place) {
  const language = useLanguage();
  const { clientId, region, country } = place;
  const boot = readBoot();
  const isLanding =
    clientId === boot.clientId &&
    region === (boot.region ?? '') &&
    country === boot.country &&
    language === boot.language;
  return useQuery({
    queryKey: ['goods', clientId, region, country, language],
    queryFn: ({ signal }) => read(catalogueRoutes.goods, placeFields(place), signal),
    enabled: clientId !== '',
    ...(isLanding && boot.goods ? { initialData: boot.goods } : {}),
    placeholderData: (previous, query) => (query?.queryKey[1] === clientId ? keepPreviousData(previous) : undefined),
    meta: { isQuiet: true },
  });
}

export function useGifts(clientId: string) {
  const language = useLanguage();
  const boot = readBoot();
  return useQuery({
    queryKey: ['gifts', clientId, language],
    queryFn: ({ signal }) => read(catalogueRoutes.gifts, { client_id: clientId }, signal),
    enabled: clientId !== '',
    ...(clientId === boot.clientId && language === boot.language && boot.gifts ? { initialData: boot.gifts } : {}),
    meta: { isQuiet: true },
  });
}

/** What is left for one character; asked again after every purchase. */
export function useLimits(clientId: string, role: { role_id: string; server_id: string; area_id: string } | null) {
  return useQuery({
    queryKey: ['limits', clientId, role],
    queryFn: ({ signal }) =>
      read(catalogueRoutes.limits, { client_id: clientId, ...(role ?? { role_id: '', server_id: '' }) }, signal),
    enabled: clientId !== '' && role !== null,
    meta: { isQuiet: true },
  });
}
