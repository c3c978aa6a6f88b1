// How long a page took to show what a press did, from the browser's own event timing. Pure.
import { median } from '../kit/figures.ts';

/** One event of a press: pointerdown, pointerup, click, ... @source https://w3c.github.io/event-timing/ */
export type PressEvent = { readonly interactionId: number; readonly duration: number };

/** Presses of one walk, in milliseconds, each from the finger to the next picture. */
export type Walk = {
  readonly choosing: readonly number[];
  readonly opening: number;
  /** From the press to the ways to pay. */
  readonly untilMethodsMs: number;
  /** Requests from the first press to the ways to pay. */
  readonly requests: number;
  readonly layoutShift: number;
};

/** The browser tells of no event that took less; rounded to 8 ms. */
export const SHORTEST_MS = 16;

/** The slowest event of a press; events without an interaction (moving, hovering) are none of its. */
export function pressDuration(events: readonly PressEvent[]): number {
  const own = events.filter(({ interactionId }) => interactionId > 0).map(({ duration }) => duration);
  return Math.max(SHORTEST_MS, ...own);
}

export type WalkFigures = {
  readonly choosingMs: number;
  readonly openingMs: number;
  readonly untilMethodsMs: number;
  readonly requests: number;
  readonly layoutShift: number;
};

/**
 * Of each walk the slowest press, as INP counts pages of few presses; of all walks the median, for the machine is never
 * quite still. The layout shift is the worst: one that comes now and then is there. NaN without walks.
 */
export function sumUpWalks(walks: readonly Walk[]): WalkFigures {
  const of = (figure: (walk: Walk) => number) => median(walks.map(figure));
  return {
    choosingMs: of(({ choosing }) => (choosing.length > 0 ? Math.max(...choosing) : Number.NaN)),
    openingMs: of(({ opening }) => opening),
    untilMethodsMs: of(({ untilMethodsMs }) => untilMethodsMs),
    requests: of(({ requests }) => requests),
    layoutShift: walks.length > 0 ? Math.max(...walks.map(({ layoutShift }) => layoutShift)) : Number.NaN,
  };
}
