// The present for countdowns: one clock a component, told every half minute, since minutes are the smallest part shown.
import { useEffect, useState } from 'react';
import { MINUTE_MS } from '#kernel/time.ts';

/** Epoch milliseconds, renewed every 30 s while `isNeeded` and when the page is looked at again. */
export function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isNeeded) return;
    const renew = () => setNow(Date.now());
    const timer = setInterval(renew, MINUTE_MS / 2);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [isNeeded]);
  return now;
}
