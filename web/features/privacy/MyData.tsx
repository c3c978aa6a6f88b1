// My data: what the shop holds about the player in words, a copy of it, and having it erased.
import { useId, useState } from 'react';
import { type PrivacyState, privacyRoutes } from '#contracts/privacy.ts';
import { call } from '#web/platform/calls/api.ts';
import { change } from '#web/platform/calls/change.ts';
import { react } from '#web/platform/calls/reactions.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { showMoment } from '#web/platform/moment.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { showToast } from '#web/platform/toast.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { usePrivacy, useRefreshPrivacy } from './queries.ts';
import { saveFile } from './save-file.ts';
import styles from './privacy.module.css';

const ErasePopup = lazyPart(() => import('./ErasePopup.tsx').then((module) => module.ErasePopup));

/** A player of ten years has some megabytes, and a phone some seconds for each. */
const DOWNLOAD_MS = 120_000;

const HELD = ['account', 'orders', 'benefits', 'devices', 'age'] as const;

/** @param onStale a fresh login is wanted first */
export function MyData({ onStale }: { onStale: () => void }) {
  useLanguage();
  const id = useId();
  const user = useUser();
  const { data, isError, refetch } = usePrivacy();
  if (!user) return null;
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 className="voice" id={id}>
        {t('privacy.title')}
      </h2>
      <p className={styles.quiet}>{t('privacy.text')}</p>
      <dl className={styles.held}>
        {HELD.map((part) => (
          <div key={part}>
            <dt>{t(`privacy.held_${part}`)}</dt>
            <dd>{t(`privacy.held_${part}_text`)}</dd>
          </div>
        ))}
      </dl>
      {isError && !data && (
        <p className={styles.quiet}>
          {t('account.part_error')}{' '}
          <Button kind="quiet" onClick={() => void refetch()}>
            {t('goods.retry')}
          </Button>
        </p>
      )}
      {data && <Acts state={data} name={user.username} onStale={onStale} />}
    </section>
  );
}

function Acts({ state, name, onStale }: { state: PrivacyState; name: string; onStale: () => void }) {
  const refresh = useRefreshPrivacy();
  const [isBusy, setBusy] = useState(false);
  const waits = state.erasure?.state === 'waiting' ? state.erasure : null;
  if (!state.can_act) return <Note>{t('privacy.only_here')}</Note>;
  const download = async () => {
    if (!state.is_fresh) return onStale();
    setBusy(true);
    const outcome = await call(privacyRoutes.export, {}, { timeoutMs: DOWNLOAD_MS });
    setBusy(false);
    if (outcome.kind === 'ok') {
      saveFile(`my-data-${new Date().toISOString().slice(0, 10)}.json`, outcome.content);
      return showToast(t('privacy.downloaded'), 'ok');
    }
    if (outcome.kind === 'code' && outcome.name === 'loginAgain') onStale();
    else react(outcome);
    refresh();
  };
  const keep = async () => {
    setBusy(true);
    const outcome = await change(privacyRoutes.keep, {});
    setBusy(false);
    if (outcome.kind === 'ok') showToast(t('privacy.kept'), 'ok');
    else react(outcome);
    refresh();
  };
  const erase = () => {
    if (!state.is_fresh) return onStale();
    openPopup(ErasePopup, { state, name, onDone: refresh, onStale });
  };
  return (
    <>
      {waits && (
        <Note tone="wait">
          <p>{t('privacy.is_waiting', { time: showMoment(waits.due_at) })}</p>
          <p className={styles.number}>{t('privacy.number', { no: waits.erasure_no })}</p>
          {waits.refusals.map((reason) => (
            <p key={reason}>{t(`privacy.because_${reason}`)}</p>
          ))}
        </Note>
      )}
      <div className={styles.acts}>
        <Button isBusy={isBusy} onClick={() => void download()}>
          {t('privacy.download')}
        </Button>
        {waits ? (
          <Button kind="pay" isBusy={isBusy} onClick={() => void keep()}>
            {t('privacy.keep')}
          </Button>
        ) : (
          <Button kind="danger" aria-haspopup="dialog" disabled={isBusy} onClick={erase}>
            {t('privacy.erase')}
          </Button>
        )}
      </div>
    </>
  );
}
