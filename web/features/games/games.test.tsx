// Tests the receiver in a document: the card's states, the list of games with its question, the characters.
import { expect, test, vi } from 'vitest';
import type { GameListItem, RoleItem } from '#contracts/games.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { english } from '#testing/english.ts';
import { draw, find, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { GameList } from './list/GameList.tsx';
import { GameListPopup } from './list/GameListPopup.tsx';
import { GameRow } from './list/GameRow.tsx';
import { ReceiverCard, type ReceiverState } from './ReceiverCard.tsx';
import { RolePopup } from './roles/RolePopup.tsx';
import type { GameChoice } from './rules.ts';
import { NoGame } from './list/NoGame.tsx';
import { setGameLost } from '#web/platform/lost-game.ts';
import { load, save } from '#web/platform/visitor/storage.ts';
import { useReceiver, type Wanted } from './use-receiver.ts';

speak(english);

const game: GameChoice = {
  code: '',
  client_id: '1',
  gp_id: 'g',
  name: 'Emberfall',
  logo: '/e.svg',
  terms_link: '',
  privacy_link: '',
};
const item = (client_id: string, name: string, editions: string[] = []): GameListItem => ({
  client_id,
  gp_id: client_id,
  name,
  logo: '/x.svg',
  is_select_game: false,
  sub_game: Object.fromEntries(
    editions.map((id) => [id, { client_id: id, gp_id: id, name: `${name} ${id}`, logo: '/x.svg' }]),
  ),
  terms_link: '',
  privacy_link: '',
});
/** Named, because a linter takes the word `role` for the attribute of HTML. */
const NOBODY = null;
const role = (value: string, server = 's1'): RoleItem => ({
  display: value,
  value,
  level: 42,
  server_id: server,
  server_name: server.toUpperCase(),
  area_id: '',
});

test.each<[ReceiverState, string, string]>([
  ['anonymous', 'Log in to choose your character', 'Log in'],
  ['choose', 'Choose your character', 'Choose'],
  ['none', 'No character in Emberfall', 'Change'],
  ['notFound', 'Character not found. Choose again or change account.', 'Choose again'],
  ['failed', 'Your characters did not load.', 'Try again'],
])('the card says %s', async (state, text, button) => {
  const onChange = vi.fn<() => void>();
  await draw(<ReceiverCard game={game} role={NOBODY} state={state} onChange={onChange} />);
  expect(shownText()).toContain(text);
  await press(button);
  expect(onChange).toHaveBeenCalledOnce();
});

test('the card shows character, level and server', async () => {
  await draw(<ReceiverCard game={game} role={role('Kestrel')} state="chosen" onChange={vi.fn<() => void>()} />);
  for (const text of ['Kestrel', 'Lv. 42', 'Emberfall', 'S1']) expect(shownText()).toContain(text);
});

async function openGameList(current: string) {
  const onChoose = vi.fn<() => void>();
  await draw(<p>shop</p>);
  openPopup(GameListPopup, {
    games: [item('1', 'Emberfall'), item('2', 'Starlane', ['21', '22'])],
    current,
    onChoose,
  });
  await settle(50);
  return onChoose;
}

test('editions open under their game, and a press takes another game', async () => {
  const onChoose = await openGameList('1');
  expect(shownText()).not.toContain('Starlane 22');
  await press('2 editions');
  await press('Starlane 22');
  await settle(50);
  expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ client_id: '22', code: '22' }));
});

test('a press on the game one has already changes nothing', async () => {
  const onChoose = await openGameList('1');
  await press('Emberfall');
  await settle(50);
  expect(onChoose).not.toHaveBeenCalled();
});

test('the row of icons takes another game without a question', async () => {
  const onChoose = vi.fn<() => void>();
  await draw(<GameRow games={[item('1', 'Emberfall'), item('2', 'Starlane')]} current="1" onChoose={onChoose} />);
  await press('Emberfall');
  expect(onChoose).not.toHaveBeenCalled();
  await press('Starlane');
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ client_id: '2' }));
});

test('a character is taken by its card and the button', async () => {
  serve({
    '/api/system/allRoleList': { content: { list: [role('Kestrel'), role('Mina', 's2')] } },
    '/api/pay/getServerList': { content: { areas: [], servers: [] } },
  });
  const onChoose = vi.fn<() => void>();
  await draw(<p>shop</p>);
  openPopup(RolePopup, { game, isAreaRole: false, current: null, onChoose, onSwitchAccount: vi.fn<() => void>() });
  await settle(50);
  expect((find('Use this character', 'button') as HTMLButtonElement).disabled).toBe(true);
  await press('Mina');
  await press('Use this character');
  expect(onChoose).toHaveBeenCalledWith(role('Mina', 's2'));
});

test('L59 L112 the form begins at the server of the address, without its s as well', async () => {
  const server = (value: string) => ({ display: value.toUpperCase(), value, area_id: '' });
  const calls = serve({
    '/api/system/allRoleList': { content: { list: [role('Kestrel'), role('Mina', 's9')] } },
    '/api/pay/getRoleList': { content: { list: [role('Mina', 's9')] } },
    '/api/pay/getServerList': { content: { areas: [], servers: [server('s1'), server('s9')] } },
  });
  const ways = { onChoose: vi.fn<() => void>(), onSwitchAccount: vi.fn<() => void>() };
  await draw(<p>shop</p>);
  openPopup(RolePopup, { game, isAreaRole: false, current: null, first: { area: '', server: '9' }, ...ways });
  await settle(50);
  expect(document.querySelector('select')?.value).toBe('s9');
  expect(shownText()).toContain('Mina');
  expect(shownText()).not.toContain('Kestrel');
  expect(calls.find(({ path }) => path === '/api/pay/getRoleList')?.fields).toMatchObject({ server_id: 's9' });
});

