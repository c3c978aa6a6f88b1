// Holds the landing page together: the receiver, the choice, the payment, and the way from one to the next.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Goods } from '#contracts/catalogue.ts';
import { askSwitchAccount } from '#web/features/accounts/login/login.ts';
import { useRefreshGoods } from '#web/features/catalogue/GoodsPart.tsx';
import { rememberGame } from '#web/features/games/memory.ts';
import { openGames, openRoles } from '#web/features/games/open.ts';
import { useGames, useServers } from '#web/features/games/queries.ts';
import type { GameChoice } from '#web/features/games/rules.ts';
import { refOf } from '#web/features/games/use-receiver.ts';
import { changeDraft, type Draft, loadDraft } from '#web/features/orders/unfinished/order-info.ts';
import { dropWish, keepWish, wishToPay } from '#web/features/orders/unfinished/pay-wish.ts';
import { useRefreshUnfinished } from '#web/features/orders/unfinished/refresh.ts';
import {
  chooseChannel,
  restoreChannel,
  useChosenChannel,
  useChosenWay,
} from '#web/features/payments/chosen-channel.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { PayEnd } from '#web/features/payments/paying/pay-order.ts';
import { whenIdle } from '#web/platform/lazy/later.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { setGameLost } from '#web/platform/lost-game.ts';
import { closePopup } from '#web/platform/popups/popups.tsx';
import { currentRegion, keptArea } from '#web/platform/region.ts';
import { useNavigate, useSearch } from '#web/platform/router/Router.tsx';
import type * as deedsOfOrders from './order-deeds.tsx';
import { usePayWish } from './use-pay-wish.ts';
import { draftOf, usePurchase } from './use-purchase.ts';

