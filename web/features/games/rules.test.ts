// Game, server and character rules in tables.
import { expect, test } from 'vitest';
import type { GameListItem, RoleItem } from '#contracts/games.ts';
import { chooseGame, chooseRole, findServer, listChoices, serversOf, withServerPrefix } from './rules.ts';

const game = (client_id: string, more: Partial<GameListItem> = {}): GameListItem => ({
  client_id,
  gp_id: `g${client_id}`,
  name: `Game ${client_id}`,
  logo: '',
  is_select_game: false,
  sub_game: {},
  terms_link: '',
  privacy_link: '',
  ...more,
});
const edition = (client_id: string) => ({ client_id, gp_id: `g${client_id}`, name: `Edition ${client_id}`, logo: '' });
const role = (value: string, server_id = 's1'): RoleItem => ({
  value,
  display: `Name ${value}`,
  level: 7,
  server_id,
  server_name: server_id.toUpperCase(),
  area_id: '',
});

test('a game with editions is chosen by edition, with the key as code', () => {
  const choices = listChoices([game('1'), game('2', { sub_game: { asia: edition('21'), world: edition('22') } })]);
  expect(choices.map((choice) => [choice.code, choice.client_id])).toEqual([
    ['', '1'],
    ['asia', '21'],
    ['world', '22'],
  ]);
});

test.each([
  ['the address wins', '22', '1', '22'],
  ['then what was stored', undefined, '1', '1'],
  ['an address of a game with editions takes its first', '2', '1', '22'],
  ['L191 an unknown address is no game, whatever is stored', '999', '1', undefined],
  ['then what the server marks', undefined, undefined, '3'],
])('game of the visit: %s', (_why, wanted, stored, expected) => {
  const games = [game('1'), game('2', { sub_game: { world: edition('22') } }), game('3', { is_select_game: true })];
  expect(chooseGame(games, wanted, stored)?.client_id).toBe(expected);
});

test('without a mark the first game is taken, and an empty list has none', () => {
  expect(chooseGame([game('1'), game('2')], undefined, undefined)?.client_id).toBe('1');
  expect(chooseGame([], '1', '1')).toBeNull();
});

test.each([
  ['12', 's12'],
  ['s12', 's12'],
  ['S12', 'S12'],
  ['', ''],
])('server id %j becomes %j', (given, expected) => {
  expect(withServerPrefix(given)).toBe(expected);
});

const ref = (role_id: string, server_id = 's1') => ({ role_id, server_id, area_id: '' });

test.each([
  ['the only one is taken', [role('a')], {}, null, { kind: 'chosen', role: role('a') }],
  ['two need a choice', [role('a'), role('b')], {}, null, { kind: 'choose' }],
  ['the remembered one is taken', [role('a'), role('b')], {}, ref('b'), { kind: 'chosen', role: role('b') }],
  ['a remembered one on another server is not', [role('a'), role('b')], {}, ref('b', 's9'), { kind: 'choose' }],
  [
    'the address wins over memory',
    [role('a'), role('b')],
    { role_id: 'a' },
    ref('b'),
    { kind: 'chosen', role: role('a') },
  ],
  [
    'the address may leave out the s',
    [role('a', 's3'), role('b')],
    { role_id: 'a', server_id: '3' },
    null,
    { kind: 'chosen', role: role('a', 's3') },
  ],
  ['an unknown character is told', [role('a')], { role_id: 'zz' }, ref('a'), { kind: 'notFound' }],
  ['right name, wrong server is told', [role('a')], { role_id: 'a', server_id: 's9' }, null, { kind: 'notFound' }],
  ['no characters', [], {}, null, { kind: 'none' }],
] as const)('character: %s', (_why, roles, wanted, remembered, expected) => {
  expect(chooseRole(roles, wanted, remembered)).toEqual(expected);
});

const inArea = (value: string, area_id: string) => ({ ...role(value), area_id });

test.each([
  [
    'the remembered one of another server is not taken',
    [role('a'), role('b', 's9'), role('c', 's9')],
    { server_id: '9' },
    ref('a'),
    { kind: 'choose' },
  ],
  ['the only one elsewhere is not taken', [role('a')], { server_id: '9' }, null, { kind: 'choose' }],
  [
    'the only one there is taken, without the s',
    [role('a'), role('b', 's9')],
    { server_id: '9' },
    ref('a'),
    { kind: 'chosen', role: role('b', 's9') },
  ],
  [
    'the remembered one there is taken',
    [role('b', 's9'), role('c', 's9')],
    { server_id: 's9' },
    ref('c', 's9'),
    { kind: 'chosen', role: role('c', 's9') },
  ],
  [
    'of its area alone',
    [inArea('a', '1'), inArea('b', '2')],
    { area_id: '2' },
    ref('a'),
    { kind: 'chosen', role: inArea('b', '2') },
  ],
  [
    'a named one of another area is told',
    [inArea('a', '1')],
    { role_id: 'a', area_id: '2' },
    null,
    { kind: 'notFound' },
  ],
  ['a game without areas', [role('a')], { area_id: '2' }, null, { kind: 'chosen', role: role('a') }],
] as const)('L59 L112 server and area of the address: %s', (_why, roles, wanted, remembered, expected) => {
  expect(chooseRole(roles, wanted, remembered)).toEqual(expected);
});

test('servers are filtered by area only where the game has areas', () => {
  const servers = [
    { display: 'One', value: 's1', area_id: 'eu' },
    { display: 'Two', value: 's2', area_id: 'us' },
  ];
  expect(serversOf(servers, true, 'us').map((server) => server.value)).toEqual(['s2']);
  expect(serversOf(servers, false, '').map((server) => server.value)).toEqual(['s1', 's2']);
  expect(findServer(servers, '2')?.value).toBe('s2');
  expect(findServer(servers, '')).toBeUndefined();
});
