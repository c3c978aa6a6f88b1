// Asks the server about the catalogue. The first answer of the landing page came inside the HTML.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { catalogueRoutes, type Goods } from '#contracts/catalogue.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';
import { useUser } from '#web/platform/visitor/session.ts';

/** The place of a purchase: game, payment region, and the chosen country or an empty text for the assumed one. */
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
  });
}

const NO_PRODUCTS: ReadonlySet<string> = new Set();

/**
 * Goods whose first-purchase bonus the player can have, of those that have one. Everybody is shown it until they log
 * in; then it waits for the answer (null), so that none is promised and taken away.
 */
export function useFirstBonuses(
  clientId: string,
  role: { role_id: string; server_id: string; area_id: string } | null,
  goods: readonly Goods[],
): ReadonlySet<string> | null {
  const user = useUser();
  const offered = goods.filter(({ first }) => first !== undefined).map(({ value }) => value);
  const hasAny = offered.length > 0;
  const known = useQuery({
    queryKey: ['first-bonus', user?.suid ?? '', clientId, role],
    queryFn: ({ signal }) => read(catalogueRoutes.firstBonus, { client_id: clientId, ...role }, signal),
    enabled: clientId !== '' && user !== null && hasAny,
  });
  const names = user ? (known.data ? offered.filter((id) => !known.data.used.includes(id)) : []) : offered;
  const key = names.join(' ');
  const isWaiting = user !== null && hasAny && !known.data;
  // Remembered, because the cards are drawn anew by what they are given.
  return useMemo(() => {
    if (isWaiting) return null;
    return key === '' ? NO_PRODUCTS : new Set(key.split(' '));
  }, [key, isWaiting]);
}

/** Reads the rest of one character's limits; asked again after every purchase. */
export function useLimits(clientId: string, role: { role_id: string; server_id: string; area_id: string } | null) {
  return useQuery({
    queryKey: ['limits', clientId, role],
    queryFn: ({ signal }) =>
      read(catalogueRoutes.limits, { client_id: clientId, ...(role ?? { role_id: '', server_id: '' }) }, signal),
    enabled: clientId !== '' && role !== null,
  });
}
