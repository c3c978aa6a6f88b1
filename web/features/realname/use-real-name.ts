// The button that begins the check: busy until the browser leaves or an answer says why it does not.
import { useState } from 'react';
import { heldInFrame } from '#web/platform/frame.ts';
import { clientOfPage } from '#web/platform/visitor/page-client.ts';
import { showToast } from '#web/platform/toast.ts';
import { beginRealName } from './open.ts';

/** @param onDecided nothing was left to do: what is shown is to be read again */
export function useRealName(onDecided: () => void): { isBusy: boolean; begin: () => void } {
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    const begun = await beginRealName(clientOfPage());
    // Busy while the browser is on its way; a frame stays.
    if (begun.kind === 'gone' && !heldInFrame()) return;
    setBusy(false);
    if (begun.kind === 'failed') showToast(begun.text, 'bad');
    if (begun.kind === 'decided') onDecided();
  };
  return { isBusy, begin: () => void begin() };
}
