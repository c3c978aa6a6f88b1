// Asks the server about games. The list, the page's settings and the servers of the landing came inside the HTML.
import { useQuery } from '@tanstack/react-query';
import { gameRoutes } from '#contracts/games.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';
import { currentCountry } from '#web/platform/region.ts';

const inRegion = (region: string) => (region ? { domain_area: region } : {});

/**
 * The games of the brand, with the client ids of the first list: those of the device, or as
 * the first address named one.
 */
export function useGames(region: string) {
  const language = useLanguage();
  const boot = readBoot();
  const { clientId, platform } = boot;
  const isLanding = region === (boot.region ?? '') && language === boot.language;
  return useQuery({
    queryKey: ['games', region, language],
    queryFn: ({ signal }) => {
      const country = currentCountry();
      const who = { ...(clientId && { client_id: clientId }), ...(platform && { platform }) };
      return read(gameRoutes.list, { ...who, ...inRegion(region), ...(country && { country }) }, signal);
    },
    ...(isLanding ? { initialData: { list: boot.games } } : {}),
    meta: { isEssential: true },
  });
}

export function usePageConfig(clientId: string, region: string) {
  const boot = readBoot();
  const isLanding = clientId === boot.clientId && region === (boot.region ?? '');
  return useQuery({
    queryKey: ['page-config', clientId, region],
    queryFn: ({ signal }) => read(gameRoutes.pageConfig, { client_id: clientId, ...inRegion(region) }, signal),
    enabled: clientId !== '',
    ...(isLanding && boot.pageConfig ? { initialData: boot.pageConfig } : {}),
  });
}

/** @param isAsked false: what another place has read already, or nothing */
export function useServers(clientId: string, isAsked = true) {
  const boot = readBoot();
  return useQuery({
    queryKey: ['servers', clientId],
    queryFn: ({ signal }) => read(gameRoutes.servers, { client_id: clientId }, signal),
    enabled: isAsked && clientId !== '',
    ...(clientId === boot.clientId && boot.servers ? { initialData: boot.servers } : {}),
  });
}

/** The player's characters on every server of a game. */
export function useAllRoles(clientId: string, isLoggedIn: boolean) {
  return useQuery({
    queryKey: ['roles', clientId],
    queryFn: ({ signal }) => read(gameRoutes.allRoles, { client_id: clientId }, signal),
    enabled: isLoggedIn && clientId !== '',
    // Back from the game, where the first one was made.
    refetchOnWindowFocus: ({ state }) => (state.data?.list.length === 0 ? 'always' : false),
  });
}

/** The player's characters on one server, asked afresh: somebody may have made one a minute ago. */
export function useServerRoles(clientId: string, serverId: string, areaId: string) {
  return useQuery({
    queryKey: ['roles', clientId, serverId, areaId],
    queryFn: ({ signal }) =>
      read(gameRoutes.roles, { client_id: clientId, server_id: serverId, ...(areaId && { area_id: areaId }) }, signal),
    enabled: serverId !== '',
    staleTime: 0,
  });
}
