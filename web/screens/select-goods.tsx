// The landing page: who receives, the goods, and the order beside or below them.
import { lazy, Suspense, useEffect } from 'react';
import { GoodsPart } from '#web/features/catalogue/GoodsPart.tsx';
import { ReceiverCard } from '#web/features/games/ReceiverCard.tsx';
import { DockSlot } from '#web/features/layout/Dock.tsx';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { OrderPanel } from '#web/features/payments/OrderPanel.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { createLater, whenIdle } from '#web/platform/later.ts';
import styles from './select-goods.module.css';
import { useShop } from './use-shop.ts';

const NoGame = lazy(() => import('#web/features/games/NoGame.tsx').then((module) => ({ default: module.NoGame })));
const chosenOrder = createLater(() => import('#web/features/payments/ChosenOrder.tsx'));
const again = createLater(() => import('#web/features/catalogue/again/Again.tsx'));
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
  // In the boot data, so that the room for it is there from the first picture.
  const before = isLoggedIn && shop.place.clientId === readBoot().clientId ? readBoot().returning : null;
  const hasBefore = before !== null;
  useEffect(() => {
    if (hasBefore) again.warm();
  }, [hasBefore]);
  const part = again.useModule();
  const parts = chosenOrder.useModule();
  const note = unfinishedNote.useModule();
  const chosen = parts &&
    order.product && {
      product: <parts.ProductBlock product={order.product} />,
      payment: <parts.PanelPayment order={order} place={channelPlace} onPay={shop.pay} />,
    };
  if (receiver.isGameMissing)
    return (
      <ShopPage isPlain>
        <Suspense>
          <NoGame games={shop.games} onChoose={shop.switchGame} />
        </Suspense>
      </ShopPage>
    );
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
      {before && (
        <div className={styles.again}>
          {part && (
            <part.Again
              before={before}
              clientId={shop.place.clientId}
              role={shop.roleRef}
              goods={shop.list}
              shelves={shop.shelves}
              onPay={(goods) => shop.payAgain(goods, before.channel_key)}
            />
          )}
        </div>
      )}
      {isLoggedIn && note && <note.UnfinishedNote onShow={shop.showResult} />}
      <GoodsPart
        place={shop.place}
        role={shop.roleRef}
        selected={shop.goods?.value ?? null}
        onSelect={shop.select}
        onCountry={shop.setCountry}
      />
      <DockSlot>{parts && <parts.OrderBar order={order} place={channelPlace} onPay={shop.pay} />}</DockSlot>
    </ShopPage>
  );
}
