// Sends what was noted: in batches, by beacons that outlive the page, and never before the visitor may be tracked.
import { i18n } from '@lingui/core';
import { DOT_PATH, MOMENTS, VISIT_EVENT, VISIT_PATH } from '#contracts/tracking.ts';
import { parseQuery } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { currentLanguage } from '#web/platform/i18n.ts';
import { currentUser, watchUser } from '#web/platform/visitor/session.ts';
import { clear, load, loadText, save } from '#web/platform/visitor/storage.ts';
import {
  type Noted,
  setWaiting,
  track,
  trackChoice,
  waitingMoments,
  watchTracking,
} from '#web/platform/visitor/track.ts';
import { trafficSource, visit, visitorId } from '#web/platform/visitor/visitor.ts';

/** Our choice: some 4 kB, a quarter of what the server takes. */
const BATCH = 20;
/** Our choice: soon enough for whoever watches a campaign, and few calls. */
const WAIT_MS = 10_000;

/** Starts to send. Returns the way to stop. */
export function startSending(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let user = currentUser();
  let language = currentLanguage();

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    while (waitingMoments().length > 0 && sendBatch());
  };
  const onTracking = () => {
    if (trackChoice() !== 'yes') return clear('trackWaiting');
    beginVisit();
    if (waitingMoments().length >= BATCH) flush();
    else timer ??= setTimeout(flush, WAIT_MS);
  };
  const onHide = () => {
    if (document.visibilityState !== 'hidden') return;
    flush();
    keepRest();
  };
  const onPageHide = () => {
    flush();
    keepRest();
  };
  const onUser = () => {
    const before = user;
    user = currentUser();
    if (!before && user) track('login_done');
    if (before && !user) track('logout');
  };
  const stopLanguage = i18n.on('change', () => {
    if (language === currentLanguage()) return;
    language = currentLanguage();
    track('language_choose', { language });
  });

  takeRest();
  const stopTracking = watchTracking(onTracking);
  const stopUser = watchUser(onUser);
  document.addEventListener('visibilitychange', onHide);
  addEventListener('pagehide', onPageHide);
  addEventListener('online', flush);
  onTracking();
  return () => {
    clearTimeout(timer);
    stopTracking();
    stopUser();
    stopLanguage();
    document.removeEventListener('visibilitychange', onHide);
    removeEventListener('pagehide', onPageHide);
    removeEventListener('online', flush);
  };
}

/** Once a visit: who it is, and that the shop was opened. */
function beginVisit(): void {
  const { id } = visit();
  if (loadText('trackedVisit') === id) return;
  const page = location.pathname;
  const { client_id, utm_pay } = parseQuery(location.search);
  const data = { page, language: currentLanguage(), ...(client_id && { client_id }), ...(utm_pay && { utm_pay }) };
  if (!send(VISIT_PATH, { event: VISIT_EVENT, data })) return;
  save('trackedVisit', id);
  track('shop_open', { page, language: currentLanguage() });
}

/** Sends the oldest of those that wait. False: they wait on. */
function sendBatch(): boolean {
  const batch = waitingMoments().slice(0, BATCH);
  const list = batch.map(({ event, data, time }) => ({ event, id: MOMENTS[event].id, data, time }));
  if (trackChoice() !== 'yes' || !send(DOT_PATH, { list })) return false;
  setWaiting(waitingMoments().slice(batch.length));
  return true;
}

function send(path: string, body: object): boolean {
  const { tracking } = readBoot().brand;
  // A beacon that is made without a line is taken and lost.
  if (!tracking || !navigator.onLine) return false;
  const { id, startedAt } = visit();
  const uuid = visitorId();
  const who = {
    app_id: tracking.appId,
    event_id: tracking.eventId,
    uuid,
    did: parseQuery(location.search)['idfv'] ?? uuid,
    session_id: id,
    session_time: startedAt,
    traffic_source: trafficSource(),
  };
  const url = `${tracking.host === '' ? '' : `https://${tracking.host}`}${path}`;
  // Plain text: the other host need not be asked first. @source Fetch Standard, CORS-safelisted request-header
  const text = new Blob([JSON.stringify({ ...who, ...body })], { type: 'text/plain;charset=UTF-8' });
  return navigator.sendBeacon(url, text);
}

/** Events that could not be sent wait for the next page, a day at most. */
function keepRest(): void {
  if (waitingMoments().length > 0) save('trackWaiting', waitingMoments());
  else clear('trackWaiting');
}

function takeRest(): void {
  const kept = load('trackWaiting');
  clear('trackWaiting');
  if (trackChoice() === 'yes' && Array.isArray(kept)) setWaiting([...kept.filter(isNoted), ...waitingMoments()]);
}

/** Players can write in their storage what they like. */
function isNoted(value: unknown): value is Noted {
  if (typeof value !== 'object' || value === null) return false;
  const { event, data, time } = value as Partial<Record<keyof Noted, unknown>>;
  return (
    typeof event === 'string' && Object.hasOwn(MOMENTS, event) && typeof data === 'object' && typeof time === 'number'
  );
}
