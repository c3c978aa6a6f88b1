// The events in a document: tabs, steps in their states, receiving, and the word that shows them once.
import { beforeEach, expect, test, vi } from 'vitest';
import type { Activity, ActivityGift } from '#contracts/events.ts';
import type { PageConfig } from '#contracts/games.ts';
import { english } from '#testing/english.ts';
import { setActions } from '#web/platform/calls/reactions.ts';
import { clear, loadText } from '#web/platform/visitor/storage.ts';
import { draw, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { showToast } from '#web/platform/toast.ts';
import { EventsPart, kindsOf } from './EventsPart.tsx';
import { unseenEvent } from '#web/platform/visitor/unseen-event.ts';
import { markEvent, seeEvents } from './offer.ts';

speak(english);

const INFO = '/api/cumulative/cumulativeActivityInfo';
const RECEIVE = '/api/cumulative/receiveActivityGift';
const STATUS = '/api/cumulative/status';

const gift = (id: string, over: Partial<ActivityGift> = {}): ActivityGift => ({
  gift_id: id,
  need_shown: '$4.99',
  need_days: 0,
  percent: 40,
  state: 'locked',
  delivery: 'none',
  is_declined: false,
  role_name: '',
  items: [{ id: 'gem', name: 'Gems', count: 1280, art: 'pack-1' }],
  ...over,
});
const activity = (over: Partial<Activity> = {}): Activity => ({
  activity_id: 'monthly.2026-11-01', type: 'cumulative', name: 'Monthly rewards', text: 'Everything counts.', start_time: 0, end_time: 1_800_000_000_000,
  receive_end_time: 1_800_600_000_000, is_over: false, time_zone: 'UTC', totals_shown: ['$12.34'], days: 0, is_today_done: false, best_days: 0, least_shown: '',
  gifts: [gift('s1', { state: 'received', delivery: 'delivered', role_name: 'Kestrel' }), gift('s2', { state: 'receivable' }), gift('s3')], ...over,
}); /* a row a line */ // prettier-ignore
const streak = activity({
  activity_id: 'streak',
  type: 'continue',
  name: 'Streak',
  days: 2,
  least_shown: '$0.99',
  gifts: [gift('d3', { need_days: 3 })],
});
const answer = (...list: Activity[]) => ({ content: { type: list[0]?.type, list } });

const onChooseReceiver = vi.fn<() => void>();
const onLogin = vi.fn<() => void>();
const ROLE = { role_id: 'r1', server_id: 's1', area_id: '' };
const part = (over: Partial<Parameters<typeof EventsPart>[0]> = {}) => (
  <EventsPart
    place={{ clientId: '70013', region: 'universal', country: 'US' }}
    kinds={['cumulative', 'continue']}
    isLoggedIn
    receiver={ROLE}
    onLogin={onLogin}
    onChooseReceiver={onChooseReceiver}
    {...over}
  />
);

beforeEach(() => {
  onChooseReceiver.mockReset();
  onLogin.mockReset();
  clear('autoShowAccumulation');
});

test('L57 the accumulated and the continuous tab, each with its own event', async () => {
  const calls = serve({ [INFO]: [answer(activity()), answer(streak)] });
  await draw(part());
  expect(shownText()).toContain('Monthly rewards');
  expect(shownText()).toContain('$12.34');
  expect(shownText()).toContain('Gems ×1,280');
  await press('Days in a row');
  expect(shownText()).toContain('Streak');
  expect(shownText()).toContain('2 days');
  expect(shownText()).toContain('Top up $0.99 or more today to go on.');
  expect(calls.map(({ fields }) => fields['type'])).toEqual(['cumulative', 'continue']);
  expect(calls[0]?.fields).toMatchObject({ client_id: '70013', domain_area: 'universal', country: 'US' });
});

test('L78 a kind has its tab only where the page config has it', async () => {
  const config = (cumulative: boolean, inARow: boolean) =>
    ({
      cumulative_config: { is_has_cumulative: cumulative },
      continue_config: { is_has_continue: inARow },
      daily_config: { is_has_daily: false },
    }) as PageConfig;
  expect(kindsOf(config(true, true))).toEqual(['cumulative', 'continue']);
  expect(kindsOf(config(false, true))).toEqual(['continue']);
  expect(kindsOf(null)).toEqual([]);
  serve({ [INFO]: answer(streak) });
  await draw(part({ kinds: ['continue'] }));
  expect(document.querySelector('[role=tab]')).toBeNull();
  expect(shownText()).toContain('Streak');
});

test('L110 receive, receive all, received', async () => {
  const open = activity({ gifts: [gift('s1', { state: 'receivable' }), gift('s2', { state: 'receivable' })] });
  const done = activity({
    gifts: [
      gift('s1', { state: 'received', delivery: 'on_its_way', role_name: 'Kestrel' }),
      gift('s2', { state: 'receivable' }),
    ],
  });
  const all = activity({
    gifts: [
      gift('s1', { state: 'received', delivery: 'delivered', role_name: 'Kestrel' }),
      gift('s2', { state: 'received', delivery: 'checking' }),
    ],
  });
  const calls = serve({
    [INFO]: [answer(open), answer(open), answer(all)],
    [RECEIVE]: { content: { gift_ids: ['s1'] } },
  });
  await draw(part());
  await press('Claim all (2)');
  const received = () => calls.filter(({ path }) => path === RECEIVE).map(({ fields }) => fields);
  expect(received()).toMatchObject([
    { type: 'cumulative', activity_id: 'monthly.2026-11-01', gift_id: 'all', role_id: 'r1', server_id: 's1' },
  ]);
  await press('Claim');
  expect(received().at(-1)).toMatchObject({ gift_id: 's1' });
  expect(shownText()).toContain('Claimed');
  expect(shownText()).toContain('In the game, with Kestrel');
  expect(shownText()).toContain('Our team is looking into this one.');
  expect(done.gifts[0]?.delivery).toBe('on_its_way');
});

test('L199 a receipt that failed is told in the words of the server, and the event is read again', async () => {
  const calls = serve({ [INFO]: answer(activity()), [RECEIVE]: { name: 'receiveFailed' } });
  setActions({ toast: (text: string) => showToast(text, 'bad'), isSdkView: () => false } as never);
  await draw(part());
  await press('Claim');
  await settle();
  expect(shownText()).toContain('says receiveFailed');
  expect(calls.filter(({ path }) => path === INFO)).toHaveLength(2);
});

test('L194 a step whose answer was lost is received by another try; all of them are asked for once', async () => {
  const two = activity({ gifts: [gift('s1', { state: 'receivable' }), gift('s2', { state: 'receivable' })] });
  const calls = serve({ [INFO]: answer(two), [RECEIVE]: ['dead', { content: { gift_ids: ['s1'] } }, 'dead'] });
  const toast = vi.fn<(text: string) => void>();
  setActions({ toast, toastNetwork: toast, report: toast, isSdkView: () => false } as never);
  const asked = () => calls.filter(({ path }) => path === RECEIVE).map(({ fields }) => fields['gift_id']);
  await draw(part());
  await press('Claim');
  await settle(4300);
  expect(asked()).toEqual(['s1', 's1']);
  await press('Claim all (2)');
  await settle(4300);
  expect(asked()).toEqual(['s1', 's1', 'all']);
}, 15_000);

test('without a character one is chosen first; a stranger logs in first', async () => {
  const calls = serve({ [INFO]: answer(activity()) });
  await draw(part({ receiver: null }));
  await press('Claim');
  expect(onChooseReceiver).toHaveBeenCalledOnce();
  expect(calls.some(({ path }) => path === RECEIVE)).toBe(false);
  await draw(part({ isLoggedIn: false }));
  await press('Log in');
  expect(onLogin).toHaveBeenCalledOnce();
});

test('L193 an event that is gone meanwhile leaves a page that says so, without a toast', async () => {
  serve({ [INFO]: { name: 'noActivity' } });
  await draw(part());
  expect(shownText()).toContain('No event is on here right now.');
  expect(shownText()).not.toContain('says noActivity');
});

test('L82 the event for a total marks the entry of the events until the player was there', async () => {
  const event = { type: 'cumulative', name: 'Rewards', end_time: Date.now() + 1e9, is_over: false, receivable: 2 };
  const calls = serve({ [STATUS]: { content: { list: [{ ...event, activity_id: 'monthly.1' }] } } });
  const visit = () => markEvent({ clientId: '70013', region: '', country: '' });
  await draw(<p>shop</p>);
  await visit();
  expect(unseenEvent()).toBe('monthly.1');
  // A word over the page would lie over prices.
  expect(shownText()).not.toContain('Rewards');
  seeEvents();
  expect(unseenEvent()).toBe('');
  await visit();
  expect(unseenEvent()).toBe('');
  expect(calls.map(({ fields }) => fields['type'])).toEqual(['cumulative', 'cumulative']);
});

test('L82 events of two games show themselves once each', async () => {
  const event = { type: 'cumulative', name: 'Rewards', end_time: Date.now() + 1e9, is_over: false, receivable: 0 };
  const answerOf = (activity_id: string) => ({ content: { list: [{ ...event, activity_id }] } });
  serve({ [STATUS]: [answerOf('ember'), answerOf('star'), answerOf('ember')] });
  await draw(<p>shop</p>);
  for (let visits = 0; visits < 3; visits += 1) {
    await markEvent({ clientId: '70013', region: '', country: '' });
    seeEvents();
  }
  // Shown again it would stand in front.
  expect(loadText('autoShowAccumulation')).toBe('star ember');
});
