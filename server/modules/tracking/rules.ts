// Reads the events of a call: known by id, with the data that their moment may have and nothing else. Pure.
import { type DotInput, MOMENTS, type MomentName, type TrackValue } from '#contracts/tracking.ts';

/** Our choice, characters: ids that browsers make have 36, names of ours fewer. */
const LONGEST_TEXT = 64;

/** A visitor's text as far as it is stored. */
export const cutText = (text: string): string => text.slice(0, LONGEST_TEXT);

export type Dot = { event: string; id: string; data: Record<string, TrackValue>; at: Date | null };

type Sent = { event: string; id: string; data?: Record<string, TrackValue>; time?: number };

/** The events of a call that are ours. A page of another version may send others: those are left out. */
export function readDots(input: DotInput): Dot[] {
  const sent: readonly Sent[] = 'list' in input ? input.list : [input];
  return sent.flatMap(({ event, id, data = {}, time }) => {
    if (!isMoment(event) || MOMENTS[event].id !== id) return [];
    return [{ event, id, data: pick(data, MOMENTS[event].data), at: time === undefined ? null : new Date(time) }];
  });
}

function isMoment(name: string): name is MomentName {
  return Object.hasOwn(MOMENTS, name);
}

/** Data of a visit may have these fields. */
const VISIT_DATA = ['page', 'language', 'client_id', 'utm_pay'];

export function readVisitData(data: Record<string, TrackValue> = {}): Record<string, TrackValue> {
  return pick(data, VISIT_DATA);
}

/** Whatever else a page sends is a stranger's text, or worse a player's: it goes no further. */
function pick(data: Record<string, TrackValue>, keys: readonly string[]): Record<string, TrackValue> {
  const kept = Object.entries(data).filter(([key]) => keys.includes(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, typeof value === 'string' ? cutText(value) : value]));
}
