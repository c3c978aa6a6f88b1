// On My: where the account is logged in, and logging out there.
import { useId, useState } from 'react';
import { type OwnSession, sessionRoutes } from '#contracts/sessions.ts';
import type { Outcome } from '#web/platform/calls/api.ts';
import { change } from '#web/platform/calls/change.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import { react } from '#web/platform/calls/reactions.ts';
import { showToast } from '#web/platform/toast.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { AccountRow, AccountSection } from './AccountSection.tsx';
import { askFreshLogin } from '#web/features/accounts/login/ask-fresh-login.ts';
import { nameOfProvider } from '#web/features/accounts/providers/providers.ts';
import { useOwnSessions, useRefreshAccount } from '#web/features/accounts/queries.ts';
import { showMoment } from '#web/platform/moment.ts';

export function OwnSessions() {
  useLanguage();
  const { data, isError, refetch } = useOwnSessions();
  const refresh = useRefreshAccount();
  const [isBusy, setBusy] = useState(false);
  /** @param device of the session to end; null for all others */
  const end = async (device: string | null, ask: () => Promise<Outcome<unknown>>) => {
    if (!data?.canEnd) return askFreshLogin();
    const isSure = await confirm({
      title: device === null ? t('account.end_others_title') : t('account.end_title'),
      text: device === null ? t('account.end_others_text') : t('account.end_text', { device }),
      cancel: t('account.cancel'),
      confirm: t('logout.confirm'),
      isDanger: true,
    });
    if (!isSure) return;
    setBusy(true);
    const outcome = await ask();
    setBusy(false);
    if (outcome.kind === 'ok') showToast(t('account.ended'), 'ok');
    else react(outcome);
    refresh();
  };
  const others = data?.list.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  return (
    <AccountSection
      title={t('account.sessions_title')}
      text={t('account.sessions_text')}
      state={data ? 'there' : isError ? 'failed' : 'loading'}
      onRetry={() => void refetch()}
      foot={
        others > 1 && (
          <Button isWide isBusy={isBusy} onClick={() => void end(null, () => change(sessionRoutes.endOthers, {}))}>
            {t('account.end_others')}
          </Button>
        )
      }
    >
      {data?.list.map((session) => (
        <SessionRow
          key={session.id}
          session={session}
          isBusy={isBusy}
          onEnd={(device) => void end(device, () => change(sessionRoutes.end, { id: session.id }))}
        />
      ))}
    </AccountSection>
  );
}

type SessionRowProps = { session: OwnSession; isBusy: boolean; onEnd: (device: string) => void };

function SessionRow({ session: { device, method, seenAt, isCurrent }, isBusy, onEnd }: SessionRowProps) {
  useLanguage();
  const id = useId();
  const name = device || t('account.session_unknown');
  const seen = t('account.session_seen', { time: showMoment(seenAt) });
  const way = method === 'other' ? '' : nameOfMethod(method);
  return (
    <AccountRow
      mark={<Icon name={/Android|iOS/.test(device) ? 'phone' : 'globe'} />}
      title={<bdi id={`${id}-name`}>{name}</bdi>}
      text={[way, seen].filter(Boolean).join(' · ')}
    >
      {isCurrent ? (
        <Chip>{t('account.session_current')}</Chip>
      ) : (
        <Button id={id} aria-labelledby={`${id} ${id}-name`} disabled={isBusy} onClick={() => onEnd(name)}>
          {t('logout.confirm')}
        </Button>
      )}
    </AccountRow>
  );
}

function nameOfMethod(method: Exclude<OwnSession['method'], 'other'>): string {
  if (method === 'password') return t('login.password');
  return method === 'card' ? t('login.by_card') : nameOfProvider(method);
}
