// A labelled text field with its hint or fault under it; passwords have an eye.
import { type InputHTMLAttributes, type Ref, useId, useState } from 'react';
import { Icon } from '../pictures/Icon.tsx';
import styles from './field.module.css';

export type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id' | 'onChange' | 'value'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The player should know this before typing; read out with the label. */
  hint?: string;
  /**
   * The fault in words; empty when there is none. Where the words stand elsewhere: `aria-invalid` and
   * `aria-describedby`.
   */
  fault?: string;
  /** Labels of the eye; given for passwords only. */
  eye?: { show: string; hide: string };
  ref?: Ref<HTMLInputElement>;
};

export function Field({ label, value, onChange, hint = '', fault = '', eye, type = 'text', ...rest }: FieldProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const isBad = fault !== '' || rest['aria-invalid'] === true;
  const notes = [rest['aria-describedby'], hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className={styles.field} data-bad={isBad ? '' : undefined}>
      <label htmlFor={id} id={`${id}-label`}>
        {label}
      </label>
      <span className={styles.box}>
        <input
          {...rest}
          id={id}
          type={eye ? (isShown ? 'text' : 'password') : type}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          aria-invalid={isBad || undefined}
          aria-describedby={notes || undefined}
          data-eye={eye ? '' : undefined}
        />
        {eye && (
          <button
            type="button"
            className={styles.eye}
            aria-label={isShown ? eye.hide : eye.show}
            // Whose eye it is: a form may have two.
            aria-describedby={`${id}-label`}
            onClick={() => setShown(!isShown)}
          >
            <Icon name={isShown ? 'eye-off' : 'eye'} />
          </button>
        )}
      </span>
      {hint && (
        <span className={styles.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fault && (
        <span className={styles.fault} id={`${id}-fault`}>
          <Icon name="alert" />
          {fault}
        </span>
      )}
    </div>
  );
}
