// Area, server and characters of a game while somebody chooses among them: what the form shows, wherever it stands.
import { useState } from 'react';
import type { RoleItem } from '#contracts/games.ts';
import { useAllRoles, useServerRoles, useServers } from '../queries.ts';
import { findServer } from '../rules.ts';
import type { RoleFormProps } from './RoleForm.tsx';

/** Our choice: as many as a phone shows without scrolling, half of them on a small one. */
const MAX_FEW = 6;

const ALL = { area: '', server: '' };

/**
 * @param first area and server that the form begins with, as the address or the draft names them: a server with or
 * without its "s"; empty, what the game does not have, or where the player has nobody, is "all"
 */
export function useRoleForm(
  clientId: string,
  isAreaRole: boolean,
  first: { area: string; server: string } = ALL,
): Omit<RoleFormProps, 'gameName' | 'chosen' | 'onChoose'> {
  const servers = useServers(clientId);
  const areas = servers.data?.areas ?? [];
  const [chosen, setChosen] = useState<typeof ALL | null>(null);
  const all = useAllRoles(clientId, true);
  const named = findServer(servers.data?.servers ?? [], first.server)?.value ?? '';
  // A server without a character of the player would be a form with nothing to choose.
  const isEmptyThere = all.data !== undefined && !all.data.list.some(({ server_id }) => server_id === named);
  const begun = {
    area: areas.find(({ value }) => isAreaRole && value === first.area)?.value ?? '',
    server: isEmptyThere ? '' : named,
  };
  const { area, server } = chosen ?? begun;
  const onServer = useServerRoles(clientId, server, area);
  const roles: readonly RoleItem[] | null = (server ? onServer.data?.list : all.data?.list) ?? null;
  return {
    isAreaRole,
    areas,
    servers: servers.data?.servers ?? [],
    area,
    server,
    roles: roles && area ? roles.filter((role) => role.area_id === area) : roles,
    // While they load as well: few players have more, and a list that moves is pressed wrong.
    hasFew: (all.data?.list.length ?? 0) <= MAX_FEW,
    isFailed: server ? onServer.isError : all.isError,
    hasNone: all.data?.list.length === 0,
    onRetry: () => void (server && onServer.isError ? onServer : all).refetch(),
    isRetrying: all.isFetching || onServer.isFetching,
    onArea: (next) => setChosen({ area: next, server: '' }),
    onServer: (next) => setChosen({ area, server: next }),
  };
}
