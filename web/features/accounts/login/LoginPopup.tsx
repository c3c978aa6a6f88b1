// The login popup: by account, by card, by another company; and what follows a login.
import { useState } from 'react';
import { accountRoutes, type UserInfo } from '#contracts/accounts.ts';
import { ingameLoginRoutes, loginRoutes } from '#contracts/logins.ts';
import { parseQuery, paths, readSearch, writeQuery } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { call } from '#web/platform/calls/api.ts';
import { isFramed } from '#web/platform/frame.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { keepFocus } from '#web/platform/popups/keep-focus.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import type { ReplenishKeys } from '#web/platform/visitor/replenish-flow.ts';
import { addressAfterLogin } from '#web/platform/visitor/replenish-login.ts';
import { setUser } from '#web/platform/visitor/session.ts';
import { showToast } from '#web/platform/toast.ts';
import { track } from '#web/platform/visitor/track.ts';
import { Tabs } from '#web/ui/controls/Tabs.tsx';
import styles from '#web/features/accounts/accounts.module.css';
import { accountHelpOf } from './account-help.ts';
import { LegalLine } from './LegalLine.tsx';
import { LoginForm } from './LoginForm.tsx';
import { OwnWindowSheet } from './OwnWindowSheet.tsx';
import { clientOfPage } from '#web/platform/visitor/page-client.ts';
import { ProviderLogins } from '#web/features/accounts/providers/ProviderLogins.tsx';
import { encodeCard, encodeLogin } from '#web/features/accounts/rules.ts';

/** Comes with the popup: whoever opens it in such a visit has to know the game first. */
export { gameOfReplenish } from '#web/platform/visitor/replenish-login.ts';

/** @source specification section 4: "the page reloads after 500 ms" */
const RELOAD_MS = 500;

export type LoginPopupProps = {
  /**
   * After a login that went well; before the page goes away for one. There when something the
   * player wanted needs the login.
   */
  onDone: (() => void) | undefined;
  /** The player was logged in a moment ago, and is told so. */
  isEnded?: boolean | undefined;
  /** The game one logs in for; the page's own. */
  clientId?: string;
  /** For a make-up payment: the in-game login of its game, and the payment that it leads to. */
  ingame?: { gameId: string; flow: ReplenishKeys } | undefined;
  /** Starts the page again, at another address of ours where one is given. */
  reload?: (address: string | null) => void;
};

export function LoginPopup(props: LoginPopupProps) {
  return isFramed() ? <OwnWindowSheet clientId={props.clientId ?? clientOfPage()} /> : <LoginSheet {...props} />;
}

const startAgain = (address: string | null) => (address === null ? location.reload() : location.assign(address));

function LoginSheet({ onDone, isEnded, ingame, clientId = clientOfPage(), reload = startAgain }: LoginPopupProps) {
  useLanguage();
  const { close, popup } = usePopup();
  const [by, setBy] = useState<'account' | 'card'>('account');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const finish = async (user: UserInfo) => {
    setBusy(true);
    // The server said yes; whether the browser kept its cookie shows at the next call.
    const kept = await call(accountRoutes.getUserInfo, { client_id: clientId });
    setBusy(false);
    if (kept.kind === 'code' && kept.name === 'notLoggedIn') return setFault(t('error.cookie_lost'));
    setUser(user);
    keepFocus(popup.opener);
    onDone?.();
    close();
    showToast(t('login.done', { name: user.username }), 'ok');
    const next = ingame ? await addressAfterLogin(ingame.flow) : null;
    setTimeout(() => reload(next), RELOAD_MS);
  };
  const submit = async (name: string, password: string) => {
    setBusy(true);
    setFault('');
    const random = () => crypto.getRandomValues(new Uint8Array(3));
    const outcome = await callLogin(by, { name, password, random }, ingame?.gameId ?? null, clientId);
    setBusy(false);
    if (outcome.kind === 'ok') return finish(outcome.content);
    track('login_fail', { by, code: outcome.kind === 'code' ? outcome.code : 0 });
    // In the popup, where the player looks, whatever the code; the server's words know how long to wait.
    setFault(outcome.kind === 'network' ? t('network.failed') : outcome.msg || t('error.login_failed'));
  };
  const choose = (next: 'account' | 'card') => {
    setBy(next);
    setFault('');
  };
  const help = accountHelpOf(clientId);
  const tabs = [
    { key: 'account', label: t('login.by_account') },
    { key: 'card', label: t('login.by_card') },
  ] as const;
  return (
    <PopupSheet title={t('login.title')} isBusy={isBusy} isLight={false} isSplit>
      <div className={`${styles.login} ${styles.besides}`}>
        <Tabs label={t('login.ways')} tabs={tabs} chosen={by} onChoose={(key) => !isBusy && choose(key)}>
          <LoginForm
            key={by}
            by={by}
            reason={isEnded ? t('login.ended') : onDone ? t('login.first') : ''}
            isBusy={isBusy}
            fault={fault}
            help={help}
            onSubmit={submit}
          />
        </Tabs>
        <ProviderLogins
          clientId={clientId}
          gameId={ingame?.gameId ?? null}
          isBusy={isBusy}
          onBusy={setBusy}
          onLeave={onDone}
          onDone={(user) => void finish(user)}
        />
        {readBoot().brand.hasEntryCodes && (
          <a
            className={styles.help}
            href={paths.code + writeQuery(readSearch(parseQuery(location.search)))}
            onClick={onDone}
          >
            {t('code.offer')}
          </a>
        )}
        <LegalLine clientId={clientId} />
      </div>
    </PopupSheet>
  );
}

type Typed = { name: string; password: string; random: () => Uint8Array };

/** @param gameId of the in-game login; null for the shop's own. @source specification section 7, "/api/ingame/" */
function callLogin(by: 'account' | 'card', { name, password, random }: Typed, gameId: string | null, clientId: string) {
  if (by === 'card') {
    const card = encodeCard(name, password, random);
    return gameId === null
      ? call(loginRoutes.card, { ...card, client_id: clientId })
      : call(ingameLoginRoutes.card, { ...card, game_id: gameId });
  }
  const account = encodeLogin(name, password, random);
  return gameId === null
    ? call(accountRoutes.login, { ...account, client_id: clientId })
    : call(ingameLoginRoutes.password, { ...account, game_id: gameId });
}
