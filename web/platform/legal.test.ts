// Tests the footer's links, in tables: game before region before brand, also for sub-games.
import { describe, expect, test } from 'vitest';
import type { GameListItem } from '#contracts/games.ts';
import type { Region } from '#kernel/regions.ts';
import type { Brand } from './brand.ts';
import { clientInUse, readLegal } from './legal.ts';

const brand = {
  links: { privacy: 'brand privacy', terms: 'brand terms', support: 'brand support' },
  notices: [],
  supportHours: '9-17',
  areas: {
    ja: { links: { terms: 'ja terms', support: 'ja support' }, notices: ['trade', 'inquiry'], supportHours: '10-19' },
    kr: { notices: ['inquiry'] },
  },
} as unknown as Brand;
const sub = (client_id: string) => ({ client_id, gp_id: '', name: '', logo: '' });
const game = (client_id: string, links: Partial<GameListItem>, subs: string[] = []) =>
  ({
    client_id,
    sub_game: Object.fromEntries(subs.map((id) => [id, sub(id)])),
    terms_link: '',
    privacy_link: '',
    ...links,
  }) as GameListItem;
const games = [
  game('1', { terms_link: 'game 1 terms', privacy_link: 'game 1 privacy' }, ['11', '12']),
  game('2', { terms_link: 'game 2 terms' }),
  game('3', {}),
];

test.each<[client: string, region: Region | null, privacy: string, terms: string]>([
  ['1', 'universal', 'game 1 privacy', 'game 1 terms'],
  ['12', 'universal', 'game 1 privacy', 'game 1 terms'],
  ['2', 'universal', 'brand privacy', 'game 2 terms'],
  ['3', 'universal', 'brand privacy', 'brand terms'],
  ['3', 'ja', 'brand privacy', 'ja terms'],
  ['3', 'kr', 'brand privacy', 'brand terms'],
  ['2', 'ja', 'brand privacy', 'game 2 terms'],
  ['9', 'ja', 'brand privacy', 'ja terms'],
  ['3', null, 'brand privacy', 'brand terms'],
])('L51 game %s in %s leads to %s and %s', (clientId, region, privacy, terms) => {
  expect(readLegal(brand, games, clientId, region)).toMatchObject({ privacy, terms });
});

test('L51 trade, topup and inquiry are shown by brand and area', () => {
  const notices = (region: Region, of: Partial<Brand> = {}) =>
    readLegal({ ...brand, ...of }, games, '1', region).notices;
  expect(notices('universal')).toEqual([]);
  expect(notices('ja')).toEqual(['trade', 'inquiry']);
  expect(notices('kr')).toEqual(['inquiry']);
  expect(notices('universal', { notices: ['topup'] })).toEqual(['topup']);
  expect(notices('ja', { areas: { ja: { notices: [] } }, notices: ['topup'] })).toEqual([]);
});

test('L18 L212 customer service and its hours are those of brand and area', () => {
  const contact = (region: Region) => {
    const { support, hours } = readLegal(brand, games, '1', region);
    return [support, hours];
  };
  expect(contact('universal')).toEqual(['brand support', '9-17']);
  expect(contact('ja')).toEqual(['ja support', '10-19']);
  expect(contact('kr')).toEqual(['brand support', '9-17']);
});

describe('the game in use', () => {
  const use = (asked: string | undefined, stored: unknown) => clientInUse(games, { asked, stored, assumed: '3' });
  test.each<[asked: string | undefined, stored: unknown, used: string]>([
    ['12', { client_id: '2' }, '12'],
    [undefined, { client_id: '2' }, '2'],
    // The page shows no game then, so nobody's links but the brand's are right.
    ['99', { client_id: '2' }, ''],
    ['99', null, ''],
    [undefined, { client_id: '98' }, '3'],
    [undefined, null, '3'],
    [undefined, { client_id: 7 }, '3'],
    [undefined, 'text', '3'],
  ])('L51 asked %s, stored %j: "%s"', (asked, stored, used) => expect(use(asked, stored)).toBe(used));
});
