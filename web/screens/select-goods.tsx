// The landing page: who receives, the goods, and the order beside or below them.
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { BestOffer } from '#web/features/catalogue/offers/BestOffer.tsx';
import { GoodsPart } from '#web/features/catalogue/GoodsPart.tsx';
import { listUncompared } from '#web/features/catalogue/rules.ts';
import { GameRow } from '#web/features/games/list/GameRow.tsx';
import { ReceiverCard } from '#web/features/games/ReceiverCard.tsx';
import { useConfigInUse } from '#web/features/games/use-game.ts';
import { DockSlot } from '#web/features/layout/bars/Dock.tsx';
import { Invite } from '#web/features/layout/Invite.tsx';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { OfferRow } from '#web/features/offers/OfferRow.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { LostBar } from '#web/platform/lazy/Boundary.tsx';
import { createLater, whenIdle } from '#web/platform/lazy/later.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import styles from './select-goods.module.css';
import type { Marks } from './order-with-coupon.tsx';
import { useShop } from './use-shop.ts';

const NoGame = lazyPart(() => import('#web/features/games/list/NoGame.tsx').then((module) => module.NoGame));
const chosenOrder = createLater(() => import('./order-with-coupon.tsx'));
const again = createLater(() => import('#web/features/catalogue/again/Again.tsx'));
const closedOffer = createLater(() => import('#web/features/catalogue/offers/ClosedOffer.tsx'));
const eventOffer = createLater(() => import('#web/features/events/offer.ts'));
const unfinishedNote = createLater(() => import('#web/features/orders/unfinished/UnfinishedNote.tsx'));

export function SelectGoods() {
  const parts = chosenOrder.useModule();
  const shop = useShop(parts);
  const { receiver, order, channelPlace } = shop;
  const isLoggedIn = shop.user !== null;
  const [marks, setMarks] = useState<Marks>();
  useEffect(() => whenIdle(chosenOrder.warm), []);
  useEffect(() => {
    if (shop.isWaited) chosenOrder.warm();
  }, [shop.isWaited]);
  useEffect(() => (isLoggedIn ? whenIdle(unfinishedNote.warm) : undefined), [isLoggedIn]);
  // In the boot data, so that the room for it is there from the first picture.
  const before = isLoggedIn && shop.place.clientId === readBoot().clientId ? readBoot().returning : null;
  const hasBefore = before !== null;
  useEffect(() => {
    if (hasBefore) again.warm();
  }, [hasBefore]);
  const returning = again.useModule();
  const { closed } = shop;
  const isClosed = closed !== null;
  useEffect(() => {
    if (isClosed) closedOffer.warm();
  }, [isClosed]);
  // @source specification section 3, "auto-show accumulation": once, to a player, when the page is at rest
  const config = useConfigInUse();
  const hasTotal = isLoggedIn && config?.cumulative_config.is_has_cumulative === true;
  useEffect(() => (hasTotal ? whenIdle(eventOffer.warm) : undefined), [hasTotal]);
  const events = eventOffer.useModule();
  const showEvent = useEffectEvent(() => void events?.markEvent(shop.place));
  const totalOf = hasTotal ? shop.place.clientId : '';
  useEffect(() => {
    if (events && totalOf !== '') showEvent();
  }, [events, totalOf]);
  const losses = chosenOrder.useLosses();
  const isLost = losses > 0 && shop.isWaited;
  const offer = closedOffer.useModule();
  const note = unfinishedNote.useModule();
  const instead = isLost ? (
    <LostBar lost={{ isAgain: losses > 1, retry: chosenOrder.warm }} />
  ) : (
    closed && offer && <offer.ClosedOffer {...closed} onSelect={shop.select} />
  );
  const chosen =
    parts && order.product
      ? {
          product: <parts.ProductBlock product={order.product} />,
          payment: (
            <parts.PanelPayment
              order={order}
              place={channelPlace}
              target={shop.target}
              goods={shop.goods}
              onEnd={shop.onEnd}
              onNeed={shop.pay}
              onLogin={shop.onLogin}
            />
          ),
        }
      : instead && { product: instead, payment: null };
  if (receiver.isGameMissing)
    return (
      <ShopPage isPlain>
        <Suspense>
          <NoGame games={shop.gameList} onChoose={shop.switchGame} />
        </Suspense>
      </ShopPage>
    );
  return (
    <ShopPage
      side={
        parts && chosen ? (
          <parts.OrderPanel order={order} chosen={chosen} />
        ) : (
          (isLost && instead) || <Invite offer={<Offer shop={shop} />} />
        )
      }
    >
      <div className={styles.receiver}>
        {receiver.game?.currency && (
          <span className={styles.coin} aria-hidden="true">
            <Picture picture={receiver.game.currency} sizes="64px" isEager />
          </span>
        )}
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
          {returning && (
            <returning.Again
              before={before}
              clientId={shop.place.clientId}
              role={shop.roleRef}
              goods={shop.goodsList}
              onPay={(goods) => shop.payAgain(goods, before.channel_key)}
            />
          )}
        </div>
      )}
      {shop.hasGames && (
        <GameRow games={shop.gameList} current={receiver.game?.client_id ?? ''} onChoose={shop.switchGame} />
      )}
      {isLoggedIn && parts && <parts.OrderAhead place={shop.place} onMarks={setMarks} />}
      {isLoggedIn && parts && note && <note.UnfinishedNote onShow={shop.showUnfinished} />}
      <OfferRow offers={shop.offers} goods={shop.goodsList} onTake={shop.takeOffer} />
      <GoodsPart
        place={shop.place}
        role={shop.roleRef}
        deals={shop.deals}
        marks={marks}
        onFly={parts?.flyToOrder}
        selected={shop.goods?.value ?? null}
        onSelect={shop.select}
      />
      <DockSlot>
        {instead ??
          (parts && (
            <parts.PricedBar
              order={order}
              place={channelPlace}
              target={shop.target}
              goods={shop.goods}
              onPay={shop.pay}
            />
          ))}
      </DockSlot>
    </ShopPage>
  );
}

/** The pack that is worth choosing first, where the publisher names one. */
function Offer({ shop }: { shop: ReturnType<typeof useShop> }) {
  // Which bonuses this player has had is not asked for it: beside packs that may have one nothing is called the best.
  const uncompared = listUncompared(shop.goodsList, null, shop.deals);
  const best = shop.goodsList.find((one) => one.flag === 'best_value' && !uncompared.has(one.typeKey));
  return best ? <BestOffer goods={best} onSelect={shop.select} /> : null;
}
