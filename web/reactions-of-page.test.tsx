// A login lost inside a frame: the way out is offered, once. In an app's own view e2e/login.e2e.ts looks at it.
import { expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { setLoginOpener } from './platform/visitor/login.ts';
import { setGameLost, useIsGameLost } from './platform/lost-game.ts';
import { react } from './platform/calls/reactions.ts';
import { appear, draw, press, serve, settle, shownText, speak } from './platform/test-page.tsx';
import { load, save } from './platform/visitor/storage.ts';
import { connectReactions } from './reactions-of-page.ts';

speak(english);

test('in a frame a lost login opens the login popup, once, for it leads out of the frame', async () => {
  vi.spyOn(window, 'top', 'get').mockImplementation(() => null);
  const opener = vi.fn<() => void>();
  await draw(null);
  setLoginOpener(opener);
  connectReactions({ place: { search: { visit: 'sdk' } } } as never);
  for (let poll = 0; poll < 2; poll += 1)
    react({ kind: 'code', name: 'notLoggedIn', code: -600, msg: '', content: null });
  await settle();
  expect(opener).toHaveBeenCalledOnce();
  expect(shownText()).not.toContain('Please open this page again');
  vi.restoreAllMocks();
});

test('L191 a game that is not there clears the selected game: storage, address and page let go of it', async () => {
  await draw(null);
  save('gameInfo', { client_id: '70031', roles: {} });
  const navigate = vi.fn<(to: { search: (before: object) => object }) => Promise<void>>(async () => undefined);
  connectReactions({ place: { search: {} }, navigate } as never);
  react({ kind: 'code', name: 'noGame', code: -3001, msg: 'This game is not available.', content: null });
  expect(load('gameInfo')).toBeNull();
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
