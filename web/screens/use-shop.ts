// What the landing page holds together: who receives, what is chosen, how it is paid, and the way from one to the next.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Goods } from '#contracts/catalogue.ts';
import { askSwitchAccount } from '#web/features/accounts/login.ts';
import { useRefreshGoods } from '#web/features/catalogue/GoodsPart.tsx';
import { useGifts, useGoods } from '#web/features/catalogue/queries.ts';
import { rememberGame } from '#web/features/games/memory.ts';
import { openGames, openRoles } from '#web/features/games/open.ts';
import { useGames } from '#web/features/games/queries.ts';
import type { GameChoice } from '#web/features/games/rules.ts';
import { refOf, useReceiver } from '#web/features/games/use-receiver.ts';
import { openResult, warmResult } from '#web/features/orders/open.ts';
import { loadDraft, saveDraft } from '#web/features/orders/order-info.ts';
import { chooseChannel, useChosenChannel } from '#web/features/payments/chosen-channel.ts';
import { goToPay } from '#web/features/payments/go-to-pay.ts';
import { openRecharge, warmRecharge } from '#web/features/payments/open.ts';
import type { ChannelPlace } from '#web/features/payments/queries.ts';
import { openLogin } from '#web/platform/login.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { useUser } from '#web/platform/session.ts';
import { type OrderParts, viewOrder, viewPlaced } from './order-view.ts';

export function useShop() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const user = useUser();
  const region = currentRegion() ?? '';
  const refresh = useRefreshGoods();
  const games = useGames(region);
  const receiver = useReceiver(region, search, user !== null);
  const { game, role } = receiver;
  const clientId = game?.client_id ?? '';
  const country = useCountry();
  const place = { clientId, region, country };
  const list = useGoods(place);
  const gifts = useGifts(clientId);
  const [draft] = useState(loadDraft);
  const [chosen, setChosen] = useState(draft?.product_id ?? '');
  const goods = list.data?.list.find((one) => one.value === chosen) ?? null;
  const channelKey = useChosenChannel();
  const channelPlace: ChannelPlace = {
    ...place,
    productId: goods?.value ?? '',
    price: goods?.price ?? '',
    currency: goods?.currency ?? '',
  };
  const parts: OrderParts = {
    goods,
    gifts: gifts.data?.list ?? [],
    game,
    role,
  };
  const order = viewOrder(parts);

  const keep = (productId: string, resume: boolean) =>
    saveDraft({ client_id: clientId, product_id: productId, channelKey, resume });

  const select = (next: Goods) => {
    setChosen(next.value);
    keep(next.value, false);
    warmRecharge();
  };

  /** Takes another game; server and character belong to the old one. @source specification section 4 */
  const switchGame = (next: GameChoice) => {
    rememberGame(next.client_id);
    setChosen('');
    const keys = { client_id: next.client_id, area_id: undefined, server_id: undefined, role_id: undefined };
    void navigate({ to: '.', search: (before) => ({ ...before, ...keys }), replace: true });
  };

  const hasGames = (games.data?.list.length ?? 0) > 1 || (games.data?.list ?? []).some(hasEditions);
  const showGames = () => openGames({ games: games.data?.list ?? [], current: clientId, onChoose: switchGame });

  const chooseRole = () => {
    if (!game) return;
    openRoles({
      game,
      isAreaRole: receiver.isAreaRole,
      current: role,
      onChoose: (next) => {
        receiver.choose(next);
        // The address named somebody else; a reload must not bring them back.
        const keys = { area_id: undefined, server_id: undefined, role_id: undefined };
        void navigate({ to: '.', search: (before) => ({ ...before, ...keys }), replace: true });
      },
      onOtherGame: hasGames ? showGames : undefined,
      onSwitchAccount: () => void askSwitchAccount(),
    });
  };

  const changeReceiver = () => {
    if (receiver.state === 'anonymous') openLogin();
    else if (receiver.state === 'failed') receiver.retry();
    else chooseRole();
  };

  const showResult = (billingNo: string, known: Parameters<typeof openResult>[0]['known'] = null) =>
    openResult(
      {
        billingNo,
        known,
        onToPay: goToPay,
        onRecharge: (before) => {
          setChosen(before.product_id);
          setIsPaying(true);
        },
      },
      refresh,
    );

  const pay = () => {
    if (!goods) return;
    if (!user) openLogin(() => keep(goods.value, true));
    else if (!role) chooseRole();
    else {
      warmResult();
      const target = {
        client_id: clientId,
        ...refOf(role),
        area_id: receiver.isAreaRole ? role.area_id : '',
        product_id: goods.value,
        price_minor: goods.price_minor,
        region,
        country,
      };
      openRecharge({
        order,
        place: channelPlace,
        target,
        onEnd: (end, channelName) => {
          if (end.kind === 'reloadGoods') refresh();
          if (end.kind !== 'order') return;
          const known = viewPlaced(end, parts, order, channelName);
          showResult(end.billingNo, known);
        },
      });
    }
  };

  // Wishes from elsewhere (a login that came between, another way to pay) wait until goods and character are there.
  const [isPaying, setIsPaying] = useState(draft?.resume === true && draft.client_id !== '');
  const isReady = goods !== null && role !== null;
  const resume = useEffectEvent(() => {
    setIsPaying(false);
    keep(chosen, false);
    pay();
  });
  useEffect(() => {
    if (isPaying && isReady) resume();
  }, [isPaying, isReady]);
  useEffect(() => {
    if (draft?.channelKey) chooseChannel(draft.channelKey);
  }, [draft]);

  // Back from the provider's page, or a link to an order: shown once, then taken out of the address.
  const shown = useRef('');
  const wanted = search.billing_no ?? '';
  const showWanted = useEffectEvent(() => {
    if (!user) {
      openLogin(() => undefined);
      return;
    }
    shown.current = wanted;
    void navigate({ to: '.', search: (before) => ({ ...before, billing_no: undefined }), replace: true }).then(() =>
      showResult(wanted),
    );
  });
  useEffect(() => {
    if (wanted !== '' && shown.current !== wanted) showWanted();
  }, [wanted]);

  return {
    user, receiver, place, channelPlace, order, goods, hasGames,
    roleRef: role && refOf(role), select, changeReceiver, showGames, pay, showResult,
  }; // prettier-ignore
}

function hasEditions(game: { sub_game: object }): boolean {
  return Object.keys(game.sub_game).length > 1;
}
