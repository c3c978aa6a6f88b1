// Shows the outcome of the check, after the player is back: verified, refused, not finished; or nobody could say.
// @source specification section 8, "User messages": "not real-name verified, go verify; real-name check request failed,
// go to the first page and redo it"
import type { ReactNode } from 'react';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { useRealNameState } from './queries.ts';
import { useRealName } from './use-real-name.ts';
import styles from './realname.module.css';

/** @param home the link that leads to the first page */
export function RealNameResult({ home }: { home: ReactNode }) {
  useLanguage();
  const user = useUser();
  const { data, isError, error, refetch } = useRealNameState();
  const { isBusy, begin } = useRealName(() => void refetch());
  const beginButton = (label: string) => (
    <Button kind="pay" isBusy={isBusy} onClick={begin}>
      {label}
    </Button>
  );
  if (!user) {
    const login = (
      <Button kind="pay" onClick={() => openLogin()}>
        {t('login.submit')}
      </Button>
    );
    return (
      <VoidState
        level={1}
        art="st-empty"
        title={t('real_name.title')}
        text={t('real_name.login_text')}
        action={login}
      />
    );
  }
  if (isError)
    return (
      <VoidState
        level={1}
        art="st-error"
        title={t('real_name.failed_title')}
        text={tellFault(error, t('error.real_name_failed'))}
        action={home}
      />
    );
  if (!data)
    return (
      <div role="status" aria-label={t('real_name.loading')} className={styles.card}>
        <Skeleton />
      </div>
    );
  switch (data.state) {
    case 'verified':
      return (
        <VoidState
          level={1}
          art="st-done"
          title={t('real_name.verified_title')}
          text={t('real_name.verified_text')}
          action={home}
        />
      );
    case 'notNeeded':
      return <VoidState level={1} art="st-done" title={t('real_name.not_needed')} action={home} />;
    case 'refused':
      return (
        <VoidState
          level={1}
          art="st-error"
          title={t('real_name.refused_title')}
          text={t('real_name.refused_text')}
          action={beginButton(t('real_name.again'))}
        />
      );
    case 'unfinished':
      return (
        <VoidState
          level={1}
          art="st-expired"
          title={t('real_name.unfinished_title')}
          text={t('real_name.unfinished_text')}
          action={beginButton(t('real_name.start'))}
        />
      );
  }
}
