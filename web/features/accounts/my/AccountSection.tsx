// The frame of a list on My that belongs to the account: title, what it is for, rows with a button each.
import { type ReactNode, useId } from 'react';
import { t } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from '#web/features/accounts/accounts.module.css';

export type AccountSectionProps = {
  title: string;
  text: string;
  state: 'loading' | 'failed' | 'there';
  onRetry: () => void;
  /** Rows. */
  children: ReactNode;
  foot?: ReactNode;
};

export function AccountSection({ title, text, state, onRetry, children, foot }: AccountSectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id} aria-busy={state === 'loading' || undefined}>
      <h2 className="voice" id={id}>
        {title}
      </h2>
      <p className={styles.lead}>{text}</p>
      {state === 'loading' && <Skeleton className={styles.bone} />}
      {state === 'failed' && (
        <p className={styles.quiet}>
          {t('account.part_error')}{' '}
          <Button kind="quiet" onClick={onRetry}>
            {t('goods.retry')}
          </Button>
        </p>
      )}
      {state === 'there' && <ul className={styles.rows}>{children}</ul>}
      {state === 'there' && foot}
    </section>
  );
}

export function AccountRow({
  mark,
  title,
  text,
  children,
}: {
  mark: ReactNode;
  title: ReactNode;
  text: string;
  children?: ReactNode;
}) {
  return (
    <li className={styles.row}>
      <span className={styles.mark}>{mark}</span>
      <span className={styles.rowWords}>
        <strong>{title}</strong>
        <span>{text}</span>
      </span>
      {children}
    </li>
  );
}
