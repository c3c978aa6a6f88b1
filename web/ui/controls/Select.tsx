// A labelled choice from a list: the device's own picker, which knows long lists best.
import { useId } from 'react';
import styles from './field.module.css';

export type Option = { value: string; label: string };

export type SelectProps = {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  /** The entry that stands for "none yet"; it cannot be chosen again. */
  placeholder?: string;
};

export function Select({ label, options, value, onChange, placeholder }: SelectProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
