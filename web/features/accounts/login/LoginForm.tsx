// Two fields and a button: a game account or a prepaid card. The button works once both hold something;
// what went wrong stands above.
import { type FormEvent, useState } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Field } from '#web/ui/controls/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from '#web/features/accounts/accounts.module.css';
import { CARD_LENGTH, canSubmitLogin } from '#web/features/accounts/rules.ts';

export type LoginFormProps = {
  by: 'account' | 'card';
  /** Why the login is asked for; empty when the player asked for it. */
  reason: string;
  isBusy: boolean;
  /** In words; empty when nothing went wrong. */
  fault: string;
  /** Address of the page that helps to find the account; empty for a tip in its place. */
  help: string;
  /** Name and password, or number and password of the card, as typed. */
  onSubmit: (name: string, password: string) => void;
};

export function LoginForm({ by, reason, isBusy, fault, help, onSubmit }: LoginFormProps) {
  useLanguage();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isReady = canSubmitLogin(name, password);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) onSubmit(name, password);
  };
  const plain = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false, required: true } as const;
  const eye = { show: t('login.show_password'), hide: t('login.hide_password') };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.lead}>
        {reason} {by === 'card' ? t('login.card_lead') : t('login.same_account')}
      </p>
      {fault && <Note tone="bad">{fault}</Note>}
      {by === 'card' ? (
        <>
          {/* Nothing for a password manager to keep: a card is spent and gone. */}
          <Field
            {...plain}
            label={t('login.card_number')}
            autoComplete="off"
            maxLength={CARD_LENGTH}
            value={name}
            onChange={setName}
          />
          <Field
            {...plain}
            label={t('login.card_password')}
            autoComplete="off"
            maxLength={CARD_LENGTH}
            eye={eye}
            value={password}
            onChange={setPassword}
          />
        </>
      ) : (
        <>
          <Field
            {...plain}
            label={t('login.username')}
            placeholder={t('login.username_hint')}
            autoComplete="username"
            value={name}
            onChange={setName}
          />
          <Field
            {...plain}
            label={t('login.password')}
            autoComplete="current-password"
            eye={eye}
            value={password}
            onChange={setPassword}
          />
        </>
      )}
      <Button kind="pay" type="submit" isWide isBusy={isBusy} disabled={!isReady}>
        {t('login.submit')}
      </Button>
      {by === 'account' && <AccountHelp link={help} />}
    </form>
  );
}

/** For whoever does not know their account, or its password any more. */
function AccountHelp({ link }: { link: string }) {
  if (link !== '') {
    return (
      <a className={styles.help} href={link} target="_blank" rel="noopener noreferrer">
        {t('login.account_help')}
      </a>
    );
  }
  return (
    <details className={styles.help}>
      <summary>{t('login.account_help')}</summary>
      <p>{t('login.account_tip')}</p>
    </details>
  );
}
