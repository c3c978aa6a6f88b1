// Asks the server for offers: those that are open now, read again when one of them ends.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Offer, offerRoutes } from '#contracts/offers.ts';
import { SECOND_MS } from '#kernel/time.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';
import { useUser } from '#web/platform/visitor/session.ts';

/** The place of a purchase and its receiver: a held offer is its character's. */
export type OfferPlace = {
  clientId: string;
  region: string;
  country: string;
  serverId?: string;
  areaId?: string;
  roleId?: string;
};

/** `endsAt` is epoch milliseconds of this browser's clock, corrected by the server's; 0 for one without an end. */
export type OpenOffer = Offer & { readonly endsAt: number };

/** Our choice: what a game gave a moment ago is seen within a minute, without a reload. */
const RECHECK_MS = 60 * SECOND_MS;
/** A day: a stranger's offers change by the calendar; and a timer of the browser takes no more than 24.8 days. */
const CALENDAR_MS = 24 * 60 * 60 * SECOND_MS;
/** Our choice: a little after the end, so that the server has it over as well. */
const AFTER_END_MS = 500;

type Answer = { now: number; list: Offer[] };

/** The end of each by this browser's clock: what the server has left, from when its answer came. */
function correct({ now, list }: Answer, answeredAt: number): OpenOffer[] {
  return list.map((offer) => ({ ...offer, endsAt: offer.ends_at === 0 ? 0 : offer.ends_at - now + answeredAt }));
}

export function useOffers(place: OfferPlace): readonly OpenOffer[] {
  const language = useLanguage();
  const user = useUser();
  const boot = readBoot();
  const { clientId, region, country, serverId = '', areaId = '', roleId = '' } = place;
  const isLanding =
    clientId === boot.clientId &&
    region === (boot.region ?? '') &&
    country === boot.country &&
    language === boot.language &&
    (user?.suid ?? '') === (boot.user?.suid ?? '');
  const query = useQuery({
    queryKey: ['offers', user?.suid ?? '', language, clientId, region, country, serverId, areaId, roleId],
    queryFn: async ({ signal }) => {
      const answer = await read(
        offerRoutes.list,
        {
          client_id: clientId,
          ...(region && { domain_area: region }),
          ...(country && { country }),
          ...(serverId && { server_id: serverId }),
          ...(areaId && { areaId }),
          ...(roleId && { role_id: roleId }),
        },
        signal,
      );
      return correct(answer, Date.now());
    },
    enabled: clientId !== '',
    // The page was asked for when its time began: its first offers are as old at the most.
    ...(isLanding && boot.offers ? { initialData: () => correct(boot.offers as Answer, performance.timeOrigin) } : {}),
    placeholderData: (previous, before) => (before?.queryKey[3] === clientId ? previous : undefined),
    refetchInterval: ({ state }) => {
      const ends = (state.data ?? []).flatMap(({ endsAt }) => (endsAt > 0 ? [endsAt] : []));
      const next = Math.min(...ends) - Date.now() + AFTER_END_MS;
      const recheck = user ? RECHECK_MS : ends.length > 0 ? CALENDAR_MS : Number.POSITIVE_INFINITY;
      const wait = Math.min(Math.max(next, SECOND_MS), recheck);
      return Number.isFinite(wait) ? wait : false;
    },
    refetchOnWindowFocus: user ? 'always' : false,
    meta: { isPolled: true },
  });
  return query.data ?? NONE;
}

const NONE: readonly OpenOffer[] = [];

/** Reads them again: something was bought, or an offer was refused. */
export function useRefreshOffers(): () => void {
  const queries = useQueryClient();
  return useCallback(() => void queries.invalidateQueries({ queryKey: ['offers'] }), [queries]);
}

/** The open offer of one product. */
export function offerOf(offers: readonly OpenOffer[], productId: string): OpenOffer | null {
  return offers.find((offer) => offer.product_id === productId) ?? null;
}
