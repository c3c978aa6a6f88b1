// The result popup: polls an order and shows where it stands until the player closes it.
import type { MouseEvent, ReactNode } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { gameOf } from '#web/features/orders/game-of.ts';
import { AfterSuccess, type NextOffer, ResultActions } from './ResultActions.tsx';
import { ResultBefore } from './ResultBefore.tsx';
import { ResultStatus } from './ResultStatus.tsx';
import type { Begun } from '#web/features/orders/stages.ts';
import { useFollowedOrder } from './use-followed-order.ts';

export type ResultPopupProps = {
  billingNo: string;
  /** The order as it is known right after the payment was started; null when only the number is. */
  known: BillingInfo | null;
  begun: Begun;
  /** The pay link as an address to follow; empty when it may not be opened. */
  hrefOf: (url: string) => string;
  /** A press on the link: opens it in a new window or here; says so itself when the link may not be opened. */
  onToPay: (press: MouseEvent, url: string) => void;
  /** Finds the offer that fits after a delivered order. */
  nextAfter?: (order: BillingInfo) => NextOffer | null;
  /** Stands in the place of what fits after, which is `otherwise`, when something better is there. */
  afterSale?: (otherwise: ReactNode, close: () => void) => ReactNode;
  /** Opens the receipt; put in by openResult. */
  onReceipt?: (order: BillingInfo) => void;
  /** The order is paid: what was chosen for it is bought. */
  onPaid?: (order: BillingInfo) => void;
  /** Reopens the recharge popup. */
  onRecharge: (order: BillingInfo, how: 'change' | 'again') => void;
  /** The same goods for another character. */
  onCharacter?: (order: BillingInfo) => void;
};

export function ResultPopup(props: ResultPopupProps) {
  const { billingNo, known, begun, hrefOf, onToPay, onRecharge, nextAfter, afterSale, onReceipt, onPaid, onCharacter } =
    props;
  useLanguage();
  const { close } = usePopup();
  const followed = useFollowedOrder(billingNo, known, onPaid);
  const { order, isGone, fault, isChecking, checkNow, said, waiting } = followed;
  if (!order) {
    const foot = (
      <Button isWide onClick={close}>
        {t('result.close')}
      </Button>
    );
    return (
      <PopupSheet title={t('result.title')} isTitleHidden foot={foot}>
        <ResultBefore billingNo={billingNo} isGone={isGone} fault={fault} />
      </PopupSheet>
    );
  }
  const offer = nextAfter?.(order) ?? null;
  const shown = {
    order,
    onClose: close,
    openLink: gameOf(readBoot().games, order.client_id)?.open_link ?? '',
    next: offer && { ...offer, take: () => (close(), offer.take()) },
    afterSale: (otherwise: ReactNode) => (afterSale ? afterSale(otherwise, close) : otherwise),
    onReceipt: () => onReceipt?.(order),
  };
  const foot = (
    <ResultActions
      {...shown}
      waiting={waiting}
      isChecking={isChecking}
      isCancelling={followed.isCancelling}
      said={said}
      href={hrefOf(order.url)}
      onToPay={(press) => {
        followed.noteGoing();
        onToPay(press, order.url);
      }}
      onCheck={() => void checkNow()}
      onCancel={followed.cancel}
      onRecharge={(how) => {
        close();
        onRecharge(order, how);
      }}
      onCharacter={
        onCharacter &&
        (() => {
          close();
          onCharacter(order);
        })
      }
    />
  );
  return (
    <PopupSheet title={t('result.title')} isTitleHidden isLight={false} foot={foot}>
      <ResultStatus order={order} begun={begun} waiting={waiting} />
      <AfterSuccess {...shown} />
      {fault && <Note tone="wait">{fault}</Note>}
    </PopupSheet>
  );
}
