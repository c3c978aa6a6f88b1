// Minutes and seconds to a moment, in big figures. Reads the clock again every second, so a
// sleeping tab is right when it wakes.
import { useEffect, useState } from 'react';
import styles from './countdown.module.css';

export type CountdownProps = {
  /** Epoch milliseconds. */
  endsAt: number;
  label: string;
  minutesLabel: string;
  secondsLabel: string;
  onEnd: () => void;
};

// Our choice: under a minute the figures turn to the colour of danger.
const LATE_MS = 60_000;

export function Countdown({ endsAt, label, minutesLabel, secondsLabel, onEnd }: CountdownProps) {
  const [leftMs, setLeftMs] = useState(() => Math.max(0, endsAt - Date.now()));
  useEffect(() => {
    const timer = setInterval(() => {
      const left = Math.max(0, endsAt - Date.now());
      setLeftMs(left);
      if (left > 0) return;
      clearInterval(timer);
      onEnd();
    }, 1000);
    return () => clearInterval(timer);
  }, [endsAt, onEnd]);
  const seconds = Math.ceil(leftMs / 1000);
  return (
    <div className={styles.clock} role="timer" aria-label={label} data-late={leftMs < LATE_MS ? '' : undefined}>
      <span>
        {Math.floor(seconds / 60)}
        <small>{minutesLabel}</small>
      </span>
      <span>
        {String(seconds % 60).padStart(2, '0')}
        <small>{secondsLabel}</small>
      </span>
    </div>
  );
}
