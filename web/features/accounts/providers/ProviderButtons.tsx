// The logins by other companies: a button each, and what is going on once one was pressed.
import { useId } from 'react';
import type { LoginKind } from '#contracts/logins.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from '#web/features/accounts/accounts.module.css';
import { ProviderMark } from './ProviderMark.tsx';
import type { LoginStage } from './provider-login.ts';
import { nameOfProvider } from './providers.ts';

export type ProviderButtonsProps = {
  /** Null while it is not known which there are; then `expected` boxes keep their place. */
  kinds: readonly LoginKind[] | null;
  expected: number;
  /** The one that was pressed last, and how far it is. */
  kind: LoginKind | null;
  stage: LoginStage;
  isBusy: boolean;
  onPress: (kind: LoginKind) => void;
  onStop: () => void;
  onCopy: () => void;
};

export function ProviderButtons({ kinds, expected, kind, stage, isBusy, ...on }: ProviderButtonsProps) {
  useLanguage();
  const id = useId();
  if (kinds?.length === 0 || (!kinds && expected === 0)) return null;
  return (
    <div className={styles.providers} role="group" aria-labelledby={id} aria-busy={!kinds || undefined}>
      <p className={styles.or} id={id}>
        {t('login.or')}
      </p>
      <div className={styles.others}>
        {kinds
          ? kinds.map((one) => (
              <button
                key={one}
                type="button"
                className={styles.provider}
                aria-disabled={isBusy || undefined}
                data-waiting={one === kind && stage !== 'idle' ? '' : undefined}
                onClick={() => !isBusy && on.onPress(one)}
              >
                <ProviderMark kind={one} />
                {nameOfProvider(one)}
              </button>
            ))
          : Array.from({ length: expected }, (_, place) => <Skeleton key={place} className={styles.provider} />)}
      </div>
      <ProviderState kind={kind} stage={stage} onStop={on.onStop} onCopy={on.onCopy} />
    </div>
  );
}

/**
 * Says what the player has to do elsewhere; the box is there from the beginning, so that it
 * is read out when it changes.
 */
export function ProviderState({
  kind,
  stage,
  onStop,
  onCopy,
}: Pick<ProviderButtonsProps, 'kind' | 'stage' | 'onStop' | 'onCopy'>) {
  const name = kind ? nameOfProvider(kind) : '';
  return (
    <div role="status" className={styles.state}>
      {stage === 'finishing' && <Note tone="wait">{t('login.callback_wait')}</Note>}
      {(stage === 'waiting' || stage === 'slow') && (
        <>
          <Note tone="wait">{stage === 'slow' ? t('login.window_slow') : t('login.window_open', { name })}</Note>
          <div className={styles.stateActions}>
            {stage === 'slow' && (
              <Button kind="quiet" onClick={onCopy}>
                {t('login.copy')}
              </Button>
            )}
            <Button kind="quiet" onClick={onStop}>
              {t('account.cancel')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
