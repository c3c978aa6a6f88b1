// The button: plain, the one that pays (accent fill, one a screen), quiet (text only) or danger (ends something).
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';

export type ButtonKind = 'plain' | 'pay' | 'quiet' | 'danger';

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  kind?: ButtonKind;
  /** As wide as its box. */
  isWide?: boolean;
  /** A square for one icon; give it an aria-label. */
  isRound?: boolean;
  /** Works on it: shows a spinner, keeps its width and its focus, takes no press. */
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
  children?: ReactNode;
};

export function Button({ kind = 'plain', isWide, isRound, isBusy, onClick, children, type, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      className={buttonClass(kind, isWide, isRound)}
      aria-busy={isBusy || undefined}
      // Not `disabled`: a disabled button loses the focus in the middle of a payment.
      aria-disabled={isBusy || rest['aria-disabled'] || undefined}
      onClick={isBusy ? preventPress : onClick}
    >
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
      <span className={styles.words}>{children}</span>
    </button>
  );
}

function preventPress(event: { preventDefault: () => void }): void {
  event.preventDefault();
}

/** The class of a link that looks like a button. */
export function buttonClass(kind: ButtonKind = 'plain', isWide = false, isRound = false): string {
  return [styles.button, styles[kind], isWide && styles.wide, isRound && styles.round].filter(Boolean).join(' ');
}
