// One field for the code of a game. It logs nobody in: the page that it leads to asks whose account to go on with.
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { linkRoutes } from '#contracts/links.ts';
import { readEntryCode, showEntryCode } from '#kernel/entry-codes.ts';
import { call } from '#web/platform/calls/api.ts';
import { currentLanguage, t, useLanguage } from '#web/platform/i18n.ts';
import { save } from '#web/platform/visitor/storage.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Field } from '#web/ui/controls/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from '#web/features/accounts/accounts.module.css';

/** @param props.go leaves the page */
export function CodeForm({ go = (path) => location.assign(path) }: { go?: (path: string) => void }) {
  useLanguage();
  const [brought] = useState(codeOfAddress);
  const [typed, setTyped] = useState(brought === null ? '' : showEntryCode(brought));
  const [isBusy, setBusy] = useState(brought !== null);
  const [fault, setFault] = useState('');
  const send = async (code: string) => {
    const outcome = await call(linkRoutes.enterCode, { code });
    if (outcome.kind === 'ok') {
      keepLanguage();
      return go(outcome.content.to);
    }
    setBusy(false);
    setFault(outcome.kind === 'network' ? t('network.failed') : outcome.msg || t('code.refused'));
  };
  const begin = useEffectEvent((code: string) => void send(code));
  useEffect(() => {
    if (brought === null) return;
    // Whoever looks at the history finds nothing to type again.
    history.replaceState(history.state, '', location.pathname + location.search);
    queueMicrotask(() => begin(brought));
  }, [brought]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const code = readEntryCode(typed);
    setFault(code === null ? t('code.refused') : '');
    if (code === null) return;
    setBusy(true);
    void send(code);
  };
  return (
    <form className={styles.code} onSubmit={submit}>
      <h1 className="voice">{t('code.title')}</h1>
      <p>{t('code.text')}</p>
      {fault && <Note tone="bad">{fault}</Note>}
      <Field
        label={t('code.label')}
        value={typed}
        onChange={(value) => setTyped(value.toUpperCase())}
        placeholder="WDJB-MJHT"
        dir="ltr"
        autoCapitalize="characters"
        autoComplete="one-time-code"
        autoCorrect="off"
        spellCheck={false}
        maxLength={16}
        required
      />
      <Button kind="pay" type="submit" isWide isBusy={isBusy} disabled={typed === ''}>
        {t('code.submit')}
      </Button>
    </form>
  );
}

/** The page that asks whose account it is has no query: an address's language goes on by the cookie, for a day. */
function keepLanguage(): void {
  if (new URLSearchParams(location.search).has('spec_lang')) save('language', currentLanguage(), 1);
}

/** The code behind "#" of a link; null for none. */
function codeOfAddress(): string | null {
  return readEntryCode(location.hash.slice(1));
}