test.each([
  ['after', 6],
  ['before', 7],
] as const)('area and server stand %s %d characters', async (place, count) => {
  const many = Array.from({ length: count }, (_, no) => role(`Kestrel ${no}`));
  serve({
    '/api/system/allRoleList': { content: { list: many } },
    '/api/pay/getServerList': {
      content: { areas: [], servers: ['s1', 's9'].map((value) => ({ display: value, value, area_id: '' })) },
    },
  });
  const ways = { onChoose: vi.fn<() => void>(), onSwitchAccount: vi.fn<() => void>() };
  await draw(<p>shop</p>);
  openPopup(RolePopup, { game, isAreaRole: true, current: null, ...ways });
  await settle(50);
  const shown = [...document.querySelectorAll('[role="dialog"] :is(select, input)')].map(({ tagName }) => tagName);
  const [cards, lists] = [many.map(() => 'INPUT'), ['SELECT', 'SELECT']];
  expect(shown).toEqual(place === 'after' ? [...cards, ...lists] : [...lists, ...cards]);
  // The focus does not scroll the characters away where they stand below.
  expect(document.activeElement?.tagName).not.toBe('SELECT');
});

test('L59 the form begins with all characters where the player has none at the server of the address', async () => {
  const server = (value: string) => ({ display: value.toUpperCase(), value, area_id: '' });
  serve({
    '/api/system/allRoleList': { content: { list: [role('Kestrel'), role('Mina', 's9')] } },
    '/api/pay/getRoleList': { content: { list: [] } },
    '/api/pay/getServerList': { content: { areas: [], servers: [server('s1'), server('s4'), server('s9')] } },
  });
  const ways = { onChoose: vi.fn<() => void>(), onSwitchAccount: vi.fn<() => void>() };
  await draw(<p>shop</p>);
  openPopup(RolePopup, { game, isAreaRole: false, current: null, first: { area: '', server: '4' }, ...ways });
  await settle(50);
  expect(document.querySelector('select')?.value).toBe('');
  for (const name of ['Kestrel', 'Mina']) expect(shownText()).toContain(name);
});

function Probe({ wanted }: { wanted: Wanted }) {
  const { state, role: chosen } = useReceiver('', wanted, true);
  return <p>{`${state} ${chosen?.display ?? '-'}`}</p>;
}

test.each<[string, RoleItem[], Wanted, string]>([
  ['a single character is taken', [role('Kestrel')], {}, 'chosen Kestrel'],
  ['two are asked about', [role('Kestrel'), role('Mina')], {}, 'choose -'],
  [
    'the address names one, without the s',
    [role('Kestrel', 's3'), role('Mina')],
    { role_id: 'Kestrel', server_id: '3' },
    'chosen Kestrel',
  ],
  ['the address names nobody', [role('Kestrel')], { role_id: 'Ghost' }, 'notFound -'],
])('%s', async (_name, roles, wanted, expected) => {
  localStorage.clear();
  serve({
    '/api/system/allRoleList': { content: { list: roles } },
    '/api/config/recharge': { content: { area_config: { is_area_role: false } } },
    '/api/pay/getGameListV2': { content: { list: [item('1', 'Emberfall')] } },
  });
  await draw(<Probe wanted={wanted} />, { games: [item('1', 'Emberfall')], region: null });
  await settle(50);
  expect(shownText()).toContain(expected);
});

function Who({ wanted }: { wanted: Wanted }) {
  const { game: found, isGameMissing } = useReceiver('', wanted, false);
  return <p>{isGameMissing ? 'missing' : (found?.name ?? 'nothing yet')}</p>;
}

test('L191 a client_id of another brand is no game of ours, and a lost game leaves none in its place', async () => {
  serve({ '/api/config/recharge': { name: 'noGame' } });
  const page = { games: [item('1', 'Emberfall'), item('2', 'Starlane')], region: null, clientId: '' };
  await draw(<Who wanted={{ client_id: '70031' }} />, page);
  expect(shownText()).toContain('missing');
  await draw(<Who wanted={{ client_id: '2' }} />, page);
  expect(shownText()).toContain('Starlane');
  setGameLost(true);
  await settle();
  expect(shownText()).toContain('missing');
  setGameLost(false);
  await settle();
  expect(shownText()).toContain('Starlane');
});

test('L191 in place of the goods stand a sentence and the games of the brand', async () => {
  const chosen: string[] = [];
  const roles = { '2': { role_id: 'r', server_id: 's1', area_id: '' } };
  save('gameInfo', { client_id: '2', roles });
  await draw(<NoGame games={[item('1', 'Emberfall')]} onChoose={(one) => chosen.push(one.client_id)} />);
  expect(shownText()).toContain('This game is not available here');
  // The game that was chosen before is let go of; who plays it is not.
  expect(load('gameInfo')).toEqual({ client_id: '', roles });
  await press('Emberfall');
  expect(chosen).toEqual(['1']);
});

test('a game says what its goods cost from, once for all its editions, and nothing where that is not known', async () => {
  const games = [
    { ...item('1', 'Emberfall'), from_shown: '$0.99' },
    { ...item('2', 'Tidewake', ['EU', 'US']), from_shown: '$1.99' },
    item('3', 'Frostline'),
  ];
  await draw(<GameList games={games} current="EU" onChoose={vi.fn<() => void>()} hasArt />);
  const rows = [...document.querySelectorAll('button')].map((one) => one.textContent);
  expect(rows).toEqual([
    'EmberfallFrom $0.99',
    'Tidewake2 editionsFrom $1.99',
    'Tidewake EUSelected',
    'Tidewake US',
    'Frostline',
  ]);
});
