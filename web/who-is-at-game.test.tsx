// Another game of the page, where each game has accounts of its own: the login of that game opens by itself, and the
// game before knows its player again.
import { afterEach, expect, test, vi } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import type { GameListItem } from '#contracts/games.ts';
import { english } from '#testing/english.ts';
import { useReceiver } from './features/games/use-receiver.ts';
import { readBoot } from './platform/boot.ts';
import { memoryAddresses } from './platform/router/history.ts';
import { RouterProvider, useSearch } from './platform/router/Router.tsx';
import { draw, serve, settle, speak } from './platform/test-page.tsx';
import { setLoginOpener } from './platform/visitor/login.ts';
import { currentUser, startSession, useUser } from './platform/visitor/session.ts';
import { connectReactions } from './reactions-of-page.ts';
import { createShopRouter } from './routes.tsx';
import { Layout } from './screens/layout.tsx';

speak(english);
vi.mock('#web/ui/pictures/sprite.ts', () => ({ loadSprite: async () => undefined }));
afterEach(() => draw(null));

const wolf: UserInfo = { username: 'wolf', suid: 'u1', oauth_token: 'public-1', gp_id: '70013' };
const game = (client_id: string) =>
  ({ client_id, gp_id: client_id, name: client_id, logo: '', hero: null, sub_game: {} }) as unknown as GameListItem;

function Receiver() {
  useReceiver('universal', useSearch(), useUser() !== null);
  return null;
}

test('the login opens at the other game, and the game before has its player again', async () => {
  await draw(null);
  const page = {
    brand: { ...readBoot().brand, hasAccountsByGame: true },
    games: [game('70013'), game('70021')],
    clientId: '70013',
    user: wolf,
  };
  await draw(null, page);
  startSession(() => undefined);
  const calls = serve({
    '/util/login/get_user_info': [{ name: 'notLoggedIn' }, { content: wolf }],
    '/api/system/allRoleList': [{ content: { list: [] } }, { name: 'notLoggedIn' }, { content: { list: [] } }],
    '/api/config/recharge': {
      content: {
        area_config: { is_area_role: false },
        cumulative_config: { is_has_cumulative: false },
        continue_config: { is_has_continue: false },
        daily_config: { is_has_daily: false },
      },
    },
  });
  const opener = vi.fn<() => void>();
  setLoginOpener(opener);
  const router = createShopRouter(memoryAddresses('/selectGoods?client_id=70013'));
  await router.load();
  connectReactions(router);
  await draw(
    <RouterProvider router={router}>
      <Layout>
        <Receiver />
      </Layout>
    </RouterProvider>,
    page,
  );
  expect([currentUser(), opener.mock.calls.length]).toEqual([wolf, 0]);
  const change = async (client_id: string) => {
    await router.navigate({ to: '.', search: (before) => ({ ...before, client_id }) });
    await settle();
  };
  await change('70021');
  expect([currentUser(), opener.mock.calls.length]).toEqual([null, 1]);
  await change('70013');
  expect([currentUser(), opener.mock.calls.length]).toEqual([wolf, 1]);
  const asked = calls
    .filter(({ path }) => path === '/util/login/get_user_info')
    .map(({ fields }) => fields['client_id']);
  expect(asked).toEqual(['70021', '70013']);
});
