// One cap of the player's own: an amount, or none.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { type OwnCap, spendingRoutes } from '#contracts/spending.ts';
import { isCurrency, parseDecimal } from '#kernel/money.ts';
import { change } from '#web/platform/calls/change.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { react } from '#web/platform/calls/reactions.ts';
import { spendingPlace } from '#web/platform/visitor/spending.ts';
import { showToast } from '#web/platform/toast.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Field } from '#web/ui/controls/Field.tsx';
import styles from './spending.module.css';

export function CapPopup({ cap: { period, cap: before }, currency }: { cap: OwnCap; currency: string }) {
  useLanguage();
  const formId = useId();
  const { close } = usePopup();
  const queries = useQueryClient();
  const [amount, setAmount] = useState(before);
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const save = async (wanted: string) => {
    // Forgiving about what people type between thousands, and only there: "3,50" is not 350.
    const plain = wanted.trim().replaceAll(/[,\s](?=\d{3}(?!\d))/g, '');
    const cap = plain !== '' && isCurrency(currency) ? parseDecimal(plain, currency) : null;
    if (plain !== '' && !cap) return setFault(t('spending.bad_amount', { example: '3000' }));
    // Nobody could buy for 24 hours, by one figure: the pause is what is meant for that, and asks first.
    if (cap?.amountMinor === 0) return setFault(t('spending.zero'));
    setBusy(true);
    const outcome = await change(spendingRoutes.setCap, { ...spendingPlace(), period, amount: plain });
    setBusy(false);
    if (outcome.kind !== 'ok') return react(outcome);
    const next = outcome.content.caps.find((one) => one.period === period)?.next_at ?? 0;
    showToast(next > 0 ? t('spending.saved_later', { time: showMoment(next) }) : t('spending.saved_now'), 'ok');
    void queries.invalidateQueries({ queryKey: ['spending'] });
    close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(amount);
  };
  const foot = (
    <div className={styles.form}>
      <Button kind="pay" isWide type="submit" form={formId} isBusy={isBusy}>
        {t('spending.save')}
      </Button>
      {before !== '' && (
        <Button isWide disabled={isBusy} onClick={() => void save('')}>
          {t('spending.remove')}
        </Button>
      )}
    </div>
  );
  return (
    <PopupSheet title={t(`spending.${period}`)} foot={foot} isBusy={isBusy} isLight={false}>
      <form id={formId} className={styles.form} onSubmit={submit}>
        <p className={styles.text}>{t('spending.text')}</p>
        <Field
          label={t('spending.amount', { currency })}
          hint={t('spending.amount_hint')}
          fault={fault}
          inputMode="decimal"
          maxLength={16}
          value={amount}
          onChange={(typed) => {
            setAmount(typed);
            setFault('');
          }}
        />
      </form>
    </PopupSheet>
  );
}
