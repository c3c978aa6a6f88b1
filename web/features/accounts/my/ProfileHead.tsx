// Names the player who is logged in, at the top of My.
import { isFramed } from '#web/platform/frame.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { initialOf } from '#web/ui/figures/initial.ts';
import styles from '#web/features/accounts/accounts.module.css';

export function ProfileHead({ name, onSwitch }: { name: string; onSwitch: () => void }) {
  useLanguage();
  return (
    <section className={styles.profile}>
      <span className={styles.avatar} aria-hidden="true">
        {initialOf(name)}
      </span>
      <h1 className="voice">
        <bdi>{name}</bdi>
      </h1>
      <p>{t('account.logged_in_as')}</p>
      {/* In a frame the game says who plays. */}
      {!isFramed() && (
        <span className={styles.switch}>
          <Button onClick={onSwitch}>{t('account.switch')}</Button>
        </span>
      )}
    </section>
  );
}
