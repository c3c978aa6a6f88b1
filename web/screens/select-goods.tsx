// The landing page: who receives, the goods, and the order beside or below them.
import { GoodsPart } from '#web/features/catalogue/GoodsPart.tsx';
import { ReceiverCard } from '#web/features/games/ReceiverCard.tsx';
import { DockSlot } from '#web/features/layout/Dock.tsx';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { UnfinishedNote } from '#web/features/orders/UnfinishedNote.tsx';
import { useUnfinished } from '#web/features/orders/use-unfinished.ts';
import { Channels } from '#web/features/payments/Channels.tsx';
import { OrderBar } from '#web/features/payments/OrderBar.tsx';
import { OrderPanel } from '#web/features/payments/OrderPanel.tsx';
import styles from './select-goods.module.css';
import { useShop } from './use-shop.ts';

export function SelectGoods() {
  const shop = useShop();
  const { receiver, order } = shop;
  const unfinished = useUnfinished(shop.user !== null);
  const panel = (
    <OrderPanel
      order={order}
      channels={<Channels name="panel-way" place={shop.channelPlace} hasCoupon={false} />}
      onPay={shop.pay}
    />
  );
  return (
    <ShopPage side={panel}>
      <div className={styles.receiver}>
        <ReceiverCard
          game={receiver.game}
          role={receiver.role}
          state={receiver.state}
          onChange={shop.changeReceiver}
          onOtherGame={shop.hasGames ? shop.showGames : undefined}
        />
      </div>
      {unfinished.order && (
        <UnfinishedNote
          order={unfinished.order}
          onShow={() => {
            unfinished.hide();
            if (unfinished.order) shop.showResult(unfinished.order.billing_no);
          }}
          onHide={unfinished.hide}
        />
      )}
      <GoodsPart
        place={shop.place}
        role={shop.roleRef}
        selected={shop.goods?.value ?? null}
        onSelect={shop.select}
        onCountry={shop.setCountry}
      />
      <DockSlot>
        <OrderBar order={order} onPay={shop.pay} />
      </DockSlot>
    </ShopPage>
  );
}
