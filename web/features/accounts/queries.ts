// Asks the server about the account: which logins there are, which are linked, where it is logged in.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { accountRoutes } from '#contracts/accounts.ts';
import { identityRoutes } from '#contracts/identities.ts';
import { sessionRoutes } from '#contracts/sessions.ts';
import { read } from '#web/platform/calls/query.ts';
import { currentRegion } from '#web/platform/region.ts';
import { BLANK_CONFIG, offeredKinds } from './providers/providers.ts';

/** The kinds to offer: null while they load, none after a failure. */
export function useOfferedKinds(clientId: string) {
  const region = currentRegion() ?? '';
  const { data, isError, refetch } = useQuery({
    queryKey: ['login-config', clientId, region],
    queryFn: ({ signal }) =>
      read(accountRoutes.loginConfig, { client_id: clientId, ...(region ? { domain_area: region } : {}) }, signal),
  });
  const config = data ?? (isError ? BLANK_CONFIG : null);
  return { kinds: config && offeredKinds(config), isFailed: isError && !data, retry: () => void refetch() };
}

const LINKED = 'linked-logins';
const SESSIONS = 'own-sessions';

export function useLinkedLogins(clientId: string) {
  return useQuery({
    queryKey: [LINKED, clientId],
    queryFn: ({ signal }) => read(identityRoutes.list, { client_id: clientId }, signal),
  });
}

export function useOwnSessions() {
  return useQuery({
    queryKey: [SESSIONS],
    queryFn: ({ signal }) => read(sessionRoutes.list, {}, signal),
  });
}

/** Reads both lists of My again: removing a link ends sessions too. */
export function useRefreshAccount(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: [LINKED] });
    void client.invalidateQueries({ queryKey: [SESSIONS] });
  };
}
