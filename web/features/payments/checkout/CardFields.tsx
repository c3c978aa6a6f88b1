// Number and password of a prepaid card, inside the row of the method that takes cards.
import { useEffect, useRef } from 'react';
import { CARD_FIELD_MAX } from '#contracts/card-info.ts';
import type { TypedCard } from '#web/platform/calls/card-info.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Field } from '#web/ui/controls/Field.tsx';
import { wasPressed } from '#web/features/payments/methods/last-press.ts';
import styles from '#web/features/payments/payments.module.css';

export type CardFieldsProps = {
  card: TypedCard;
  /** In words; empty when nothing is wrong. */
  fault: string;
  onChange: (card: TypedCard) => void;
};

export function CardFields({ card, fault, onChange }: CardFieldsProps) {
  useLanguage();
  const box = useRef<HTMLDivElement>(null);
  // A press on the row brings its fields into view and the keyboard up; arrow keys only walk by.
  useEffect(() => {
    if (!wasPressed()) return;
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.querySelector('input')?.focus({ preventScroll: true });
  }, []);
  // The password is what is wrong most often, and it is written anew. Its words lie under it, in view with it.
  useEffect(() => {
    if (fault === '') return;
    const password = box.current?.querySelector<HTMLInputElement>('input[data-eye]');
    password?.focus({ preventScroll: true });
    password?.select();
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [fault]);
  return (
    <div className={styles.fields} ref={box}>
      <Field
        label={t('recharge.card_number')}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        maxLength={CARD_FIELD_MAX}
        value={card.number}
        onChange={(number) => onChange({ ...card, number })}
      />
      <Field
        label={t('recharge.card_password')}
        eye={{ show: t('login.show_password'), hide: t('login.hide_password') }}
        // Not the password of an account: nothing of it is to be kept by the browser.
        autoComplete="one-time-code"
        maxLength={CARD_FIELD_MAX}
        value={card.password}
        fault={fault}
        onChange={(password) => onChange({ ...card, password })}
      />
    </div>
  );
}
