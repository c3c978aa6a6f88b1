// The text of showTip(), plain or with a few elements of HTML: read it, close it.
import { Button } from '#web/ui/controls/Button.tsx';
import { PopupSheet } from './PopupSheet.tsx';
import { SafeHtml } from './SafeHtml.tsx';
import styles from './popup.module.css';
import { type TipProps, usePopup } from './popups.tsx';

export function TipPopup({ title, close: label, ...content }: TipProps) {
  const { close } = usePopup();
  const foot = (
    <Button isWide onClick={close}>
      {label}
    </Button>
  );
  return (
    <PopupSheet title={title} foot={foot}>
      {'html' in content ? (
        <div className={styles.html}>
          <SafeHtml html={content.html} />
        </div>
      ) : (
        <p className={styles.text}>{content.text}</p>
      )}
    </PopupSheet>
  );
}
