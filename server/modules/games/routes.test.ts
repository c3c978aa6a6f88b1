// Game list, page configuration, servers and characters over HTTP, with a game that can be down.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GameListItem, PageConfig, RoleItem, ServerItem } from '#contracts/games.ts';
import type { BrandKey, GameId } from '#kernel/ids.ts';
import type { Language } from '#kernel/languages.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { toPageConfig } from './present.ts';

let shop: TestShop;
let now = Date.parse('2026-11-21T12:00:00Z');
beforeAll(async () => {
  shop = await createTestShop({ now: () => now });
});
afterAll(() => shop.close());
afterEach(() => {
  shop.game.reset();
  // The list of servers is kept for a minute.
  now += 61_000;
});

describe('the game list', () => {
  const list = async (query: string, brand = 'watt') =>
    shop.get<{ list: GameListItem[] }>(`/api/pay/getGameListV2?${query}`, { brand });

  test('names the games of the brand, marks the chosen one and its sub-games', async () => {
    const { content } = await list('client_id=70013&spec_lang=ja');
    expect(content.list.map((game) => [game.client_id, game.is_select_game])).toEqual([
      ['70013', true],
      ['70020', false],
      ['70031', false],
    ]);
    const starlane = content.list[1];
    expect(starlane?.name).toBe('スターレーン・タクティクス');
    expect(Object.values(starlane?.sub_game ?? {}).map((game) => [game.client_id, game.gp_id])).toEqual([
      ['70021', '70021'],
      ['70022', '70022'],
    ]);
    expect(starlane?.logo).toMatch(/^\/games\/starlane\/.+-plain\.svg$/);
  });

  test.each([
    ['platform=ios', '70012'],
    ['platform=android', '70011'],
    ['platform=web', '70013'],
    ['', '70013'],
    // The link's client stays, unless the call says for which platform.
    ['client_id=70011', '70011'],
    ['client_id=70013&platform=ios', '70012'],
    ['client_id=70021', '70013'],
  ])('L142 the client id of a game for %j is %s', async (query, clientId) => {
    const { content } = await list(query);
    expect(content.list.find((game) => game.gp_id === '7001')?.client_id).toBe(clientId);
  });

  test.each([
    ['domain_area=universal&country=US', 'watt'],
    ['domain_area=universal&country=BR', 'watt'],
    ['domain_area=ja', 'watt'],
    ['domain_area=ru', 'ru'],
  ])('names the lowest price of the goods that are sold for %s', async (place, brand) => {
    const { content } = await list(place, brand);
    for (const { client_id, from_shown } of content.list) {
      type Shelf = { list: { price_minor: number; price_shown: string }[] };
      const shelf = await shop.get<Shelf>(`/api/pay/getGoodsList?client_id=${client_id}&${place}`, { brand });
      const [lowest] = shelf.content.list.toSorted((a, b) => a.price_minor - b.price_minor);
      expect(from_shown).toBe(lowest?.price_shown);
    }
  });

  test('without an area there is no lowest price', async () => {
    const { content } = await list('');
    expect(content.list.map(({ from_shown }) => from_shown)).toEqual([undefined, undefined, undefined]);
  });

  test('L79 a platform without a client of its own has the web one', async () => {
    const { content } = await list('platform=ios');
    expect(content.list.map((game) => game.client_id)).toEqual(['70012', '70020', '70031']);
  });

  test.each([
    ['70011', 0],
    ['70012', 0],
    ['70021', 1],
    ['70022', 1],
    ['70031', 2],
    ['99999', -1],
  ])('L142 the game of client %s is marked, as that of a sub-game is', async (clientId, marked) => {
    const { content } = await list(`client_id=${clientId}`);
    expect(content.list.map((game) => game.is_select_game)).toEqual([0, 1, 2].map((index) => index === marked));
  });

  test('a region the brand does not sell in is a wrong domain', async () => {
    expect((await list('domain_area=sea')).code).toBe(1);
    expect((await list('domain_area=ru')).code).toBe(-3014);
    expect((await list('domain_area=atlantis')).code).toBe(-3014);
  });

  test('the page of a game is not shown for an area where the brand does not sell', async () => {
    const page = (area: string) => shop.get(`/api/config/recharge?client_id=70021&domain_area=${area}`);
    expect((await page('universal')).code).toBe(1);
    expect((await page('')).code).toBe(1);
    expect(await page('ru')).toMatchObject({ code: -3014, content: null });
    expect((await page('__proto__')).code).toBe(-3014);
  });

  test('a brand shows its own games only', async () => {
    for (const [brand, { file }] of shop.configuration.brands) {
      const { content } = await list('', brand);
      expect(content.list).toHaveLength(file.games.length);
    }
  });
});

