// The landing page: who receives, the goods, and the order beside or below them.
import { useEffect } from 'react';
import { GoodsPart } from '#web/features/catalogue/GoodsPart.tsx';
import { ReceiverCard } from '#web/features/games/ReceiverCard.tsx';
import { DockSlot } from '#web/features/layout/Dock.tsx';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { OrderPanel } from '#web/features/payments/OrderPanel.tsx';
import { createLater, whenIdle } from '#web/platform/later.ts';
import styles from './select-goods.module.css';
import { useShop } from './use-shop.ts';

const chosenOrder = createLater(() => import('#web/features/payments/ChosenOrder.tsx'));
const unfinishedNote = createLater(() => import('#web/features/orders/UnfinishedNote.tsx'));

export function SelectGoods() {
  const shop = useShop();
  const { receiver, order, channelPlace } = shop;
  const isLoggedIn = shop.user !== null;
  const hasGoods = shop.goods !== null;
  useEffect(() => whenIdle(chosenOrder.warm), []);
  useEffect(() => {
    if (hasGoods) chosenOrder.warm();
  }, [hasGoods]);
  useEffect(() => (isLoggedIn ? whenIdle(unfinishedNote.warm) : undefined), [isLoggedIn]);
  const parts = chosenOrder.useModule();
  const note = unfinishedNote.useModule();
  const chosen = parts &&
    order.product && {
      product: <parts.ProductBlock product={order.product} />,
      payment: <parts.PanelPayment order={order} place={channelPlace} onPay={shop.pay} />,
    };
  return (
    <ShopPage side={<OrderPanel order={order} chosen={chosen} />}>
      <div className={styles.receiver}>
        <ReceiverCard
          game={receiver.game}
          role={receiver.role}
          state={receiver.state}
          onChange={shop.changeReceiver}
          onOtherGame={shop.hasGames ? shop.showGames : undefined}
        />
      </div>
      {isLoggedIn && note && <note.UnfinishedNote onShow={shop.showResult} />}
      <GoodsPart place={shop.place} role={shop.roleRef} selected={shop.goods?.value ?? null} onSelect={shop.select} />
      <DockSlot>{parts && <parts.OrderBar order={order} place={channelPlace} onPay={shop.pay} />}</DockSlot>
    </ShopPage>
  );
}
