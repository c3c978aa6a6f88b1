// One event: until when, how far the player is, and its steps with what they give.
import type { Activity } from '#contracts/events.ts';
import { showTime } from '#kernel/time.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Note } from '#web/ui/Note.tsx';
import { GiftStep } from './GiftStep.tsx';
import { ALL } from './queries.ts';
import styles from './events.module.css';

export type EventCardProps = {
  activity: Activity;
  isLoggedIn: boolean;
  /** "<activity> <step>" that is being received, or null. */
  busy: string | null;
  /** `giftId` of one step, or "all". */
  onReceive: (giftId: string) => void;
  onLogin: () => void;
};

export function EventCard({ activity, isLoggedIn, busy, onReceive, onLogin }: EventCardProps) {
  useLanguage();
  const { activity_id: id, name, text, gifts, is_over: isOver } = activity;
  const receivable = gifts.filter(({ state }) => state === 'receivable').length;
  return (
    <section className={styles.event} aria-labelledby={`event-${id}`}>
      <header className={styles.head}>
        <h2 className="voice" id={`event-${id}`}>
          {name}
        </h2>
        {activity.end_time > 0 && (
          <Chip tone={isOver ? 'wait' : 'soft'} icon="clock">
            {isOver
              ? t('events.over', { time: timeOf(activity.receive_end_time) })
              : t('events.ends', { time: timeOf(activity.end_time) })}
          </Chip>
        )}
        {text && <p>{text}</p>}
      </header>
      {isLoggedIn ? (
        <Standing activity={activity} />
      ) : (
        <div className={styles.login}>
          <p>{t('events.login')}</p>
          <Button kind="pay" onClick={onLogin}>
            {t('login.submit')}
          </Button>
        </div>
      )}
      <ol className={styles.steps} data-type={activity.type}>
        {gifts.map((gift) => (
          <GiftStep
            key={gift.gift_id}
            gift={gift}
            isDaily={activity.type === 'daily'}
            isLoggedIn={isLoggedIn}
            isOver={isOver}
            isBusy={busy === `${id} ${gift.gift_id}`}
            onReceive={() => onReceive(gift.gift_id)}
          />
        ))}
      </ol>
      {receivable > 1 && (
        <Button kind="pay" isWide isBusy={busy === `${id} ${ALL}`} onClick={() => onReceive(ALL)}>
          {t('events.receive_all', { count: receivable })}
        </Button>
      )}
    </section>
  );
}

/** Shows the amount paid so far, or how many days in a row and whether today still has to come. */
function Standing({ activity }: { activity: Activity }) {
  if (activity.type === 'cumulative')
    return (
      <dl className={styles.standing}>
        <dt>{t('events.total')}</dt>
        {activity.totals_shown.map((shown) => (
          <dd key={shown}>
            <Money text={shown} />
          </dd>
        ))}
      </dl>
    );
  const least = activity.least_shown;
  return (
    <>
      <dl className={styles.standing}>
        <dt>{t('events.streak')}</dt>
        <dd>{t('events.days', { days: activity.days })}</dd>
      </dl>
      {!activity.is_over && (
        <Note tone={activity.is_today_done ? 'ok' : 'plain'}>
          {activity.type === 'daily'
            ? t(activity.is_today_done ? 'events.daily_done' : 'events.daily_open')
            : activity.is_today_done
              ? t('events.today_done')
              : least
                ? t('events.today_least', { amount: least })
                : t('events.today_open')}
        </Note>
      )}
    </>
  );
}

/** @source specification section 9: "year/month/day hour:minute with a UTC offset" */
function timeOf(epochMs: number): string {
  return showTime(epochMs, -new Date(epochMs).getTimezoneOffset());
}
