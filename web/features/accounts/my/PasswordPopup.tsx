// A new password: the old one and the new one, with what the new one has to be told before it is typed.
import { type FormEvent, useId, useRef, useState } from 'react';
import { accountRoutes } from '#contracts/accounts.ts';
import { call } from '#web/platform/calls/api.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { react } from '#web/platform/calls/reactions.ts';
import { showToast } from '#web/platform/toast.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Field } from '#web/ui/controls/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from '#web/features/accounts/accounts.module.css';
import { askFreshLogin } from '#web/features/accounts/login/ask-fresh-login.ts';
import { canSubmitLogin, encodeChange, isLongEnough } from '#web/features/accounts/rules.ts';

export type PasswordPopupProps = {
  /** For password managers: whose password it is. */
  username: string;
  onDone: () => void;
};

/** Which field it is about, if one; and the words for it. */
type Fault = { at: 'from' | 'to' | null; text: string };
const NO_FAULT: Fault = { at: null, text: '' };

export function PasswordPopup({ username, onDone }: PasswordPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState(NO_FAULT);
  const noteId = useId();
  const fields = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) };
  const isReady = canSubmitLogin(from, to);
  /** Told above the fields, and the player is put where it can be mended. */
  const refuse = (at: Fault['at'], text: string) => {
    setFault({ at, text });
    if (!at) return;
    fields[at].current?.focus();
    fields[at].current?.select();
  };
  const change = async () => {
    setFault(NO_FAULT);
    if (!isLongEnough(to)) return refuse('to', t('error.weak_password'));
    setBusy(true);
    const random = () => crypto.getRandomValues(new Uint8Array(3));
    const outcome = await call(accountRoutes.changePassword, encodeChange(from, to, random));
    setBusy(false);
    if (outcome.kind === 'network') return refuse(null, t('network.failed'));
    if (outcome.kind === 'ok') {
      close();
      showToast(t('password.done'), 'ok');
      return onDone();
    }
    if (outcome.name === 'weakPassword') return refuse('to', outcome.msg);
    // The server's words for it speak of a name as well, which nobody typed here.
    if (outcome.name === 'wrongCredentials') return refuse('from', t('password.wrong'));
    if (outcome.name !== 'loginAgain' && outcome.name !== 'notLoggedIn')
      return refuse(null, outcome.msg || t('error.unavailable'));
    close();
    if (outcome.name === 'loginAgain') void askFreshLogin();
    else react(outcome);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) void change();
  };
  const shared = (name: 'from' | 'to') => ({
    ref: fields[name],
    autoCapitalize: 'none',
    autoCorrect: 'off',
    spellCheck: false,
    required: true,
    eye: { show: t('login.show_password'), hide: t('login.hide_password') },
    ...(fault.at === name ? { 'aria-invalid': true, 'aria-describedby': noteId } : {}),
  });
  return (
    <PopupSheet title={t('password.title')} isBusy={isBusy} isLight={false}>
      <form className={styles.form} onSubmit={submit}>
        <p className={styles.lead}>{t('password.text')}</p>
        {fault.text && (
          <div id={noteId}>
            <Note tone="bad">{fault.text}</Note>
          </div>
        )}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <Field
          {...shared('from')}
          label={t('password.current')}
          autoComplete="current-password"
          value={from}
          onChange={setFrom}
        />
        <Field
          {...shared('to')}
          label={t('password.new')}
          hint={t('password.rules')}
          autoComplete="new-password"
          value={to}
          onChange={setTo}
        />
        <Button kind="pay" type="submit" isWide isBusy={isBusy} disabled={!isReady}>
          {t('password.save')}
        </Button>
      </form>
    </PopupSheet>
  );
}
