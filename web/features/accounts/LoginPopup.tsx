// The login popup: the form, the call, and what follows a login.
import { useState } from 'react';
import { accountRoutes } from '#contracts/accounts.ts';
import { call } from '#web/platform/api.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups.tsx';
import { setUser } from '#web/platform/session.ts';
import { showToast } from '#web/platform/toast.ts';
import { LoginForm } from './LoginForm.tsx';
import { encodeLogin } from './rules.ts';

/** @source specification section 4: "the page reloads after 500 ms" */
const RELOAD_MS = 500;

export type LoginPopupProps = {
  /** The game one logs in for. */
  clientId: string;
  /** Whether something the player wanted needs the login; then the popup says so. */
  isAsked: boolean;
  /** After a login that went well. */
  onDone: (() => void) | undefined;
  reload?: () => void;
};

export function LoginPopup({ clientId, isAsked, onDone, reload = () => location.reload() }: LoginPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const submit = async (username: string, password: string) => {
    setBusy(true);
    setFault('');
    const fields = encodeLogin(username, password, () => crypto.getRandomValues(new Uint8Array(3)));
    const outcome = await call(accountRoutes.login, { ...fields, client_id: clientId });
    setBusy(false);
    if (outcome.kind !== 'ok') {
      // In the popup, where the player looks, whatever the code; the server's words know how long to wait.
      setFault(outcome.kind === 'network' ? t('error.network') : outcome.msg || t('error.login_failed'));
      return;
    }
    setUser(outcome.content);
    onDone?.();
    close();
    showToast(t('login.done', { name: outcome.content.username }), 'ok');
    setTimeout(reload, RELOAD_MS);
  };
  return (
    <PopupSheet title={t('login.title')} isBusy={isBusy} isLight={false}>
      <LoginForm reason={isAsked ? t('login.first') : ''} isBusy={isBusy} fault={fault} onSubmit={submit} />
    </PopupSheet>
  );
}
