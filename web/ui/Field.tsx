// A labelled text field with its fault under it; passwords have an eye.
import { type InputHTMLAttributes, useId, useState } from 'react';
import { Icon } from './Icon.tsx';
import styles from './field.module.css';

export type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id' | 'onChange' | 'value'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong, in words; empty when nothing is. */
  fault?: string;
  /** Labels of the eye; given for passwords only. */
  eye?: { show: string; hide: string };
};

export function Field({ label, value, onChange, fault = '', eye, type = 'text', ...rest }: FieldProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.field} data-bad={fault ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.box}>
        <input
          {...rest}
          id={id}
          type={eye ? (isShown ? 'text' : 'password') : type}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-fault` : undefined}
          data-eye={eye ? '' : undefined}
        />
        {eye && (
          <button
            type="button"
            className={styles.eye}
            aria-label={isShown ? eye.hide : eye.show}
            onClick={() => setShown(!isShown)}
          >
            <Icon name={isShown ? 'eye-off' : 'eye'} />
          </button>
        )}
      </span>
      {fault && (
        <span className={styles.fault} id={`${id}-fault`}>
          <Icon name="alert" />
          {fault}
        </span>
      )}
    </div>
  );
}
