// The text of showTip(): read it, close it.
import { Button } from '#web/ui/controls/Button.tsx';
import { PopupSheet } from './PopupSheet.tsx';
import styles from './popup.module.css';
import { type TipProps, usePopup } from './popups.tsx';

export function TipPopup({ title, close: label, text }: TipProps) {
  const { close } = usePopup();
  const foot = (
    <Button isWide onClick={close}>
      {label}
    </Button>
  );
  return (
    <PopupSheet title={title} foot={foot}>
      <p className={styles.text}>{text}</p>
    </PopupSheet>
  );
}
