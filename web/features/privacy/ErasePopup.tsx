// Having the account erased: what that means, what stands in the way, and the name typed once more.
import { type FormEvent, useId, useState } from 'react';
import { listIn } from '#kernel/languages.ts';
import { type PrivacyState, privacyRoutes } from '#contracts/privacy.ts';
import { call } from '#web/platform/calls/api.ts';
import { react } from '#web/platform/calls/reactions.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { showToast } from '#web/platform/toast.ts';
import { save } from '#web/platform/visitor/storage.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Field } from '#web/ui/controls/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from './privacy.module.css';

export type ErasePopupProps = { state: PrivacyState; name: string; onDone: () => void; onStale: () => void };

/** As the server compares them. */
const alike = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

export function ErasePopup({ state, name, onDone, onStale }: ErasePopupProps) {
  const language = useLanguage();
  const formId = useId();
  const { close } = usePopup();
  const [typed, setTyped] = useState('');
  const [givesUp, setGivesUp] = useState(false);
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const reasons = [...new Set(state.refusals.map(({ reason }) => reason))];
  const hasBalance = state.balances.length > 0;
  const isReady = alike(typed) === alike(name) && (givesUp || !hasBalance);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setBusy(true);
    const outcome = await call(privacyRoutes.erase, { name: typed, ...(givesUp ? { gives_up_balance: 1 } : {}) });
    setBusy(false);
    if (outcome.kind === 'ok') {
      save('erasureNo', outcome.content.erasure_no);
      showToast(t('privacy.is_waiting', { time: showMoment(outcome.content.due_at) }), 'ok');
      close();
      return onDone();
    }
    if (outcome.kind === 'code' && outcome.name === 'loginAgain') {
      close();
      return onStale();
    }
    if (outcome.kind === 'code' && outcome.name === 'notLoggedIn') {
      close();
      return react(outcome);
    }
    setFault(outcome.kind === 'network' ? t('network.failed') : outcome.msg || t('error.unavailable'));
  };
  const foot = reasons.length === 0 && (
    <Button kind="danger" isWide type="submit" form={formId} isBusy={isBusy} disabled={!isReady}>
      {t('privacy.erase')}
    </Button>
  );
  return (
    <PopupSheet title={t('privacy.erase')} foot={foot} isBusy={isBusy} isLight={false}>
      <form id={formId} className={styles.form} onSubmit={(event) => void submit(event)}>
        <p>{t('privacy.erase_text')}</p>
        {reasons.length > 0 ? (
          <Note tone="wait">
            <p>{t('privacy.not_yet')}</p>
            {reasons.map((reason) => (
              <p key={reason}>{t(`privacy.because_${reason}`)}</p>
            ))}
          </Note>
        ) : (
          <>
            <p>{t('privacy.erase_wait', { days: state.wait_days })}</p>
            {fault && <Note tone="bad">{fault}</Note>}
            {hasBalance && (
              <label className={styles.check}>
                <input
                  type="checkbox"
                  checked={givesUp}
                  onChange={(event) => setGivesUp(event.currentTarget.checked)}
                />
                <span>{t('privacy.give_up', { amounts: listIn(language, state.balances) })}</span>
              </label>
            )}
            <Field
              label={t('privacy.type_name', { name: `\u2068${name}\u2069` })}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={400}
              value={typed}
              onChange={(text) => {
                setTyped(text);
                setFault('');
              }}
            />
          </>
        )}
      </form>
    </PopupSheet>
  );
}
