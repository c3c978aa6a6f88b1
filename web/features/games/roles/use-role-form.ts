// Area, server and characters of a game while somebody chooses among them: what the form shows, wherever it stands.
import { useState } from 'react';
import type { RoleItem } from '#contracts/games.ts';
import { useAllRoles, useServerRoles, useServers } from '../queries.ts';
import type { RoleFormProps } from './RoleForm.tsx';

const ALL = { area: '', server: '' };

/** @param first values of area and server that the form begins with; empty is "all" */
export function useRoleForm(
  clientId: string,
  isAreaRole: boolean,
  first: { area: string; server: string } = ALL,
): Omit<RoleFormProps, 'chosen' | 'onChoose'> {
  const [area, setArea] = useState(first.area);
  const [server, setServer] = useState(first.server);
  const servers = useServers(clientId);
  const all = useAllRoles(clientId, true);
  const onServer = useServerRoles(clientId, server, area);
  const roles: readonly RoleItem[] | null = (server ? onServer.data?.list : all.data?.list) ?? null;
  return {
    isAreaRole,
    areas: servers.data?.areas ?? [],
    servers: servers.data?.servers ?? [],
    area,
    server,
    roles: roles && area ? roles.filter((role) => role.area_id === area) : roles,
    isFailed: server ? onServer.isError : all.isError,
    onArea: (next) => {
      setArea(next);
      setServer('');
    },
    onServer: setServer,
  };
}
