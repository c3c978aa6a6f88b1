// Asks the server for the page of a make-up payment.
import { useQuery } from '@tanstack/react-query';
import { type ReplenishInfo, replenishRoutes } from '#contracts/replenish.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';
import { keysOfCall, type ReplenishKeys } from '#web/platform/visitor/replenish-flow.ts';

/** Our choice: while it is paid, or unblocked, it is looked at again every three seconds. */
const LIVE_MS = 3000;
const LIVE: readonly ReplenishInfo['state'][] = ['paying', 'paid'];

export function useReplenish(keys: ReplenishKeys, isLoggedIn: boolean) {
  const language = useLanguage();
  return useQuery({
    queryKey: ['replenish', keys, language],
    queryFn: ({ signal }) => read(replenishRoutes.info, keysOfCall(keys), signal),
    enabled: isLoggedIn,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data && LIVE.includes(state.data.state) ? LIVE_MS : false),
    meta: { isEssential: true },
  });
}

/** The game that the link is about, for whoever is not logged in. */
export function useReplenishGame(keys: ReplenishKeys) {
  const language = useLanguage();
  return useQuery({
    queryKey: ['replenish-game', keys, language],
    queryFn: ({ signal }) => read(replenishRoutes.gameList, keysOfCall(keys), signal),
    select: ({ list }) => list[0] ?? null,
    meta: { isEssential: true },
  });
}

export function useReplenishCountries(id: string) {
  const language = useLanguage();
  return useQuery({
    queryKey: ['replenish-countries', id, language],
    queryFn: ({ signal }) => read(replenishRoutes.countries, { replenish_id: id }, signal),
    enabled: id !== '',
  });
}
