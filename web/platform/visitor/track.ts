// Moments of a visit, noted where they happen and sent by a part that comes after the first picture
// (features/tracking). Where the visitor has not agreed, or the brand tracks nothing, a moment is forgotten on the
// spot.
import { useSyncExternalStore } from 'react';
import type { MomentName, TrackData } from '#contracts/tracking.ts';
import { readBoot } from '../boot.ts';
import { loadText } from './storage.ts';

export type Noted = { event: MomentName; data: Record<string, string | number>; time: number };

/** `open`: to be asked. */
export type TrackChoice = 'yes' | 'no' | 'open';

/** Our choice: what a visit makes before the sender is there, or while the line is gone. The oldest goes first. */
const MAX_WAITING = 50;

let waiting: Noted[] = [];
let isAsking = false;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Notes a moment, if this visit may be tracked. */
export function track<Name extends MomentName>(event: Name, data: TrackData<Name> = {}): void {
  if (trackChoice() !== 'yes') return;
  waiting = [...waiting, { event, data: data as Noted['data'], time: Date.now() }].slice(-MAX_WAITING);
  tell();
}

/**
 * Returns the visitor's choice about tracking. A browser that asks all sites not to is a no, but for an agreement given
 * here.
 */
export function trackChoice(): TrackChoice {
  const { tracking, needsTrackingConsent } = readBoot().brand;
  if (!tracking) return 'no';
  const kept = loadText('trackConsent');
  if (kept === 'yes' || kept === 'no') return kept;
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true) return 'no';
  return needsTrackingConsent ? 'open' : 'yes';
}

/** The question was answered; web/features/tracking/choose.ts keeps the answer. */
export function noteTrackingAnswered(): void {
  isAsking = false;
  tell();
}

/** Asks again, for whoever has changed their mind. */
export function askTracking(): void {
  isAsking = true;
  tell();
}

/** Returns true when the question is to be shown: while nobody has answered, and when somebody wants to answer anew. */
export function useIsTrackingAsked(): boolean {
  const read = () => isAsking || trackChoice() === 'open';
  return useSyncExternalStore(watchTracking, read, read);
}

/** Calls `listener` after every moment and every answer. Returns the way to stop. */
export function watchTracking(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lists the events that wait to be sent, the oldest first. */
export function waitingMoments(): readonly Noted[] {
  return waiting;
}

/** Puts another list in its place: without what was sent, or with what an earlier page could not send. */
export function setWaiting(next: readonly Noted[]): void {
  waiting = next.slice(-MAX_WAITING);
}
