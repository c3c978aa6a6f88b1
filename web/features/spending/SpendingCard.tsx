// On My: what may still be spent, the player's own caps, and the pause.
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type OwnCap, PAUSE_DAYS, spendingRoutes } from '#contracts/spending.ts';
import { change } from '#web/platform/calls/change.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { showMoment } from '#web/platform/moment.ts';
import { confirm, openPopup } from '#web/platform/popups/popups.tsx';
import { react } from '#web/platform/calls/reactions.ts';
import { spendingPlace, useSpending } from '#web/platform/visitor/spending.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Select } from '#web/ui/controls/Select.tsx';
import styles from './spending.module.css';

const CapPopup = lazyPart(() => import('./CapPopup.tsx').then((module) => module.CapPopup));

export function SpendingCard() {
  useLanguage();
  const id = useId();
  const { data } = useSpending();
  if (!data) return null;
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 className="voice" id={id}>
        {t('spending.title')}
      </h2>
      <p className={styles.quiet}>{t('spending.text')}</p>
      {data.limits.length > 0 && (
        <ul className={styles.tiers}>
          {data.limits.map(({ kind, left_shown: left, cap_shown: cap }) => (
            <li key={kind}>{t(`spending.left_${kind}`, { left, cap })}</li>
          ))}
        </ul>
      )}
      <ul className={styles.rows}>
        {data.caps.map((cap) => (
          <CapRow key={cap.period} cap={cap} currency={data.currency} />
        ))}
      </ul>
      <PausePart pausedUntil={data.paused_until} />
    </section>
  );
}

function CapRow({ cap, currency }: { cap: OwnCap; currency: string }) {
  const id = useId();
  const { period, cap_shown: shown, next_at: nextAt, next_shown: next } = cap;
  const time = showMoment(nextAt);
  return (
    <li>
      <span>
        <strong id={`${id}-name`}>{t(`spending.${period}`)}</strong>
        <span>{shown || t('spending.none')}</span>
        {nextAt > 0 && (
          <span>{next ? t('spending.next', { cap: next, time }) : t('spending.next_none', { time })}</span>
        )}
      </span>
      <Button
        id={id}
        aria-labelledby={`${id} ${id}-name`}
        aria-haspopup="dialog"
        onClick={() => openPopup(CapPopup, { cap, currency })}
      >
        {t('spending.change')}
      </Button>
    </li>
  );
}

const SPANS = { 1: 'spending.pause_day', 7: 'spending.pause_week', 30: 'spending.pause_month' } as const;

function PausePart({ pausedUntil }: { pausedUntil: number }) {
  const queries = useQueryClient();
  const [days, setDays] = useState<(typeof PAUSE_DAYS)[number]>(1);
  const [isBusy, setBusy] = useState(false);
  const pause = async (length: number) => {
    setBusy(true);
    const outcome = await change(spendingRoutes.pause, { ...spendingPlace(), days: length });
    setBusy(false);
    if (outcome.kind !== 'ok') react(outcome);
    void queries.invalidateQueries({ queryKey: ['spending'] });
  };
  const begin = async () => {
    const isSure = await confirm({
      title: t('spending.pause_ask', { time: t(SPANS[days]) }),
      text: t('spending.pause_text'),
      cancel: t('account.cancel'),
      confirm: t('spending.pause_title'),
      isDanger: true,
    });
    if (isSure) await pause(days);
  };
  return (
    <div className={styles.part}>
      <h3>{t('spending.pause_title')}</h3>
      {pausedUntil > 0 ? (
        <>
          <Note tone="wait">{t('spending.paused_until', { time: showMoment(pausedUntil) })}</Note>
          <Button isBusy={isBusy} onClick={() => void pause(0)}>
            {t('spending.pause_end')}
          </Button>
        </>
      ) : (
        <>
          <p className={styles.quiet}>{t('spending.pause_text')}</p>
          <div className={styles.pause}>
            <Select
              label={t('spending.pause_title')}
              value={String(days)}
              onChange={(value) => setDays(PAUSE_DAYS.find((one) => String(one) === value) ?? 1)}
              options={PAUSE_DAYS.map((one) => ({ value: String(one), label: t(SPANS[one]) }))}
            />
            <Button isBusy={isBusy} onClick={() => void begin()}>
              {t('spending.pause_title')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
