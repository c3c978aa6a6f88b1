// An order in review as a whole page: of a make-up payment, which has no result of its own to come back to.
import type { ReactNode } from 'react';
import type { ReviewKind } from '#contracts/orders.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { VoidState } from '#web/ui/VoidState.tsx';
import { OrderNumber } from '#web/features/orders/OrderNumber.tsx';
import { tellReview } from '#web/features/orders/review.ts';
import styles from './result.module.css';

type Props = { kind: ReviewKind; billingNo: string; action?: ReactNode };

export function ReviewStanding({ kind, billingNo, action }: Props) {
  useLanguage();
  const { title, text, ask } = tellReview(kind);
  return (
    <div className={styles.standing} role="status">
      <VoidState
        level={1}
        art="st-expired"
        title={title}
        text={
          <>
            {text}
            <br />
            {ask}
          </>
        }
        action={action}
      />
      <OrderNumber billingNo={billingNo} />
    </div>
  );
}
