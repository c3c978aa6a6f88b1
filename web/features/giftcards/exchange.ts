// Asks the server for the gift tab: the value of a card, turning it into its goods, and the cards used before.
import { useQuery } from '@tanstack/react-query';
import { type CardWorth, giftCardRoutes } from '#contracts/giftcards.ts';
import type { PayResult } from '#contracts/payments.ts';
import { currentPlatform } from '#web/platform/device.ts';
import { call, newKey, type Outcome } from '#web/platform/calls/api.ts';
import { change } from '#web/platform/calls/change.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { isSettled } from '#web/platform/calls/settled.ts';

/** The player's place; `kind` is the channel that takes cards of this kind. */
export type GiftPlace = { clientId: string; region: string; country: string; kind: string };

/** The receiver, as the game names it, and as the player reads it. `area_id` is empty where there are no areas. */
export type GiftReceiver = { role_id: string; server_id: string; area_id: string; name: string };

const where = ({ region, country }: GiftPlace) => ({
  ...(region && { domain_area: region }),
  ...(country && { country }),
});

/** @param receiver an offer that an unpaid order holds is open for its own character alone */
export function checkCard(
  cardInfo: string,
  place: GiftPlace,
  receiver: GiftReceiver | null,
): Promise<Outcome<CardWorth>> {
  const { clientId, kind } = place;
  return call(giftCardRoutes.check, {
    client_id: clientId,
    card_info: cardInfo,
    pay_id: kind,
    ...where(place),
    ...(receiver && { server_id: receiver.server_id, role_id: receiver.role_id }),
    ...(receiver?.area_id && { areaId: receiver.area_id }),
  });
}

let last: { fingerprint: string; key: string } | null = null;

/** A press that is repeated after a lost answer carries the same key, and finds what the first one did. */
export async function confirmCard(
  cardInfo: string,
  place: GiftPlace,
  { role_id, server_id, area_id }: GiftReceiver,
): Promise<Outcome<PayResult>> {
  const fields = {
    client_id: place.clientId,
    card_info: cardInfo,
    pay_id: place.kind,
    server_id,
    role_id,
    ...(area_id && { areaId: area_id }),
    platform: currentPlatform(),
    ...where(place),
  };
  const fingerprint = JSON.stringify(fields);
  last = last?.fingerprint === fingerprint ? last : { fingerprint, key: newKey() };
  const outcome = await change(giftCardRoutes.confirm, fields, { idempotencyKey: last.key });
  if (isSettled(outcome)) last = null;
  return outcome;
}

export function useSpentCards() {
  const language = useLanguage();
  const user = useUser();
  return useQuery({
    queryKey: ['spent-cards', user?.suid ?? '', language],
    queryFn: ({ signal }) => read(giftCardRoutes.history, {}, signal),
    staleTime: 0,
  });
}