describe('the page configuration', () => {
  const page = (query: string, brand = 'watt') => shop.get<PageConfig>(`/api/config/recharge?${query}`, { brand });

  test('L78 follows brand, game and region', async () => {
    const watt = (await page('client_id=70013&domain_area=universal')).content;
    expect(watt).toMatchObject({ area_config: { is_area_role: true }, brand_color: '#5B6CFF', banner_config: {} });
    expect(watt.language_config.split(',')).toHaveLength(18);
    expect(watt.langConfig).toBe(watt.language_config);
    expect((await page('client_id=70021')).content.area_config.is_area_role).toBe(false);
  });

  test('L78 L134 a game names its own languages, of those that the brand has', () => {
    const brand = shop.configuration.brands.get('ru' as BrandKey);
    const game = shop.configuration.games.get('emberfall' as GameId);
    if (!brand || !game) throw new Error('neither ships any more');
    const named = (languages: Language[]) =>
      toPageConfig(brand, { ...game, file: { ...game.file, languages } }, { region: 'useuro', isBeta: false, now: 0 })
        .language_config;
    const [first = 'en', second = 'en'] = brand.file.languages.toReversed();
    expect(named([first, second])).toBe(`${first},${second}`);
    expect(named(['th'])).toBe(brand.file.languages.join(','));
  });

  test('a forced banner shows in Japan only', async () => {
    const [brand] = [...shop.configuration.brands.values()].filter(({ file }) => file.banner);
    const game = shop.configuration.games.get(brand?.file.games[0] as never);
    const query = `client_id=${game?.file.clients.web}`;
    const shown = (await page(`${query}&domain_area=ja`, brand?.key)).content.banner_config;
    expect(Object.values(shown).flat()[0]?.picture_address).toMatch(new RegExp(`^/brands/${brand?.key}/`));
    expect((await page(`${query}&domain_area=universal`, brand?.key)).content.banner_config).toEqual({});
  });

  test('and the logo: a client of nobody is no game', async () => {
    expect((await page('client_id=99999')).code).toBe(-3001);
    expect((await shop.get('/api/config/game_logo?client_id=99999')).code).toBe(-3001);
    expect((await shop.get('/api/config/game_logo?client_id=70021')).content).toEqual({
      icon: '/games/starlane/icon-plain.svg',
    });
  });
});

describe('servers', () => {
  const servers = (query: string) =>
    shop.get<{ areas: unknown[]; servers: ServerItem[] }>(`/api/pay/getServerList?${query}`);

  test('open ones of the area, asked of the game once a minute', async () => {
    shop.game.script.areas = [{ id: 'eu', name: 'Europe' }];
    shop.game.script.servers = [
      { id: 's1', name: 'One', areaId: 'eu', isOpen: true },
      { id: 's2', name: 'Two', areaId: 'us', isOpen: true },
      { id: 's3', name: 'Three', areaId: 'eu', isOpen: false },
    ];
    const { content } = await servers('client_id=70013&area_id=eu');
    expect(content).toEqual({
      areas: [{ display: 'Europe', value: 'eu' }],
      servers: [{ display: 'One', value: 's1', area_id: 'eu' }],
    });
    expect((await servers('client_id=70013')).content.servers).toHaveLength(2);
    expect(shop.game.calls.listServers).toBe(1);
    now += 61_000;
    await servers('client_id=70013');
    expect(shop.game.calls.listServers).toBe(2);
  });

  test('a game that is down is told, and asked again at once afterwards', async () => {
    shop.game.script.isDown = true;
    expect(await servers('client_id=70021')).toMatchObject({ status: 200, code: -1013, content: null });
    shop.game.script.isDown = false;
    expect((await servers('client_id=70021')).code).toBe(1);
  });

  test('a game the brand does not sell has no servers', async () => {
    expect((await servers('client_id=99999')).code).toBe(-3001);
    expect(shop.game.calls.listServers).toBe(0);
  });
});

describe('characters', () => {
  const roles = {
    one: '/api/pay/getRoleList?client_id=70021&server_id=s1',
    all: '/api/system/allRoleList?client_id=70021',
  };
  const remembered = async (playerId: string) =>
    (
      await shop.db.query(
        'select server_id, role_id, name, level from player_role where player_id = $1 order by role_id',
        [playerId],
      )
    ).rows;

  test('of the player only, with the name of their server, and remembered', async () => {
    const player = await shop.logIn();
    shop.game.script.roles = (userId) => [
      { id: 'r1', name: `of ${userId}`, level: 7, serverId: 's1', areaId: '' },
      { id: 'r2', name: 'second', level: 0, serverId: 's2', areaId: '' },
    ];
    expect((await shop.get(roles.one)).code).toBe(-600);
    const one = await shop.get<{ list: RoleItem[] }>(roles.one, { session: player });
    expect(one.content.list).toEqual([
      { display: `of ${player.suid}`, value: 'r1', level: 7, server_id: 's1', server_name: 'Altair', area_id: '' },
    ]);
    expect(await remembered(player.playerId)).toHaveLength(1);
    await shop.get(roles.all, { session: player });
    expect(await remembered(player.playerId)).toEqual([
      { server_id: 's1', role_id: 'r1', name: `of ${player.suid}`, level: 7 },
      { server_id: 's2', role_id: 'r2', name: 'second', level: 0 },
    ]);
    shop.game.script.roles = () => [{ id: 'r1', name: 'renamed', level: 8, serverId: 's1', areaId: '' }];
    await shop.get(roles.one, { session: player });
    expect((await remembered(player.playerId))[0]).toMatchObject({ name: 'renamed', level: 8 });
  });

  test('with characters in their names that no database can hold are still characters', async () => {
    const player = await shop.logIn();
    shop.game.script.roles = () => [{ id: 'r1', name: 'a\0b\ud800c', level: 1, serverId: 's1', areaId: '' }];
    expect((await shop.get(roles.one, { session: player })).code).toBe(1);
    expect(await remembered(player.playerId)).toEqual([
      { server_id: 's1', role_id: 'r1', name: 'ab\ufffdc', level: 1 },
    ]);
  });

  test('a player without any, and a game that is down', async () => {
    const player = await shop.logIn();
    shop.game.script.roles = () => [];
    expect(await shop.get(roles.all, { session: player })).toMatchObject({ code: 1, content: { list: [] } });
    shop.game.script.isDown = true;
    expect(await shop.get(roles.all, { session: player })).toMatchObject({ code: -1013, content: null });
  });
});
