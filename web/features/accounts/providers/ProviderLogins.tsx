// The part of the login popup that other companies answer for.
import { useEffect } from 'react';
import type { UserInfo } from '#contracts/accounts.ts';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import styles from '#web/features/accounts/accounts.module.css';
import { copySiteLink } from './offer-link.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { useOfferedKinds } from '#web/features/accounts/queries.ts';
import { useProviderLogin } from './use-provider-login.ts';

export type ProviderLoginsProps = {
  clientId: string;
  /** Of the in-game login of a make-up payment; null for the shop's own. */
  gameId: string | null;
  isBusy: boolean;
  /** The server is asking the provider: nothing else may begin, and nothing may be closed. */
  onBusy: (isBusy: boolean) => void;
  onLeave: (() => void) | undefined;
  onDone: (user: UserInfo) => void;
};

export function ProviderLogins({ clientId, gameId, isBusy, onBusy, onLeave, onDone }: ProviderLoginsProps) {
  useLanguage();
  const { kinds, isFailed, retry } = useOfferedKinds(clientId);
  const { kind, stage, begin, stop } = useProviderLogin({
    clientId,
    gameId,
    purpose: 'login',
    onLeave,
    onDone,
    // @source specification section 8: "Login failures: toast 'log_fail'"
    onFault: ({ isNetwork, msg }) => showToast(isNetwork ? t('network.failed') : msg || t('error.login_failed'), 'bad'),
  });
  const isFinishing = stage === 'finishing';
  useEffect(() => onBusy(isFinishing), [onBusy, isFinishing]);
  if (isFailed) {
    return (
      <p className={styles.quiet}>
        {t('login.ways_failed')}{' '}
        <Button kind="quiet" onClick={retry}>
          {t('goods.retry')}
        </Button>
      </p>
    );
  }
  return (
    <ProviderButtons
      kinds={kinds}
      expected={readBoot().brand.logins.kinds.length}
      kind={kind}
      stage={stage}
      isBusy={isBusy}
      onPress={begin}
      onStop={stop}
      onCopy={() => void copySiteLink(clientId)}
    />
  );
}
