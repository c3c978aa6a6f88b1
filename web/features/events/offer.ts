// The event for a total shows itself until it was looked at: a dot on the entry that leads to it.
// @source specification section 3, "Client-side storage keys": auto-show accumulation
import { eventRoutes } from '#contracts/events.ts';
import { call } from '#web/platform/calls/api.ts';
import { unseenEvent, setUnseenEvent } from '#web/platform/visitor/unseen-event.ts';
import { loadText, save } from '#web/platform/visitor/storage.ts';
import { type EventPlace, placeKeys } from './queries.ts';

/** Our choice: the events of a brand's games that a browser remembers, so that each shows itself once. */
const MAX_SEEN = 20;

const seenEvents = (): string[] => loadText('autoShowAccumulation').split(' ').filter(Boolean);

/** Marks the entry of the events, unless this browser has seen the running one. */
export async function markEvent(place: EventPlace): Promise<void> {
  const outcome = await call(eventRoutes.status, { type: 'cumulative', ...placeKeys(place) });
  const event = outcome.kind === 'ok' ? outcome.content.list.find((one) => !one.is_over) : undefined;
  setUnseenEvent(event && !seenEvents().includes(event.activity_id) ? event.activity_id : '');
}

/** The player is at the events. */
export function seeEvents(): void {
  const eventId = unseenEvent();
  if (eventId === '') return;
  save('autoShowAccumulation', [eventId, ...seenEvents().slice(0, MAX_SEEN - 1)].join(' '));
  setUnseenEvent('');
}
