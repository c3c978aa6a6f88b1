// Asks the server about events, and receives a reward.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ActivityType, eventRoutes } from '#contracts/events.ts';
import { call } from '#web/platform/calls/api.ts';
import { change } from '#web/platform/calls/change.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { CallError, read } from '#web/platform/calls/query.ts';
import { react } from '#web/platform/calls/reactions.ts';
import { showToast } from '#web/platform/toast.ts';

export type EventPlace = { clientId: string; region: string; country: string };

/** The receiving character, as the game names it. */
export type RewardReceiver = { role_id: string; server_id: string; area_id: string };

/** Our choice: a reward on its way is looked at again every three seconds; most games have it in one. */
const LIVE_MS = 3000;

export const placeKeys = ({ clientId, region, country }: EventPlace) => ({
  client_id: clientId,
  ...(region && { domain_area: region }),
  ...(country && { country }),
});

/** The open events of one kind; read again while a reward is on its way. */
export function useActivities(type: ActivityType, place: EventPlace, isLoggedIn: boolean) {
  const language = useLanguage();
  return useQuery({
    queryKey: ['events', type, place, isLoggedIn, language],
    queryFn: ({ signal }) => read(eventRoutes.info, { type, ...placeKeys(place) }, signal),
    enabled: place.clientId !== '',
    // Money may have come or gone since.
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => {
      const gifts = state.data?.list.flatMap((one) => one.gifts) ?? [];
      return gifts.some(({ delivery }) => delivery === 'on_its_way') ? LIVE_MS : false;
    },
    meta: { isQuiet: true },
  });
}

/** Returns true when there is no such event any more: nothing to retry. */
export function isEventGone(error: unknown): boolean {
  return error instanceof CallError && error.outcome.kind === 'code' && error.outcome.name === 'noActivity';
}

/** Stands for every step that can be received. */
export const ALL = 'all';

/** Receives one step, or "all", for a character; one press at a time. `busy` is the step that is under way. */
export function useReceive(type: ActivityType, place: EventPlace) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const receive = async (activityId: string, giftId: string, { role_id, server_id, area_id }: RewardReceiver) => {
    if (busy !== null) return;
    setBusy(`${activityId} ${giftId}`);
    // A step that was received answers so again; of all of them nothing would be left to receive.
    const send = giftId === ALL ? call : change;
    const outcome = await send(eventRoutes.receive, {
      ...placeKeys(place),
      type,
      activity_id: activityId,
      gift_id: giftId,
      server_id,
      role_id,
      ...(area_id && { areaId: area_id }),
    });
    if (outcome.kind === 'ok') showToast(t('events.receive_done'), 'ok');
    // @source specification section 8: "claim or receive failed", in the server's words
    else react(outcome);
    await client.invalidateQueries({ queryKey: ['events'] });
    setBusy(null);
  };
  return { busy, receive };
}
