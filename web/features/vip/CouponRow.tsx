// One coupon on a line: how much it takes off, its name, a word about it, and what can be done.
import { type ReactNode, useState } from 'react';
import { toBcp47 } from '#kernel/languages.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { showOff } from './rules.ts';
import styles from './vip.module.css';

type CouponRowProps = { rate: string; name: string; about: ReactNode; action: ReactNode };

export function CouponRow({ rate, name, about, action }: CouponRowProps) {
  const language = useLanguage();
  return (
    <li className={styles.coupon}>
      <span className={styles.rate}>
        <bdi>{t('vip.off', { percent: showOff(rate, toBcp47(language)) })}</bdi>
      </span>
      <span className={styles.words}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <span>{about}</span>
      </span>
      {action}
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
      {t('vip.claim')}
    </Button>
  );
}
