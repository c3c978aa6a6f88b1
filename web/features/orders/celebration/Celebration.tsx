// The moment of delivery: the box that stood closed opens, what was bought flies to the character, the counter
// runs up with the bonus in it.
import { useEffect, useRef, useState } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { readBoot } from '#web/platform/boot.ts';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { Art } from '#web/ui/pictures/Art.tsx';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { gameOf } from '../game-of.ts';
import { Box } from './Box.tsx';
import { COINS, playDelivery } from './play.ts';
import { isFirstLook } from './seen.ts';
import styles from './celebration.module.css';

export type CelebrationProps = {
  order: BillingInfo;
  /** Is true when the player has seen it wait: then it moves, else it is a still picture. */
  isLive: boolean;
};

export function Celebration({ order, isLive }: CelebrationProps) {
  useLanguage();
  const scene = useRef<HTMLDivElement>(null);
  const total = order.amount + order.bonus_amount;
  const [isMoving] = useState(
    () => isFirstLook(order.billing_no) && isLive && !matchMedia('(prefers-reduced-motion: reduce)').matches,
  );
  const [shown, setShown] = useState(isMoving ? 0 : total);
  const [isOpen, setOpen] = useState(!isMoving);
  useEffect(() => {
    if (!isMoving || !scene.current) return;
    return playDelivery(scene.current, total, { onOpen: () => setOpen(true), onCount: setShown });
  }, [isMoving, total]);
  const currency = gameOf(readBoot().games, order.client_id)?.currency;
  return (
    <div className={styles.scene} ref={scene} data-open={isOpen ? '' : undefined}>
      <div className={styles.stage}>
        <Box />
        <span className={styles.goods}>
          <Picture picture={order.picture} art={order.art} isEager />
        </span>
        {isMoving &&
          Array.from({ length: COINS }, (_, index) => (
            <span className={styles.coin} data-coin="" key={index}>
              <Picture picture={currency} art="cur" sizes="32px" isEager />
            </span>
          ))}
      </div>
      {order.amount > 0 && (
        // The heading says how much to whoever listens.
        <p className={styles.count} aria-hidden="true">
          <bdi dir="ltr">+{countIn(shown)}</bdi>
          {order.bonus_amount > 0 && <small>{t('result.with_bonus', { bonus: countIn(order.bonus_amount) })}</small>}
        </p>
      )}
      <p className={styles.bag} data-bag="">
        <Art name="avatar" />
        <span>
          <b>
            <bdi>{order.role_name}</bdi>
          </b>
          <bdi>{order.game_server_name}</bdi>
        </span>
      </p>
    </div>
  );
}
