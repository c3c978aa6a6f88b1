// Tests the outcome of a real-name check, the way to it from My and after a login, and the reaction to a refused
// payment.
import { beforeEach, expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { setLoginOpener } from '#web/platform/visitor/login.ts';
import { currentUser, setUser } from '#web/platform/visitor/session.ts';
import { load, save } from '#web/platform/visitor/storage.ts';
import { appear, draw, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { enterFrame, leaveFrame, setSpeaker } from '#web/platform/frame.ts';
import { beginRealName, explainRealName, offerCheckInGame, offerRealName } from './open.ts';
import { RealNameCard } from './RealNameCard.tsx';
import { RealNameResult } from './RealNameResult.tsx';

speak(english);
vi.mock('#web/ui/pictures/sprite.ts', () => ({ loadSprite: async () => undefined }));
const word = (key: string) => english[key] as string;
const USER = { username: 'Kestrel', suid: 's', oauth_token: 't1', gp_id: 'g' };
const STATE = '/api/rsys/state';
const EVOKE = '/api/rsys/evoke';
const home = <a href="/">{word('real_name.home')}</a>;

beforeEach(() => localStorage.clear());

async function show(answers: Parameters<typeof serve>[0], isMissing = true) {
  await draw(<p>shop</p>, { user: USER, isRealNameMissing: isMissing });
  setUser(USER);
  const calls = serve(answers);
  await draw(<RealNameResult home={home} />, { user: USER, isRealNameMissing: isMissing });
  setUser(USER);
  await settle();
  return calls;
}

test.each([
  ['verified', 'real_name.verified_title', 'real_name.home'],
  ['refused', 'real_name.refused_title', 'real_name.again'],
  ['unfinished', 'real_name.unfinished_title', 'real_name.start'],
  ['notNeeded', 'real_name.not_needed', 'real_name.home'],
])('L158 %s is told, with one way on', async (state, title, action) => {
  await show({ [STATE]: { content: { state } } });
  expect(shownText()).toContain(word(title));
  await appear(word(action), 'button, a');
});

test('L199 a check that nobody could ask leads to the first page', async () => {
  await show({ [STATE]: { name: 'realNameFailed' } });
  // The text of this code is the server's.
  expect(shownText()).toContain('says realNameFailed');
  await appear(word('real_name.home'), 'a');
});

test('L158 beginning leaves for the page of whoever checks, with the client of the page', async () => {
  await draw(<p>shop</p>, { user: USER, clientId: '70021' });
  const calls = serve({ [EVOKE]: { content: { state: 'unfinished', url: 'https://id.test/x' } } });
  const left: string[] = [];
  expect(await beginRealName('70021', (url) => void left.push(url))).toEqual({ kind: 'gone' });
  expect(left).toEqual(['https://id.test/x']);
  expect(calls).toMatchObject([{ path: EVOKE, fields: { client_id: '70021' } }]);
});

test('L16 after a login it is asked once; My keeps the way there', async () => {
  await draw(<RealNameCard />, { user: USER, isRealNameMissing: true });
  setUser(USER);
  await appear(word('real_name.start'), 'button');
  offerRealName(() => undefined);
  await appear(word('real_name.later'), 'button');
  await press(word('real_name.later'));
  await draw(<p>shop</p>, { user: USER, isRealNameMissing: true });
  offerRealName(() => undefined);
  await settle();
  expect(shownText()).not.toContain(word('real_name.later'));
});

test('L16 nothing of it is there for a player who passed it', async () => {
  await draw(<RealNameCard />, { user: USER, isRealNameMissing: false });
  expect(shownText()).not.toContain(word('real_name.title'));
});

test('L188 a refused payment logs out, says why, and the next login leads to the check', async () => {
  await draw(<p>shop</p>, { user: USER });
  const calls = serve({ '/util/login/logout': { content: {} }, [EVOKE]: { name: 'realNameFailed' } });
  const opened = vi.fn<() => void>();
  setLoginOpener(opened);
  const asked = explainRealName();
  await appear(word('real_name.cleared_title'), 'h2');
  expect(shownText()).toContain(word('real_name.cleared_text'));
  expect(calls.map(({ path }) => path)).toEqual(['/util/login/logout']);
  await press(word('login.submit'));
  await asked;
  expect(opened).toHaveBeenCalledTimes(1);
  expect(load('realNameDue')).toBe(true);
  // The page after that login begins the check; where it cannot, the page that tells of it is shown.
  setUser(USER);
  const shown = vi.fn<() => void>();
  offerRealName(shown);
  await settle();
  expect(calls.map(({ path }) => path)).toContain(EVOKE);
  expect(shown).toHaveBeenCalledTimes(1);
  expect(load('realNameDue')).toBeNull();
  save('realNameTold', '');
});

test('L188 inside a game the check opens in a window of its own, and the player stays logged in', async () => {
  await draw(<p>shop</p>, { user: USER, clientId: '70021' });
  setUser(USER);
  serve({ [EVOKE]: { content: { state: 'unfinished', url: 'https://id.test/x' } } });
  enterFrame();
  const said: unknown[] = [];
  setSpeaker((message) => void said.push(message));
  try {
    const offered = offerCheckInGame();
    await appear(word('real_name.start'), 'button');
    await press(word('real_name.start'));
    await offered;
    expect(said).toEqual([{ type: 'open', url: 'https://id.test/x' }]);
    expect(currentUser()).toEqual(USER);
  } finally {
    leaveFrame();
  }
});
