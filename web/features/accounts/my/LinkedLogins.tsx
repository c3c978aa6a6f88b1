// On My: the companies that may vouch for this account, and adding or removing one.
import { useId } from 'react';
import type { LoginKind } from '#contracts/logins.ts';
import { identityRoutes } from '#contracts/identities.ts';
import { call } from '#web/platform/calls/api.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import { react } from '#web/platform/calls/reactions.ts';
import { showToast } from '#web/platform/toast.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import styles from '#web/features/accounts/accounts.module.css';
import { AccountRow, AccountSection } from './AccountSection.tsx';
import { askFreshLogin } from '#web/features/accounts/login/ask-fresh-login.ts';
import { copySiteLink } from '#web/features/accounts/providers/offer-link.ts';
import { ProviderState } from '#web/features/accounts/providers/ProviderButtons.tsx';
import { ProviderMark } from '#web/features/accounts/providers/ProviderMark.tsx';
import { nameOfProvider } from '#web/features/accounts/providers/providers.ts';
import { useLinkedLogins, useRefreshAccount } from '#web/features/accounts/queries.ts';
import { showMoment } from '#web/platform/moment.ts';
import { useProviderLogin } from '#web/features/accounts/providers/use-provider-login.ts';

export function LinkedLogins({ clientId }: { clientId: string }) {
  useLanguage();
  const { data, isError, refetch } = useLinkedLogins(clientId);
  const refresh = useRefreshAccount();
  const login = useProviderLogin({
    clientId,
    purpose: 'link',
    onDone: (_user, kind) => {
      showToast(t('account.linked_done', { name: nameOfProvider(kind) }), 'ok');
      refresh();
    },
    onFault: ({ isNetwork, name, msg }) => {
      if (name === 'loginAgain') void askFreshLogin();
      else showToast(isNetwork ? t('network.failed') : msg || t('error.login_failed'), 'bad');
    },
  });
  const link = (kind: LoginKind) => {
    // Asked before the provider's window opens: there the player would find out too late.
    if (data?.isFresh) login.begin(kind);
    else void askFreshLogin();
  };
  const unlink = async (kind: LoginKind) => {
    if (!data?.isFresh) return askFreshLogin();
    const name = nameOfProvider(kind);
    const isSure = await confirm({
      title: t('account.unlink_title', { name }),
      text: t('account.unlink_text'),
      cancel: t('account.cancel'),
      confirm: t('account.unlink'),
      isDanger: true,
    });
    if (!isSure) return;
    const outcome = await call(identityRoutes.unlink, { kind, client_id: clientId });
    if (outcome.kind === 'ok') showToast(t('account.unlink_done', { name }), 'ok');
    else react(outcome);
    refresh();
  };
  if (data && data.linked.length + data.free.length === 0) return null;
  return (
    <AccountSection
      title={t('account.linked_title')}
      text={t('account.linked_text')}
      state={data ? 'there' : isError ? 'failed' : 'loading'}
      onRetry={() => void refetch()}
    >
      {data?.linked.map(({ kind, linkedAt, isFounding }) => (
        <LoginRow
          key={kind}
          kind={kind}
          text={t('account.linked_on', { date: showMoment(linkedAt) })}
          action={t('account.unlink')}
          isOff={!data.canUnlink || isFounding}
          onPress={() => void unlink(kind)}
        />
      ))}
      {data?.free.map((kind) => (
        <LoginRow
          key={kind}
          kind={kind}
          text={t('account.not_linked')}
          action={t('account.link')}
          isOff={login.stage === 'finishing'}
          onPress={() => link(kind)}
        />
      ))}
      {data && data.linked.length > 0 && !data.canUnlink && <li className={styles.quiet}>{t('error.last_login')}</li>}
      {data?.canUnlink && data.linked.some((one) => one.isFounding) && (
        <li className={styles.quiet}>{t('error.founding_login')}</li>
      )}
      <li className={styles.stateRow}>
        <ProviderState
          kind={login.kind}
          stage={login.stage}
          onStop={login.stop}
          onCopy={() => void copySiteLink(clientId)}
        />
      </li>
    </AccountSection>
  );
}

type LoginRowProps = { kind: LoginKind; text: string; action: string; isOff: boolean; onPress: () => void };

function LoginRow({ kind, text, action, isOff, onPress }: LoginRowProps) {
  const id = useId();
  return (
    <AccountRow
      mark={<ProviderMark kind={kind} />}
      title={<span id={`${id}-name`}>{nameOfProvider(kind)}</span>}
      text={text}
    >
      {/* Said with the name, in the order that the words on the screen have. */}
      <Button id={id} aria-labelledby={`${id} ${id}-name`} disabled={isOff} onClick={onPress}>
        {action}
      </Button>
    </AccountRow>
  );
}
