// Short messages over the page. The list is always there, so that screen readers hear what is put into it.
import { Icon, type IconName } from './pictures/Icon.tsx';
import styles from './toasts.module.css';

export type Toast = { id: number; text: string; tone: 'plain' | 'ok' | 'bad'; action?: ToastAction | undefined };
export type ToastAction = { label: string; onPress: () => void };

const ICONS: Record<Toast['tone'], IconName> = { plain: 'info', ok: 'check', bad: 'alert' };

export function Toasts({ toasts }: { toasts: readonly Toast[] }) {
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <p className={styles.toast} key={toast.id}>
          <Icon name={ICONS[toast.tone]} />
          <span>{toast.text}</span>
          {toast.action && (
            <button type="button" onClick={toast.action.onPress}>
              {toast.action.label}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
