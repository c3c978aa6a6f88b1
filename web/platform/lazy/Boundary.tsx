// Holds what breaks while it is drawn, mostly because its code did not come, so that the rest of the page
// stays. Brings nothing lazy along.
import { Component, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { reopen } from '../frame.ts';
import { t, useLanguage } from '../i18n.ts';
import { renewLostParts } from './lazy-part.ts';
import { useIsOffline } from '../calls/offline.ts';
import { usePopup } from '../popups/popups.tsx';
import styles from './boundary.module.css';

/** `isAgain`: a try has failed after the first loss. */
export type Lost = { isAgain: boolean; retry: () => void };

type State = { error: unknown; losses: number };

export class Boundary extends Component<{ fallback: (lost: Lost) => ReactNode; children: ReactNode }, State> {
  override state: State = { error: null, losses: 0 };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  override componentDidCatch(): void {
    this.setState(({ losses }) => ({ losses: losses + 1 }));
  }

  retry = () => {
    renewLostParts();
    this.setState({ error: null });
  };

  override render(): ReactNode {
    const { error, losses } = this.state;
    return error === null ? this.props.children : this.props.fallback({ isAgain: losses > 1, retry: this.retry });
  }
}

/** In place of a page, or of everything. */
export function LostPage({ lost }: { lost: Lost }) {
  useLanguage();
  return (
    <VoidState
      level={1}
      art="st-error"
      title={t('part.lost_title')}
      text={t('part.lost_text')}
      action={<LostActions lost={lost} />}
    />
  );
}

/** In place of a popup. The browser's own dialog: ours is code that may be lost as well. */
export function LostSheet({ lost }: { lost: Lost }) {
  useLanguage();
  const { popup, close } = usePopup();
  const dialog = useRef<HTMLDialogElement>(null);
  const { isClosing } = popup;
  useEffect(() => {
    const element = dialog.current;
    if (isClosing) return;
    element?.showModal();
    return () => element?.close();
  }, [isClosing]);
  if (isClosing) return null;
  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-labelledby="lost-part"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 className="voice" id="lost-part">
        {t('part.lost_title')}
      </h2>
      <p>{t('part.lost_text')}</p>
      <LostActions lost={lost} />
      <Button kind="quiet" isWide onClick={close}>
        {t('popup.close')}
      </Button>
    </dialog>
  );
}

/** In place of a bar that comes after the first picture. */
export function LostBar({ lost: { isAgain, retry } }: { lost: Lost }) {
  useLanguage();
  const isOffline = useIsOffline();
  // As below; the bar has room for one button, and the part is tried again by itself as well.
  const isReload = isAgain && !isOffline;
  return (
    <div className={styles.bar} role="status">
      <p>{t('part.lost_title')}</p>
      {isReload ? (
        <Button onClick={() => reopen()}>{t('part.reload')}</Button>
      ) : (
        <Button onClick={retry}>{t('goods.retry')}</Button>
      )}
    </div>
  );
}

function LostActions({ lost: { isAgain, retry } }: { lost: Lost }) {
  // A reload without a line would leave the browser's own page.
  const isOffline = useIsOffline();
  const isReload = isAgain && !isOffline;
  return (
    <div className={styles.ways}>
      {isReload && (
        <Button kind="pay" isWide onClick={() => reopen()}>
          {t('part.reload')}
        </Button>
      )}
      <Button kind={isReload ? 'plain' : 'pay'} isWide onClick={retry}>
        {t('goods.retry')}
      </Button>
    </div>
  );
}
