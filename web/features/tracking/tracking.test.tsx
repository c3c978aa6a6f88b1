// The sender and the question: what goes out, when, where to, and what stays when the line is gone.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { readBoot } from '#web/platform/boot.ts';
import { draw, find, press, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { askTracking, setWaiting, track, waitingMoments } from '#web/platform/visitor/track.ts';
import { Tracking } from './Tracking.tsx';

speak(english);

type Sent = { path: string; type: string; body: Record<string, unknown> & { list?: { event: string; id: string }[] } };
const sent: Sent[] = [];
let isTaken = true;
let isOnline = true;

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/selectGoods?utm_source=ad&idfv=device-7');
  sent.length = 0;
  isTaken = true;
  isOnline = true;
  setWaiting([]);
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
  navigator.sendBeacon = (path, data) => {
    if (!isTaken) return false;
    const blob = data as Blob;
    const one: Sent = { path: String(path), type: blob.type, body: {} };
    sent.push(one);
    void blob.text().then((text) => (one.body = JSON.parse(text)));
    return true;
  };
});
afterEach(() => vi.useRealTimers());

async function open(over: { needsTrackingConsent?: boolean; host?: string } = {}): Promise<void> {
  await draw(<p>shop</p>);
  const tracking = { appId: 'watt', eventId: 'SHOP', host: over.host ?? '' };
  await draw(<Tracking />, {
    brand: { ...readBoot().brand, needsTrackingConsent: over.needsTrackingConsent ?? false, tracking },
  });
}
async function hide(): Promise<void> {
  dispatchEvent(new Event('pagehide'));
  await settle();
}
const dots = () => sent.filter(({ path }) => path.endsWith('/dot.php')).flatMap(({ body }) => body.list ?? []);

test('L179 a visit is told once by api.php with event 18, its moments by dot.php with name, id and data', async () => {
  await open();
  track('login_open');
  await hide();
  expect(sent.map(({ path }) => path)).toEqual(['/service/recharge/api.php', '/service/recharge/dot.php']);
  const who = {
    app_id: 'watt',
    event_id: 'SHOP',
    did: 'device-7',
    traffic_source: 'ad',
    uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
  };
  expect(sent[0]?.body).toMatchObject({ event: 18, ...who, data: { page: '/selectGoods', language: 'en' } });
  expect(sent[1]?.body).toMatchObject(who);
  expect(dots()).toMatchObject([
    { event: 'shop_open', id: 'WEBPAY-201-001' },
    { event: 'login_open', id: 'WEBPAY-201-002', data: {} },
  ]);
  await open();
  await hide();
  expect(sent.filter(({ path }) => path.endsWith('/api.php'))).toHaveLength(1);
  expect(dots()).toHaveLength(2);
});

test('L79 with a collection host the beacons go there, in a form that asks no leave', async () => {
  await open({ host: 'collect.watt.example' });
  await hide();
  expect(sent.map(({ path }) => path)).toEqual([
    'https://collect.watt.example/service/recharge/api.php',
    'https://collect.watt.example/service/recharge/dot.php',
  ]);
  for (const { type } of sent) expect(type).toMatch(/^text\/plain/);
});

test('twenty moments go at once, fewer after ten seconds', async () => {
  await open();
  await hide();
  vi.useFakeTimers();
  for (let n = 0; n < 19; n += 1) track('login_open');
  expect(waitingMoments()).toHaveLength(19);
  track('login_open');
  expect(waitingMoments()).toHaveLength(0);
  track('login_open');
  vi.advanceTimersByTime(9_999);
  expect(waitingMoments()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(waitingMoments()).toHaveLength(0);
});

test('what cannot be sent waits, at most fifty, also for the next page', async () => {
  await open();
  await hide();
  isTaken = false;
  for (let n = 0; n < 60; n += 1) track('game_choose', { client_id: String(n) });
  await hide();
  expect(waitingMoments()).toHaveLength(50);
  expect(waitingMoments()[0]?.data).toEqual({ client_id: '10' });
  setWaiting([]);
  isTaken = true;
  await open();
  await hide();
  expect(dots().filter(({ event }) => event === 'game_choose')).toHaveLength(50);
  expect(localStorage.getItem('refill.track_waiting')).toBeNull();
});

test('without a line nothing is given to the browser, which would lose it', async () => {
  isOnline = false;
  await open();
  track('login_open');
  await hide();
  expect(sent).toEqual([]);
  isOnline = true;
  dispatchEvent(new Event('online'));
  await settle();
  expect(dots().map(({ event }) => event)).toContain('login_open');
});

test('the question: two answers alike, none forced, nothing before a yes', async () => {
  await open({ needsTrackingConsent: true });
  const [no, yes] = [find('Decline'), find('Accept')];
  expect(no.className).toBe(yes.className);
  track('login_open');
  await hide();
  expect(sent).toEqual([]);
  expect(localStorage.getItem('refill.uuid')).toBeNull();
  await press('Accept');
  expect(shownText()).not.toContain('count your visit');
  await hide();
  expect(sent.map(({ path }) => path)).toEqual(['/service/recharge/api.php', '/service/recharge/dot.php']);
  expect(dots().map(({ event }) => event)).toEqual(['shop_open']);
});

test('a yes is taken back as easily: asked again, a no forgets what was kept and ends it', async () => {
  await open({ needsTrackingConsent: true });
  await press('Accept');
  expect(localStorage.getItem('refill.uuid')).not.toBeNull();
  askTracking();
  await settle();
  expect(document.activeElement?.textContent).toContain('count your visit');
  await press('Decline');
  track('login_open');
  expect(waitingMoments()).toEqual([]);
  for (const key of ['uuid', 'track_timestamp', 'traffic_source'])
    expect(localStorage.getItem(`refill.${key}`)).toBeNull();
  await open({ needsTrackingConsent: true });
  expect(shownText()).not.toContain('count your visit');
});

test('a browser that asks not to be tracked is not asked and not tracked', async () => {
  Object.defineProperty(navigator, 'globalPrivacyControl', { configurable: true, value: true });
  try {
    await open({ needsTrackingConsent: true });
    expect(shownText()).not.toContain('count your visit');
    await open();
    await hide();
    expect(sent).toEqual([]);
  } finally {
    Object.defineProperty(navigator, 'globalPrivacyControl', { configurable: true, value: undefined });
  }
});
