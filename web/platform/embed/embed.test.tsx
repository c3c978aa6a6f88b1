// The view in a frame: what it takes from its address, what it says to the game's page, and whom it listens to.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { vipRoutes } from '#contracts/vip.ts';
import { call } from '#web/platform/calls/api.ts';
import { enterFrame, heldInFrame, leaveFrame, leaveTo, reopen, tellGame } from '#web/platform/frame.ts';
import { currentUser, logout, setUser } from '#web/platform/visitor/session.ts';
import { draw, serve, settle } from '#web/platform/test-page.tsx';
import { loadText } from '#web/platform/visitor/storage.ts';
import { renew, startEmbed } from './embed.ts';
import { readMessage } from './messages.ts';

const GAME = 'https://game.example';
const TICKET = `rt1_${'A'.repeat(43)}`;
const user = { username: 'kestrel', suid: 'u1', oauth_token: 'public-1', gp_id: '70021' };
const FRAME_AUTH = '/util/login/frame_auth';

/** Records the messages to the page around, and their origins. */
let said: { type: string; to: string }[];
let sent: { url: string; init: RequestInit }[];
const parent = {
  postMessage: (message: { type: string }, to: string) => void said.push({ ...message, to }),
} as unknown as Window;
const speak = (data: unknown, from: { origin?: string; source?: unknown } = {}) =>
  dispatchEvent(Object.assign(new Event('message'), { data, origin: GAME, source: parent, ...from }));

beforeEach(async () => {
  said = [];
  sent = [];
  localStorage.clear();
  await draw(null, { frameParents: [GAME, 'https://other.example'] });
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as never);
  history.replaceState(null, '', `/userCenter?visit=sdk&ticket=${TICKET}&beta_key=rb1_x&spec_lang=ja`);
});
afterEach(() => {
  leaveFrame();
  setUser(null);
  vi.restoreAllMocks();
});
const answerWith = (...answers: Parameters<typeof serve>[0][string][]) => {
  const calls = serve({
    [FRAME_AUTH]: answers.flat(),
    '/api/coupons/vipInfo': { content: {} },
    '/util/login/logout': { content: {} },
  });
  const canned = globalThis.fetch;
  globalThis.fetch = (url, init = {}) => (sent.push({ url: String(url), init }), canned(url, init));
  return calls;
};
const ok = { content: { user, token: 'rf1_secret' } };

test('L134 takes its token from the address, removes it, and holds the session in memory alone', async () => {
  const calls = answerWith(ok);
  const keys = enterFrame();
  expect(location.search).toBe('?visit=sdk&spec_lang=ja');
  await startEmbed(keys, () => undefined);
  expect(calls[0]?.fields).toMatchObject({ ticket: TICKET });
  expect(currentUser()).toEqual(user);
  expect([loadText('token'), document.cookie, JSON.stringify({ ...localStorage })]).toEqual(['', '', '{}']);
  await call(vipRoutes.info, {});
  expect(sent.at(-1)?.init).toMatchObject({
    credentials: 'omit',
    headers: { Authorization: 'Bearer rf1_secret', 'X-Refill-Beta': 'rb1_x' },
  });
  expect(said).toEqual([
    { from: 'refill', version: 1, type: 'ready', logged_in: true, to: GAME },
    { from: 'refill', version: 1, type: 'ready', logged_in: true, to: 'https://other.example' },
  ]);
  expect(await logout()).toBe(true);
  expect([currentUser(), heldInFrame()?.token]).toEqual([null, null]);
});

test('asks for a ticket where there was none or it was refused, and takes one of the game alone', async () => {
  const calls = answerWith([{ name: 'notLoggedIn' }, ok]);
  await startEmbed(enterFrame(), () => undefined);
  expect(said.filter(({ to }) => to === GAME)).toMatchObject([
    { type: 'ready', logged_in: false },
    { type: 'ticket_wanted', reason: 'refused' },
  ]);
  const ticket = { to: 'refill', type: 'ticket', ticket: TICKET };
  speak(ticket, { origin: 'https://evil.example' });
  speak(ticket, { source: window });
  speak({ ...ticket, ticket: 'rf1_x' });
  await settle();
  expect(calls).toHaveLength(1);
  speak(ticket, { origin: 'https://other.example' });
  await settle();
  expect(currentUser()).toEqual(user);
});

test('a login that is over is renewed by one question, and what was read is read again', async () => {
  answerWith(ok);
  const onEntered = vi.fn<() => void>();
  await startEmbed({}, onEntered);
  enterFrame();
  said = [];
  const both = Promise.all([renew(), renew()]);
  expect(said.filter(({ to }) => to === GAME)).toMatchObject([{ type: 'ticket_wanted', reason: 'ended' }]);
  speak({ to: 'refill', type: 'ticket', ticket: TICKET });
  expect(await both).toEqual([true, true]);
  expect(onEntered).toHaveBeenCalledOnce();
});

test('a game that answered nothing is asked again by the next call', async () => {
  answerWith(ok);
  enterFrame();
  await startEmbed({}, () => undefined);
  said = [];
  vi.useFakeTimers();
  try {
    const first = renew();
    vi.advanceTimersByTime(60_000);
    expect(await first).toBe(false);
    void renew();
    expect(said.filter(({ to }) => to === GAME)).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a provider’s page is never opened in the frame, and the frame loads no page but its own', async () => {
  answerWith(ok);
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  enterFrame();
  await startEmbed({}, () => undefined);
  leaveTo('https://pay.example/1');
  expect(said.at(-1)).toMatchObject({ type: 'open', url: 'https://pay.example/1' });
  expect(assign).not.toHaveBeenCalled();
  reopen(new URL('/selectGoods?visit=sdk', location.href));
  expect(String(assign.mock.calls[0]?.[0])).toMatch(/\/userCenter\?visit=sdk&beta_key=rb1_x$/);
});

test('outside of a frame nobody is told anything', () => {
  tellGame({ type: 'open', url: 'https://pay.example/1' });
  expect([said, heldInFrame()]).toEqual([[], null]);
});

test.each([null, 'ticket', {}, { to: 'refill', type: 'ticket' }, { type: 'ticket', ticket: TICKET }])(
  '%j is no message for the shop',
  (data) => expect(readMessage(data)).toBeNull(),
);
