// The question of confirm(): two buttons, the careful one first.
import { Button } from '#web/ui/controls/Button.tsx';
import { PopupSheet } from './PopupSheet.tsx';
import styles from './popup.module.css';
import { type ConfirmProps, usePopup } from './popups.tsx';

export function ConfirmPopup({
  title,
  text,
  cancel,
  confirm,
  isDanger,
  onConfirm,
}: ConfirmProps & { onConfirm: () => void }) {
  const { close } = usePopup();
  const agree = () => {
    onConfirm();
    close();
  };
  const foot = (
    <div className={styles.two}>
      <Button onClick={close}>{cancel}</Button>
      <Button kind={isDanger ? 'danger' : 'pay'} onClick={agree}>
        {confirm}
      </Button>
    </div>
  );
  return (
    <PopupSheet title={title} foot={foot}>
      <p className={styles.text}>{text}</p>
    </PopupSheet>
  );
}
