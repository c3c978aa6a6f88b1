// The event for a total shows itself once: a word at the foot of the page that leads to it, when a player comes.
// @source specification section 3, "Client-side storage keys": auto-show accumulation
import { eventRoutes } from '#contracts/events.ts';
import { call } from '#web/platform/calls/api.ts';
import { t } from '#web/platform/i18n.ts';
import { isPopupOpen } from '#web/platform/popups/popups.tsx';
import { loadText, save } from '#web/platform/visitor/storage.ts';
import { showToast } from '#web/platform/toast.ts';
import { type EventPlace, placeKeys } from './queries.ts';

/** Our choice: the events of a brand's games that a browser remembers, so that each shows itself once. */
const MAX_SEEN = 20;

/**
 * Shows the running event unless this browser has seen it, or something else has the player's eyes now.
 * @param open leads to the events
 */
export async function offerEvent(place: EventPlace, open: () => void): Promise<void> {
  const outcome = await call(eventRoutes.status, { type: 'cumulative', ...placeKeys(place) });
  const event = outcome.kind === 'ok' ? outcome.content.list.find((one) => !one.is_over) : undefined;
  const seen = loadText('autoShowAccumulation').split(' ').filter(Boolean);
  if (!event || isPopupOpen() || seen.includes(event.activity_id)) return;
  save('autoShowAccumulation', [event.activity_id, ...seen.slice(0, MAX_SEEN - 1)].join(' '));
  const text =
    event.receivable > 0 ? t('events.show_waiting', { name: event.name }) : t('events.show', { name: event.name });
  showToast(text, 'plain', { label: t('events.show_open'), onPress: open });
}
