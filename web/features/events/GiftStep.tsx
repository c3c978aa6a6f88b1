// One step of an event: what it takes, how much of it is there, what it gives, and where that is.
import type { ActivityGift } from '#contracts/events.ts';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import styles from './events.module.css';

export type GiftStepProps = {
  gift: ActivityGift;
  /** A day of a streak: there is nothing in between. */
  isDaily: boolean;
  isLoggedIn: boolean;
  isOver: boolean;
  isBusy: boolean;
  onReceive: () => void;
};

export function GiftStep({ gift, isDaily, isLoggedIn, isOver, isBusy, onReceive }: GiftStepProps) {
  useLanguage();
  const { state, percent, items } = gift;
  return (
    <li className={styles.step} data-state={state}>
      <div className={styles.need}>
        <b>{isDaily ? t('events.day_no', { day: gift.need_days }) : <Need gift={gift} />}</b>
        {isLoggedIn && !isDaily && state === 'locked' && (
          <span className={styles.percent}>{t('events.percent', { percent: String(percent) })}</span>
        )}
        <State
          gift={gift}
          isDaily={isDaily}
          isLoggedIn={isLoggedIn}
          isOver={isOver}
          isBusy={isBusy}
          onReceive={onReceive}
        />
      </div>
      {isLoggedIn && !isDaily && state === 'locked' && (
        <progress
          className={styles.bar}
          max={100}
          value={percent}
          aria-label={t('events.percent', { percent: String(percent) })}
        />
      )}
      <ul className={styles.items}>
        {items.map((item) => (
          <li key={item.id}>
            <Picture picture={item.picture} art={item.art} sizes="56px" />
            <span>
              <bdi>{item.name}</bdi> <b>×{countIn(item.count)}</b>
            </span>
          </li>
        ))}
      </ul>
      {gift.is_declined && <p className={styles.declined}>{t('events.declined')}</p>}
      {state === 'received' && <p className={styles.where}>{whereOf(gift)}</p>}
    </li>
  );
}

function Need({ gift }: { gift: ActivityGift }) {
  if (gift.need_days > 0) return <span>{t('events.need_days', { days: gift.need_days })}</span>;
  return <Money text={gift.need_shown} />;
}

function State({ gift, isLoggedIn, isOver, isBusy, onReceive }: GiftStepProps) {
  if (gift.state === 'received')
    return (
      <Chip tone="ok" icon="check">
        {t('events.received')}
      </Chip>
    );
  if (gift.state === 'receivable')
    return (
      <Button kind="pay" isBusy={isBusy} onClick={onReceive}>
        {t('events.receive')}
      </Button>
    );
  return isLoggedIn && !isOver ? null : <Chip icon="lock">{t('events.locked')}</Chip>;
}

function whereOf({ delivery, role_name: name }: ActivityGift): string {
  if (delivery === 'delivered') return t('events.delivered', { name });
  return delivery === 'checking' ? t('events.checking') : t('events.on_its_way', { name });
}
