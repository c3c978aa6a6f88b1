// The number a player quotes to support, with a button that copies it.
import { copyText } from '#web/platform/copy/copy-text.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import styles from './orders.module.css';

export function OrderNumber({ billingNo }: { billingNo: string }) {
  useLanguage();
  const copy = () => copyText(billingNo, { copied: t('result.copied'), title: t('result.number') });
  return (
    <div className={styles.number}>
      <span>
        <span className={styles.muted}>{t('result.number')}</span>
        {/* Groups by space alone: what is selected and copied has none. The last has what is left: no single sign. */}
        <code dir="ltr">
          {(billingNo.match(/.{5}(?=.{5})|.+/g) ?? []).map((group, index) => (
            <span key={index}>{group}</span>
          ))}
        </code>
      </span>
      <Button kind="quiet" onClick={() => void copy()}>
        {t('result.copy')}
      </Button>
    </div>
  );
}
