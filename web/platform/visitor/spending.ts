// Reads the player's spending limits, for every part that shows them: the checkout, My, and the question for the age.
import { useQuery } from '@tanstack/react-query';
import { type SpendingState, spendingRoutes } from '#contracts/spending.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { useUser } from './session.ts';
import { loadText } from './storage.ts';

/** The place of a purchase. */
export type Market = { domain_area?: string; country?: string };

/** The market that caps are shown and set in. */
export function spendingPlace(): Market {
  const region = currentRegion();
  const country = loadText('country') || readBoot().country;
  return { ...(region && { domain_area: region }), ...(country && { country }) };
}

/**
 * @param market that of the page unless given: a make-up payment may be paid from another country
 * @returns `data` is undefined while nobody is logged in
 */
export function useSpending(market?: Market): {
  data: SpendingState | undefined;
  isError: boolean;
  refetch: () => unknown;
} {
  const user = useUser();
  const language = useLanguage();
  // Drawn again when the page's country changes.
  useCountry();
  const here = market ?? spendingPlace();
  return useQuery({
    queryKey: ['spending', user?.suid ?? '', here.domain_area ?? '', here.country ?? '', language],
    queryFn: ({ signal }) => read(spendingRoutes.state, here, signal),
    enabled: user !== null,
  });
}
