// Describes the failure in words, the report that the operator gets of it, to the letter, and the ways to say more or
// to reach somebody.
import { useId, useState } from 'react';
import { LONGEST_NOTE, type Report } from '#contracts/reports.ts';
import { useBrand } from '#web/platform/brand.ts';
import { copyText } from '#web/platform/copy/copy-text.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { currentRegion } from '#web/platform/region.ts';
import { showToast } from '#web/platform/toast.ts';
import { Button, buttonClass } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { sendNote } from './report.ts';
import styles from './reports.module.css';

export function ReportPopup({ report }: { report: Report }) {
  useLanguage();
  const { close } = usePopup();
  // Whatever game is in use: the service is the region's.
  const { support, hours } = readLegal(useBrand(), [], '', currentRegion());
  const id = useId();
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const send = async () => {
    setBusy(true);
    setFailed(false);
    const isSent = await sendNote(report, note);
    setBusy(false);
    if (!isSent) return setFailed(true);
    showToast(t('report.sent'), 'ok');
    close();
  };
  const foot = (
    <Button kind="pay" isWide isBusy={isBusy} disabled={note.trim() === ''} onClick={() => void send()}>
      {t('report.send')}
    </Button>
  );
  return (
    <PopupSheet title={t('report.title')} isBusy={isBusy} isLight={false} foot={foot}>
      <div className={styles.report}>
        <p>{t(report.kind === 'network' ? 'network.failed' : 'report.lead')}</p>
        <Reference reference={report.reference} />
        {isFailed && <Note tone="bad">{t('report.failed')}</Note>}
        <div className={styles.words}>
          <label htmlFor={id}>{t('report.note')}</label>
          <textarea
            id={id}
            rows={4}
            maxLength={LONGEST_NOTE}
            aria-describedby={`${id}-hint`}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <p id={`${id}-hint`}>{t('report.hint')}</p>
        </div>
        <WhatIsSent report={report} />
        {support && (
          <div className={styles.service}>
            <a className={buttonClass()} href={support} target="_blank" rel="noopener noreferrer">
              {t('footer.support')}
            </a>
            {hours && <bdi dir="ltr">{hours}</bdi>}
          </div>
        )}
      </div>
    </PopupSheet>
  );
}

function Reference({ reference }: { reference: string }) {
  const copy = () => copyText(reference, { copied: t('report.copied'), title: t('report.reference') });
  return (
    <p className={styles.reference}>
      <span>
        {t('report.reference')} <code dir="ltr">{reference}</code>
      </span>
      <Button kind="quiet" onClick={() => void copy()}>
        {t('result.copy')}
      </Button>
    </p>
  );
}

/** To the letter, so that nobody has to trust us about it. */
function WhatIsSent({ report }: { report: Report }) {
  const lines = [report.path, report.code || '', report.request, report.page, report.language, report.build].filter(
    Boolean,
  );
  return (
    <details className={styles.sent}>
      <summary>{t('report.what')}</summary>
      <code dir="ltr">{lines.join('\n')}</code>
    </details>
  );
}
