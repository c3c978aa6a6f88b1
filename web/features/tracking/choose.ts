// The answer of a visitor who was asked whether this visit may be tracked.
import { save } from '#web/platform/visitor/storage.ts';
import { noteTrackingAnswered, setWaiting } from '#web/platform/visitor/track.ts';
import { eraseVisitor, keepVisitor } from '#web/platform/visitor/visitor.ts';

/** Keeps the answer. A no takes back what was kept before, also what waits to be sent. */
export function chooseTracking(choice: 'yes' | 'no'): void {
  save('trackConsent', choice);
  if (choice === 'yes') keepVisitor();
  else {
    setWaiting([]);
    eraseVisitor();
  }
  noteTrackingAnswered();
}
