// In place of a result before the first answer: looking, not found, or no line.
import type { ReactNode } from 'react';
import { OrderNumber } from '#web/features/orders/OrderNumber.tsx';
import { t } from '#web/platform/i18n.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import shared from '#web/features/orders/orders.module.css';
import styles from './result.module.css';

type Props = {
  billingNo: string;
  isGone: boolean;
  /** Why there is no answer; empty while one is waited for. */
  fault: string;
  /** The way on from an order that is not there, where no button stands below. */
  action?: ReactNode;
};

export function ResultBefore({ billingNo, isGone, fault, action }: Props) {
  return (
    <>
      {isGone ? (
        <VoidState
          art="st-notfound"
          title={t('result.not_found_title')}
          text={t('result.not_found_text')}
          action={action}
        />
      ) : (
        <div className={styles.status} role="status" aria-busy="true">
          <Skeleton className={styles.ring} />
          <p className={shared.muted}>{fault || t('result.checking')}</p>
        </div>
      )}
      <OrderNumber billingNo={billingNo} />
    </>
  );
}
