// Asks the server for the outcome of the real-name check.
import { useQuery } from '@tanstack/react-query';
import { realNameRoutes } from '#contracts/realname.ts';
import { clientOfPage } from '#web/platform/visitor/page-client.ts';
import { read } from '#web/platform/calls/query.ts';
import { useUser } from '#web/platform/visitor/session.ts';

export function useRealNameState() {
  const user = useUser();
  return useQuery({
    queryKey: ['realName', user?.suid ?? ''],
    queryFn: ({ signal }) => read(realNameRoutes.state, { client_id: clientOfPage() }, signal),
    enabled: user !== null,
    // The page says itself that it did not work.
    meta: { isQuiet: true },
  });
}
