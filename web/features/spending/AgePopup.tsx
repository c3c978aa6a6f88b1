// How old the player is, asked once where minors may not spend all they want: month and year of birth, and the consent
// of whoever is responsible for a minor.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { spendingRoutes } from '#contracts/spending.ts';
import { OF_AGE, ageInMonth, monthIn } from '#kernel/age.ts';
import { toBcp47 } from '#kernel/languages.ts';
import { describeAgeTiers } from '#web/platform/age-tiers.ts';
import { change } from '#web/platform/calls/change.ts';
import { currentLanguage, t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { react } from '#web/platform/calls/reactions.ts';
import { spendingPlace, useSpending } from '#web/platform/visitor/spending.ts';
import { showToast } from '#web/platform/toast.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Select } from '#web/ui/controls/Select.tsx';
import styles from './spending.module.css';

/** Our choice: older than anybody who plays. */
const YEARS = 100;

export function AgePopup() {
  useLanguage();
  const formId = useId();
  const { close } = usePopup();
  const queries = useQueryClient();
  const tiers = useSpending().data?.age_tiers ?? [];
  const [year, setYear] = useState('');
  const [month, setMonth] = useState('');
  const [hasConsent, setConsent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  // The server asks the same; a device with a wrong clock is told there.
  const [now] = useState(thisMonth);
  const isSaid = year !== '' && month !== '';
  const age = ageInMonth(Number(year), Number(month), now);
  const isMinor = isSaid && age < OF_AGE;
  const isReady = isSaid && (!isMinor || hasConsent);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setBusy(true);
    const said = { birth_year: Number(year), birth_month: Number(month), has_consent: isMinor ? 1 : 0 };
    const outcome = await change(spendingRoutes.declareAge, { ...spendingPlace(), ...said });
    setBusy(false);
    if (outcome.kind !== 'ok') return react(outcome);
    void queries.invalidateQueries({ queryKey: ['spending'] });
    showToast(t('age.done'), 'ok');
    close();
  };
  const foot = (
    <Button kind="pay" isWide type="submit" form={formId} isBusy={isBusy} disabled={!isReady}>
      {t('age.submit')}
    </Button>
  );
  return (
    <PopupSheet title={t('age.title')} foot={foot} isBusy={isBusy} isLight={false}>
      <form id={formId} className={styles.form} onSubmit={(event) => void submit(event)}>
        <p className={styles.text}>{t('age.text')}</p>
        <ul className={styles.tiers}>
          {describeAgeTiers(tiers).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <div className={styles.pair}>
          <Select
            label={t('age.year')}
            placeholder={t('age.empty_year')}
            value={year}
            onChange={setYear}
            options={Array.from({ length: YEARS }, (_, index) => {
              const value = String(now.year - index);
              return { value, label: value };
            })}
          />
          <Select
            label={t('age.month')}
            placeholder={t('age.empty_month')}
            value={month}
            onChange={setMonth}
            options={MONTHS.map((value) => ({ value: String(value), label: nameOfMonth(value) }))}
          />
        </div>
        {isMinor && (
          <label className={styles.check}>
            <input type="checkbox" checked={hasConsent} onChange={(event) => setConsent(event.currentTarget.checked)} />
            <span>{t('age.consent')}</span>
          </label>
        )}
        <p className={styles.quiet}>{t('age.once')}</p>
      </form>
    </PopupSheet>
  );
}

/** @source specification section 5: the caps are Japan's */
const thisMonth = () => monthIn('Asia/Tokyo', Date.now());

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

function nameOfMonth(month: number): string {
  return new Intl.DateTimeFormat(toBcp47(currentLanguage()), { month: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2000, month - 1, 15),
  );
}
