// A coupon as a ticket: what it takes off on its stub, its name and terms, and what can be done with it. The list of
// coupons and the VIP centre show the same.
import { type ReactNode, useState } from 'react';
import { toBcp47 } from '#kernel/languages.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { showOff } from './show-off.ts';
import styles from './coupon-ticket.module.css';

export type CouponTicketProps = {
  /** The part of the price that is paid. */
  rate: string;
  name: string;
  /** For what and until when. */
  children: ReactNode;
  action: ReactNode;
  isChosen?: boolean;
  /** Nothing can be done with it now. */
  isDull?: boolean;
};

export function CouponTicket({ rate, name, children, action, isChosen, isDull }: CouponTicketProps) {
  const language = useLanguage();
  return (
    <li className={styles.card} data-ticket="" data-dull={isDull || undefined} data-chosen={isChosen || undefined}>
      <span className={styles.rate}>
        <bdi>{t('coupon.off', { percent: showOff(rate, toBcp47(language)) })}</bdi>
      </span>
      <span className={styles.words}>
        <b>
          <bdi>{name}</bdi>
        </b>
        {children}
      </span>
      <span className={styles.act}>{action}</span>
    </li>
  );
}

export function ClaimButton({ onClaim }: { onClaim: () => Promise<void> }) {
  useLanguage();
  const [isBusy, setBusy] = useState(false);
  const claim = async () => {
    setBusy(true);
    await onClaim();
    setBusy(false);
  };
  return (
    <Button kind="pay" isBusy={isBusy} onClick={() => void claim()}>
      {t('coupon.claimable')}
    </Button>
  );
}
