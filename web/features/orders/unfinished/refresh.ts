// Looks again whether an order is unfinished: after its result was closed, also by the back button.
import { useQueryClient } from '@tanstack/react-query';

/** Of the query in use-unfinished.ts, which is loaded later. */
export const UNFINISHED_KEY = ['unfinished'] as const;

export function useRefreshUnfinished(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: UNFINISHED_KEY });
}
