// A box in the brand's colours: closed while an order waits, its lid flies off at the delivery.
import styles from './celebration.module.css';

export function Box() {
  return (
    <svg className={styles.box} viewBox="0 0 120 100" aria-hidden="true">
      <path fill="var(--w2, var(--accent))" d="M14 44h92v44a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6z" />
      <path fill="var(--w3, var(--accent-down))" d="M14 44h92v9H14z" />
      <path fill="var(--spark)" d="M52 44h16v50H52z" />
      <g className={styles.lid}>
        <rect fill="var(--w1, var(--accent-up))" x="8" y="28" width="104" height="20" rx="5" />
        <path
          fill="var(--spark)"
          d="M52 28h16v20H52zM60 28c-7-15-25-17-25-7 0 6 13 8 25 7 12 1 25-1 25-7 0-10-18-8-25 7z"
        />
      </g>
    </svg>
  );
}
