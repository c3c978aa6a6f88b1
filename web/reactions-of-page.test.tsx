// A login lost inside a frame: the way out is offered, once. In an app's own view e2e/login.e2e.ts looks at it.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import * as embed from './platform/embed/embed.ts';
import { setLoginOpener } from './platform/visitor/login.ts';
import { setGameLost, useIsGameLost } from './platform/lost-game.ts';
import { react } from './platform/calls/reactions.ts';
import { appear, draw, press, serve, settle, shownText, speak } from './platform/test-page.tsx';
import { currentUser, setUser } from './platform/visitor/session.ts';
import { changeDraft, loadDraft } from './features/orders/unfinished/order-info.ts';
import { load, save } from './platform/visitor/storage.ts';
import { connectReactions } from './reactions-of-page.ts';

speak(english);

describe('L134 L190 a login that is over, in a frame', () => {
  const kestrel = { username: 'kestrel', suid: 'u1', oauth_token: 'public-1', gp_id: '70021' };
  const loseLogin = async () => {
    vi.spyOn(window, 'top', 'get').mockImplementation(() => null);
    const opener = vi.fn<() => void>();
    await draw(null);
    setUser(kestrel);
    setLoginOpener(opener);
    connectReactions({ place: { search: { visit: 'sdk' } } } as never);
    for (let poll = 0; poll < 2; poll += 1)
      react({ kind: 'code', name: 'notLoggedIn', code: -600, msg: '', content: null });
    await settle();
    return opener;
  };
  afterEach(() => vi.restoreAllMocks());

  test('is asked for once of the page of the game, and the player stays', async () => {
    const renew = vi.spyOn(embed, 'renew').mockResolvedValue(true);
    const opener = await loseLogin();
    expect([renew.mock.calls.length, opener.mock.calls.length]).toEqual([1, 0]);
    expect(currentUser()).toEqual(kestrel);
    expect(shownText()).toContain('You are logged in again.');
  });

  test('leads out of the frame where that page is silent', async () => {
    vi.spyOn(embed, 'renew').mockResolvedValue(false);
    const opener = await loseLogin();
    expect(opener).toHaveBeenCalledOnce();
    expect(currentUser()).toEqual(kestrel);
    expect(shownText()).not.toContain('Please open this page again');
  });
});

test('a login that is over is asked for again, and the page says whether there was one', async () => {
  const opener = vi.fn<() => void>();
  await draw(null);
  setUser({ username: 'kestrel', suid: 'u1', oauth_token: 'public-1', gp_id: '70021' });
  setLoginOpener(opener);
  connectReactions({ place: { search: {} } } as never);
  const onLogin = () => undefined;
  const lost = { kind: 'code', name: 'notLoggedIn', code: -600, msg: '', content: null } as const;
  react(lost, onLogin);
  react(lost);
  expect(opener.mock.calls).toEqual([[onLogin, true], [undefined, false]]); // prettier-ignore
  expect(currentUser()).toBeNull();
});

test('L191 a game that is not there clears the selected game: storage, address and page let go of it', async () => {
  await draw(null);
  save('gameInfo', { client_id: '70031', roles: {} });
  changeDraft({ clientId: '70031' });
  const navigate = vi.fn<(to: { search: (before: object) => object }) => Promise<void>>(async () => undefined);
  connectReactions({ place: { search: {} }, navigate } as never);
  react({ kind: 'code', name: 'noGame', code: -3001, msg: 'This game is not available.', content: null });
  expect(load('gameInfo')).toBeNull();
  expect(loadDraft()).toBeNull();
  const before = { client_id: '70031', role_id: 'r', server_id: 's1', area_id: 'a', idfv: 'D' };
  expect(navigate.mock.calls[0]?.[0].search(before)).toEqual({ idfv: 'D' });
  await draw(<Lost />);
  expect(shownText()).toContain('lost');
  setGameLost(false);
});

function Lost() {
  return <p>{useIsGameLost() ? 'lost' : 'there'}</p>;
}

test('L194 a read without an answer is reported, then told, and the words lead to the report', async () => {
  await draw(null);
  connectReactions({ place: { search: {} } } as never);
  const calls = serve({ '/api/system/report': { content: {} } });
  react({ kind: 'network', path: '/api/pay/getServerList', status: 502 });
  await press('Details');
  expect(calls.map(({ fields }) => fields)).toMatchObject([
    { path: '/api/pay/getServerList', code: 502, kind: 'network' },
  ]);
  await appear('Send');
  expect(shownText()).toContain(String(calls[0]?.fields['reference']));
});
