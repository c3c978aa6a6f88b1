// Username and password. The button works once both hold something; what went wrong stands above the fields.
import { type FormEvent, useState } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { canSubmitLogin } from './rules.ts';
import styles from './accounts.module.css';

export type LoginFormProps = {
  /** Why the login is asked for; empty when the player asked for it. */
  reason: string;
  isBusy: boolean;
  /** In words; empty when nothing went wrong. */
  fault: string;
  onSubmit: (username: string, password: string) => void;
};

export function LoginForm({ reason, isBusy, fault, onSubmit }: LoginFormProps) {
  useLanguage();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const isReady = canSubmitLogin(username, password);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) onSubmit(username, password);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.lead}>
        {reason} {t('login.same_account')}
      </p>
      {fault && <Note tone="bad">{fault}</Note>}
      <Field
        label={t('login.username')}
        placeholder={t('login.username_hint')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        value={username}
        onChange={setUsername}
      />
      <Field
        label={t('login.password')}
        eye={{ show: t('login.show_password'), hide: t('login.hide_password') }}
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      <Button kind="pay" type="submit" isWide isBusy={isBusy} disabled={!isReady}>
        {t('login.submit')}
      </Button>
      <p className={styles.legal}>{t('login.legal')}</p>
    </form>
  );
}
