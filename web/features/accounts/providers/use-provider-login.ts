// Logins by a provider as a component has them: one at a time, in the way this browser allows.
import { useEffect, useRef, useState } from 'react';
import type { UserInfo } from '#contracts/accounts.ts';
import type { LoginKind } from '#contracts/logins.ts';
import { t } from '#web/platform/i18n.ts';
import { offerLink } from './offer-link.ts';
import { type LoginFault, type LoginStage, logInByProvider } from './provider-login.ts';
import { openProviderWindow } from './provider-window.ts';
import { wayOfLogin } from './providers.ts';

/** @source contracts/logins.ts, `return_to` */
const RETURN_LENGTH = 500;

export type ProviderLoginOptions = {
  clientId: string;
  /** Of the in-game login of a make-up payment; null for the shop's own. */
  gameId?: string | null;
  purpose: 'login' | 'link';
  /** Before the whole page goes to the provider. */
  onLeave?: (() => void) | undefined;
  onDone: (user: UserInfo, kind: LoginKind) => void;
  onFault: (fault: LoginFault) => void;
};

/** `begin` must be called by a press, else no window opens. */
export function useProviderLogin({ clientId, gameId = null, purpose, onLeave, onDone, onFault }: ProviderLoginOptions) {
  const [kind, setKind] = useState<LoginKind | null>(null);
  const [stage, setStage] = useState<LoginStage>('idle');
  const giveUp = useRef<(() => void) | null>(null);
  // With the popup or the page that asked, the window goes too.
  useEffect(() => () => giveUp.current?.(), []);
  const begin = (next: LoginKind) => {
    giveUp.current?.();
    const way = wayOfLogin(next, navigator.userAgent);
    if (way === 'refused') return void offerLink(clientId);
    const here = `${location.pathname}${location.search}`;
    setKind(next);
    giveUp.current = logInByProvider({
      kind: next,
      clientId,
      gameId,
      purpose,
      opened: way === 'window' ? openProviderWindow(t('login.window_wait')) : null,
      returnTo: here.length <= RETURN_LENGTH ? here : location.pathname,
      leave: (url) => {
        onLeave?.();
        location.assign(url);
      },
      onStage: setStage,
      onDone: (user) => onDone(user, next),
      onFault,
    });
  };
  return { kind, stage, begin, stop: () => giveUp.current?.() };
}