/** @param deeds what a press on Pay leads to; null before its code is there */
export function useShop(deeds: typeof deedsOfOrders | null) {
  const search = useSearch();
  const navigate = useNavigate();
  const region = currentRegion() ?? '';
  const refresh = useRefreshGoods();
  const refreshUnfinished = useRefreshUnfinished();
  const games = useGames(region);
  const [draft] = useState(loadDraft);
  const [chosen, setChosen] = useState(draft?.goods?.value ?? '');
  const channelKey = useChosenChannel();
  const way = useChosenWay();
  const purchase = usePurchase(search, chosen);
  const { user, receiver, place, channelPlace, parts, order, target, goodsList, closed } = purchase;
  const { goods, game, role } = parts;
  const clientId = place.clientId;

  const areas = useServers(clientId, false).data?.areas ?? [];
  const keep = (next: Goods) =>
    changeDraft({ ...draftOf({ ...parts, goods: next }, region, areas), rechargeKey: channelKey, billing_no: '' });
  // A character that is chosen after the pack belongs to the draft as well.
  const kept = goods ? JSON.stringify(draftOf(parts, region, areas)) : '';
  useEffect(() => {
    if (kept !== '') changeDraft(JSON.parse(kept) as Partial<Draft>);
  }, [kept]);

  const select = (next: Goods) => {
    setChosen(next.value);
    keep(next);
    // Pay was pressed for something else.
    dropWish();
    setChoosing(true);
  };
  const [isChoosing, setChoosing] = useState(false);
  // Never between the press and what it shows.
  useEffect(() => (isChoosing && deeds ? whenIdle(deeds.warmCheckout) : undefined), [isChoosing, deeds]);

  /** Takes another game; server and character belong to the old one. @source specification section 4 */
  const switchGame = (next: GameChoice) => {
    rememberGame(next.client_id);
    setGameLost(false);
    setChosen('');
    dropWish();
    const keys = { client_id: next.client_id, area_id: undefined, server_id: undefined, role_id: undefined };
    const area = keptArea(next.client_id);
    void navigate({ to: '.', search: (before) => ({ ...before, ...keys, ...area }), replace: true });
  };

  const hasGames = (games.data?.list.length ?? 0) > 1 || (games.data?.list ?? []).some(hasEditions);
  const gameList = games.data?.list ?? [];
  const showGames = () => openGames({ games: games.data?.list ?? [], current: clientId, onChoose: switchGame });

  const chooser = useRef(0);
  /** @param isToPay the checkout opens after the choice; without one the press of Pay is given up */
  const chooseRole = (isToPay: boolean) => {
    if (!game) return;
    let isChosen = false;
    chooser.current = openRoles(
      {
        game,
        isAreaRole: receiver.isAreaRole,
        current: role,
        first: { area: search.area_id ?? '', server: search.server_id ?? '' },
        onChoose: (next) => {
          isChosen = true;
          receiver.choose(next);
          if (isToPay) wishToPay();
          // The address named somebody else; a reload must not bring them back.
          const keys = { area_id: undefined, server_id: undefined, role_id: undefined };
          void navigate({ to: '.', search: (before) => ({ ...before, ...keys }), replace: true });
        },
        onOtherGame: hasGames ? showGames : undefined,
        onSwitchAccount: () => void askSwitchAccount(),
      },
      () => {
        if (!isChosen) dropWish();
      },
    );
  };

  const changeReceiver = () => {
    if (receiver.state === 'anonymous') openLogin();
    else if (receiver.state === 'failed') receiver.retry();
    else chooseRole(false);
  };

  const ways: deedsOfOrders.ResultWays = {
    goods: goodsList,
    offerPlace: purchase.offerPlace,
    onSelect: (next) => select(next),
    onTake: (next) => takeOffer(next),
    onPaid: (productId) => {
      // A lit button behind the result would buy the same once more in one press.
      setChosen((now) => (now === productId ? '' : now));
      if (loadDraft()?.goods?.value === productId) changeDraft({ goods: null, rechargeInfo: null, rechargeKey: '' });
    },
    onRecharge: (productId) => {
      setChosen(productId);
      wishToPay();
    },
    onCharacter: (productId) => {
      setChosen(productId);
      chooseRole(true);
    },
    onClosed: () => {
      refresh();
      refreshUnfinished();
    },
  };
  const onEnd = (end: PayEnd, methodName: string, paid: OrderView) => {
    if (end.kind === 'reloadGoods') refresh();
    if (end.kind === 'order') changeDraft({ billing_no: end.billingNo });
    if (end.kind === 'order') deeds?.showPlaced(ways, end, { parts, paid, methodName });
  };
  /** The checkout opens again once the page knows the player. */
  const onLogin = () => {
    if (!goods) return;
    keep(goods);
    keepWish();
  };
  const pay = () => {
    if (!goods) return;
    if (!user) return openLogin(onLogin);
    if (receiver.state === 'failed') receiver.retry();
    payWish.press();
  };
  const payWish = usePayWish({
    state: receiver.state,
    isReady: goods !== null && deeds !== null,
    isClosed: closed !== null,
    onGo: () => {
      if (!goods || !target) return;
      // A character that was made meanwhile has ended the choice by being the only one.
      closePopup(chooser.current);
      deeds?.warmResult();
      deeds?.openCheckout({ order, place: channelPlace, target, goods, onEnd, onLogin });
    },
    onAsk: () => chooseRole(true),
  });
  /** One press to the order, at the price of its offer: another one pays. */
  const takeOffer = (next: Goods) => {
    select(next);
    wishToPay();
  };
  /** Buys the last goods once more: by the channel of the last time, where it is still offered. */
  const payAgain = (next: Goods, lastChannel: string) => {
    select(next);
    chooseChannel(lastChannel);
    wishToPay();
  };

  useEffect(() => {
    if (draft?.rechargeKey) restoreChannel(draft.rechargeKey);
  }, [draft]);
  // Chosen after the pack it is kept as well: a reload of the open sheet brings it back.
  useEffect(() => {
    if (chosen === '' || channelKey === '') return;
    // After a reload the name comes with the list of methods; until then the kept one is true.
    const isKept = way === null && loadDraft()?.rechargeKey === channelKey;
    changeDraft({ rechargeKey: channelKey, ...(!isKept && { rechargeInfo: way }) });
  }, [chosen, channelKey, way]);

  // Back from the provider's page, or a link to an order: shown once, then taken out of the address.
  const shown = useRef('');
  const wanted = search.billing_no ?? '';
  const showWanted = useEffectEvent(() => {
    if (!user) {
      shown.current = wanted;
      deeds?.openStranger(() => openLogin(() => undefined));
      return;
    }
    shown.current = wanted;
    void navigate({ to: '.', search: (before) => ({ ...before, billing_no: undefined }), replace: true }).then(() =>
      deeds?.showReturned(ways, wanted),
    );
  });
  useEffect(() => {
    if (deeds && wanted !== '' && shown.current !== wanted) showWanted();
  }, [deeds, wanted]);

  return {
    user, receiver, place, channelPlace, order, goods, target, onEnd, onLogin, goodsList, hasGames, gameList, switchGame,
    offers: purchase.offers, deals: purchase.deals, takeOffer, roleRef: role && refOf(role), select, changeReceiver, showGames, pay, payAgain, closed,
    showUnfinished: (billingNo: string) => deeds?.showResult(ways, billingNo, { known: null, begun: 'earlier' }),
    isWaited: goods !== null || wanted !== '' || payWish.isWished,
  }; /* a row a line */ // prettier-ignore
}

function hasEditions(game: { sub_game: object }): boolean {
  return Object.keys(game.sub_game).length > 1;
}
