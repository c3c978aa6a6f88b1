// Asks the server for My data.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { privacyRoutes } from '#contracts/privacy.ts';
import { read } from '#web/platform/calls/query.ts';
import { useLanguage } from '#web/platform/i18n.ts';

const STATE = 'privacy-state';

export function usePrivacy() {
  const language = useLanguage();
  return useQuery({
    queryKey: [STATE, language],
    queryFn: ({ signal }) => read(privacyRoutes.state, {}, signal),
  });
}

export function useRefreshPrivacy(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: [STATE] });
}

/** Reads the outcome of a wish, by its number. */
export function useErasure(erasureNo: string) {
  return useQuery({
    queryKey: ['erasure', erasureNo],
    queryFn: ({ signal }) => read(privacyRoutes.erasure, { erasure_no: erasureNo }, signal),
  });
}
