// Shows the amount to pay, the account and the game, and how long the link is good for.
import { useState } from 'react';
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { Countdown } from '#web/ui/figures/Countdown.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from './replenish.module.css';
import { isCountedDown } from './rules.ts';

export type ReplenishCardProps = {
  info: ReplenishInfo;
  /** The countdown has ended. */
  onEnd: () => void;
};

export function ReplenishCard({ info, onEnd }: ReplenishCardProps) {
  useLanguage();
  const { game_name: game, user_name: name, amount_shown: amount } = info;
  return (
    <section className={styles.card} aria-labelledby="replenish">
      <h1 className="voice" id="replenish">
        {t('replenish.title')}
      </h1>
      <p className={styles.lead}>{t('replenish.lead', { game })}</p>
      <dl className={styles.lines}>
        <div>
          <dt>{t('order.game')}</dt>
          <dd>
            <bdi>{game}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('order.account')}</dt>
          <dd>
            <bdi>{name}</bdi>
          </dd>
        </div>
        <div className={styles.amount}>
          <dt>{t('replenish.amount')}</dt>
          <dd>
            <Money text={amount} />
          </dd>
        </div>
      </dl>
      <TimeLeft key={info.replenish_id} validSeconds={info.valid_time} onEnd={onEnd} />
      <Note tone="ok">{t('replenish.promise')}</Note>
    </section>
  );
}

function TimeLeft({ validSeconds, onEnd }: { validSeconds: number; onEnd: () => void }) {
  // Fixed at the first answer: what is read again is the same end, a second or two later.
  const [{ endsAt, isCounted }] = useState(() => ({
    endsAt: Date.now() + validSeconds * 1000,
    isCounted: isCountedDown(validSeconds),
  }));
  if (isCounted) {
    const labels = { minutesLabel: t('replenish.minutes'), secondsLabel: t('replenish.seconds') };
    return (
      <div className={styles.time}>
        <span>{t('replenish.left')}</span>
        <Countdown endsAt={endsAt} label={t('replenish.left')} {...labels} onEnd={onEnd} />
      </div>
    );
  }
  return validSeconds > 0 ? <p className={styles.lead}>{t('replenish.until', { time: showMoment(endsAt) })}</p> : null;
}
