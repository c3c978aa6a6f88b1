// The buttons of an order by its public status. No way out stands where the button that pays has just been: the main
// button is always the last one, so a second press of an impatient finger does no harm.
import type { MouseEvent, ReactNode } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { currentRegion } from '#web/platform/region.ts';
import { Button, buttonClass } from '#web/ui/controls/Button.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import { Note } from '#web/ui/Note.tsx';
import { publicStatusOf, type Waiting } from '#web/features/orders/stages.ts';
import styles from './result.module.css';

export type ResultActionsProps = {
  order: BillingInfo;
  waiting: Waiting;
  isChecking: boolean;
  isCancelling: boolean;
  /** The outcome of the last press; empty for none. */
  said: string;
  /** Address of the provider's page; empty when it may not be opened. */
  href: string;
  onToPay: (press: MouseEvent) => void;
  /** Asks the provider again. */
  onCheck: () => void;
  onCancel: () => void;
  /** Reopens the recharge popup, to choose another way to pay or to pay again. */
  onRecharge: (how: 'change' | 'again') => void;
  /** The same goods for another character; left out where there is no choice of one. */
  onCharacter?: (() => void) | undefined;
  onClose: () => void;
  /** Opens the game; empty where the publisher named no way. */
  openLink: string;
  /** The offer that fits after this order; null for none. */
  next: NextOffer | null;
  /** Another offer stands in its place, if there is one. */
  afterSale?: (otherwise: ReactNode) => ReactNode;
  onReceipt: () => void;
};

export type NextOffer = { product: string; price: string; take: () => void };

export function ResultActions(props: ResultActionsProps) {
  const { order, waiting, isChecking, isCancelling, said, href, onToPay, onCheck, onCancel, onRecharge } = props;
  useLanguage();
  const change = (
    <Button kind="quiet" isWide onClick={() => onRecharge('change')}>
      {t('result.change_recharge_way')}
    </Button>
  );
  const cancel = (
    <Button kind="quiet" isWide isBusy={isCancelling} onClick={onCancel}>
      {t('result.cancel_order')}
    </Button>
  );
  const ways = (
    <>
      {said && <Note tone="wait">{said}</Note>}
      <div className={styles.two}>
        {cancel}
        {change}
      </div>
    </>
  );
  const payAgain = (
    <MoneyIn text={t('result.recharge_continue', { price: order.price_shown })} money={order.price_shown} />
  );
  switch (publicStatusOf(order)) {
    case 'pending':
      // Nothing was charged without a page: there is nothing to look for.
      if (waiting === 'noPage')
        return (
          <div className={styles.foot}>
            {said && <Note tone="wait">{said}</Note>}
            {cancel}
            <Button kind="pay" isWide onClick={() => onRecharge('change')}>
              {t('result.change_recharge_way')}
            </Button>
          </div>
        );
      return (
        <div className={styles.foot}>
          {ways}
          <Button kind={order.url ? 'plain' : 'pay'} isWide isBusy={isChecking} onClick={onCheck}>
            {t('result.recharge_done')}
          </Button>
          {order.url && (
            <PayLink href={href} onPress={onToPay}>
              {t('result.to_pay')}
            </PayLink>
          )}
        </div>
      );
    case 'declined':
    case 'fail':
      return (
        <div className={styles.foot}>
          {order.stage === 'unpaid' ? ways : change}
          {/* The provider's page of a refused try can be paid again; without one the
              recharge popup makes a new try. */}
          {order.url ? (
            <PayLink href={href} onPress={onToPay}>
              {payAgain}
            </PayLink>
          ) : (
            <Button kind="pay" isWide onClick={() => onRecharge('again')}>
              {payAgain}
            </Button>
          )}
        </div>
      );
    case 'review':
      return <ReviewActions {...props} />;
    case 'refund':
      return <RefundActions {...props} />;
    case 'success':
      return <SuccessAction {...props} />;
    default:
      return <Close {...props} />;
  }
}

function Close({ onClose }: Pick<ResultActionsProps, 'onClose'>) {
  return (
    <Button isWide onClick={onClose}>
      {t('result.close')}
    </Button>
  );
}

/** Links customer service, if the brand names one. */
function Support() {
  const { support } = readLegal(useBrand(), [], '', currentRegion());
  return (
    support && (
      <a className={buttonClass('quiet', true)} href={support} target="_blank" rel="noopener noreferrer">
        {t('footer.support')}
      </a>
    )
  );
}

/** Goods that the game declined may go to another character; everything else is customer service's. */
function RefundActions({ order, onCharacter, onClose }: ResultActionsProps) {
  if (order.refund_kind !== 'game_declined') return <Close onClose={onClose} />;
  return (
    <div className={styles.foot}>
      <Support />
      {onCharacter && (
        <Button isWide onClick={onCharacter}>
          {t('result.other_character')}
        </Button>
      )}
      <Close onClose={onClose} />
    </div>
  );
}

/** Nothing to press but customer service, where the brand names one: the order must not be paid again. */
function ReviewActions({ onClose }: Pick<ResultActionsProps, 'onClose'>) {
  return (
    <div className={styles.foot}>
      <Support />
      <Close onClose={onClose} />
    </div>
  );
}

/** One button stays in view. @source specification section 4, "Success": "a single button; closes the popup" */
function SuccessAction({ order, openLink, onClose }: ResultActionsProps) {
  if (openLink === '')
    return (
      <Button kind="pay" isWide onClick={onClose}>
        {t('result.success_done')}
      </Button>
    );
  return (
    // No new window: an app takes over from here, and a page of its own would stay empty.
    <a className={buttonClass('pay', true)} href={openLink} rel="noreferrer" onClick={onClose}>
      {t('result.open_game', { game: order.game_name })}
    </a>
  );
}

export type AfterSuccessProps = Pick<
  ResultActionsProps,
  'order' | 'openLink' | 'next' | 'afterSale' | 'onReceipt' | 'onClose'
>;

/** Under a delivered order, where it is read to its end: what fits next, and the ways that matter less. */
export function AfterSuccess({ order, openLink, next, afterSale, onReceipt, onClose }: AfterSuccessProps) {
  useLanguage();
  if (publicStatusOf(order) !== 'success') return null;
  const fitting = next && (
    <Button isWide onClick={next.take}>
      <MoneyIn text={t('order.next_best', { product: next.product, price: next.price })} money={next.price} />
    </Button>
  );
  return (
    <div className={styles.after}>
      {afterSale ? afterSale(fitting) : fitting}
      <div className={styles.two}>
        <Button kind="quiet" onClick={onReceipt}>
          {t('receipt.title')}
        </Button>
        {openLink !== '' && (
          <Button kind="quiet" onClick={onClose}>
            {t('result.success_done')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** A real link: it works held down, copied, and in browsers that open no windows. */
function PayLink({
  href,
  onPress,
  children,
}: {
  href: string;
  onPress: (press: MouseEvent) => void;
  children: ReactNode;
}) {
  if (href === '') {
    return (
      <Button kind="pay" isWide onClick={onPress}>
        {children}
      </Button>
    );
  }
  return (
    <a className={buttonClass('pay', true)} href={href} target="_blank" rel="noopener noreferrer" onClick={onPress}>
      {children}
    </a>
  );
}
