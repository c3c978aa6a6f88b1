// Puts together the goods, their receiver and the place from the server's lists: the same for the page of both
// versions.
import { useMemo } from 'react';
import type { Goods } from '#contracts/catalogue.ts';
import type { Pair } from '#contracts/envelope.ts';
import type { RoleItem } from '#contracts/games.ts';
import { useFirstBonuses, useGifts, useGoods, useLimits } from '#web/features/catalogue/queries.ts';
import { canBuy, nextBest, readLimit } from '#web/features/catalogue/rules.ts';
import { useNow } from '#web/features/catalogue/use-now.ts';
import { useOffers } from '#web/features/offers/queries.ts';
import { refOf, useReceiver, type Wanted } from '#web/features/games/use-receiver.ts';
import { type Draft, NO_ROLE } from '#web/features/orders/unfinished/order-info.ts';
import type { PayTarget } from '#web/features/payments/paying/pay-order.ts';
import type { ChannelPlace } from '#web/features/payments/queries.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { type OrderParts, viewOrder } from './order-view.ts';

const NO_GOODS: readonly Goods[] = [];

/**
 * @param wanted what the address, or the draft, says of game and character
 * @param productId of the chosen goods, empty for none
 */
export function usePurchase(wanted: Wanted, productId: string) {
  const country = useCountry();
  const user = useUser();
  const region = currentRegion() ?? '';
  const receiver = useReceiver(region, wanted, user !== null);
  const { game, role } = receiver;
  const clientId = game?.client_id ?? '';
  const place = { clientId, region, country };
  const list = useGoods(place);
  const gifts = useGifts(clientId);
  const choice = list.data?.list.find((one) => one.value === productId) ?? null;
  const closed = useClosed(clientId, role, choice, list.data?.list ?? []);
  // Goods that cannot be bought now are not chosen, whatever was pressed or kept before.
  const goods = closed ? null : choice;
  const channelPlace: ChannelPlace = {
    ...place,
    productId: goods?.value ?? '',
    price: goods?.price ?? '',
    currency: goods?.currency ?? '',
  };
  const firsts = useFirstBonuses(clientId, role && refOf(role), list.data?.list ?? NO_GOODS);
  const hasFirst = goods !== null && firsts?.has(goods.value) === true;
  const parts: OrderParts = {
    goods,
    first: (hasFirst && goods.first) || null,
    gifts: gifts.data?.list ?? [],
    game,
    role,
  };
  /** The pay call needs this; null while goods or character are missing. */
  const target: PayTarget | null = goods &&
    role && {
      client_id: clientId,
      ...refOf(role),
      area_id: receiver.isAreaRole ? role.area_id : '',
      product_id: goods.value,
      price_minor: goods.price_minor,
      ...(hasFirst && { first_bonus: '1' }),
      region,
      country,
    };
  const order = viewOrder(parts);
  const who = role && { serverId: role.server_id, areaId: receiver.isAreaRole ? role.area_id : '', roleId: role.value };
  const offerPlace = { ...place, ...who };
  const offers = useOffers(offerPlace);
  // The cards are remembered by what they are given.
  const deals = useMemo(() => new Map(offers.map((offer) => [offer.product_id, offer])), [offers]);
  return {
    offerPlace,
    offers,
    deals,
    user,
    receiver,
    place,
    channelPlace,
    parts,
    goodsList: list.data?.list ?? NO_GOODS,
    order,
    target,
    closed,
    isLoading: list.isPending,
  };
}

/** Returns the limit that closes the choice, with goods to offer in its place; null while it can be bought. */
function useClosed(clientId: string, role: RoleItem | null, choice: Goods | null, list: readonly Goods[]) {
  const limits = useLimits(clientId, role && refOf(role)).data?.list ?? [];
  const now = useNow(limits.some((one) => one.next_pay_time > 0));
  const limitOf = new Map(limits.map((one) => [one.product_id, readLimit(one, now)]));
  const limit = choice && limitOf.get(choice.value);
  if (!choice || !limit || canBuy(limit)) return null;
  return { goods: choice, limit, next: nextBest(list, choice, limitOf) };
}

/**
 * The parts of an order as the draft keeps them; what is not chosen is dropped from it.
 * @param areas names of the game's areas, where they are known: else one is called by its id
 */
export function draftOf(
  { game, goods, role }: OrderParts,
  region: string,
  areas: readonly Pair[] = [],
): Partial<Draft> {
  const receiver = role && {
    role: { display: role.display, value: role.value },
    server: { display: role.server_name, value: role.server_id },
    realServer: role.server_id,
    area:
      role.area_id === ''
        ? null
        : (areas.find(({ value }) => value === role.area_id) ?? { display: role.area_id, value: role.area_id }),
  };
  return {
    region,
    ...(game && { gameName: game.name, clientId: game.client_id, gameProductId: game.gp_id }),
    goods: goods && { display: goods.display, value: goods.value, price: goods.price },
    ...NO_ROLE,
    ...receiver,
  };
}
